// Riff
// SPDX-License-Identifier: Apache-2.0

package import ArgumentParser
import Foundation
internal import RiffCore
package import RiffTransport
package import RiffVoice

/// What understands speech: on the command line of each example that listens.
package struct SpeechOptions: ParsableArguments {
    @Option(help: "Recognize speech at an OpenAI-style server, with the key in RIFF_STT_KEY, instead of offline.")
    package var sttURL: String?

    package init() {}

    /// What understands speech.
    ///
    /// - Parameter http: The way to a server, where one is wanted.
    /// - Returns: It.
    /// - Throws: `ExampleFailure` where there is nothing that does; what `http` throws.
    package func recognizer(over http: () throws -> any HTTPTransport) throws -> any SpeechToText {
        if let sttURL {
            let key = ProcessInfo.processInfo.environment["RIFF_STT_KEY"].map { Secret($0) }
            return try OpenAISpeechToText(key: key, baseURL: sttURL, transport: try http())
        }
        guard let engine = MoonshineInstallation.find() else {
            throw ExampleFailure("There is no offline speech engine here (scripts/fetch-speech-engine); see --stt-url.")
        }
        return MoonshineSpeechToText(engine)
    }
}
