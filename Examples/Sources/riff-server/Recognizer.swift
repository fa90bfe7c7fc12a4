// Riff
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import RiffCore
import RiffServer
import RiffTransport
import RiffVoice

/// The one place where the server's speech recognizer is chosen: add a flag to the command and a case here.
enum Recognizer {
    /// - Returns: The recognizer that the flags name, ready to work; else the hosted one whose key is in the
    ///   environment; else `nil`.
    static func make(
        _ flags: RiffServerCommand,
        _ configuration: ServerConfiguration,
        environment: [String: String],
        http: any HTTPTransport
    ) async throws -> (any SpeechToText)? {
        guard [flags.offline, flags.openaiURL != nil, flags.sttURL != nil].count(where: { $0 }) <= 1 else {
            throw ValidationError("Choose one of --offline, --openai-url and --stt-url.")
        }
        if flags.offline {
            guard let installation = MoonshineInstallation.find() else {
                let place = "\(try MoonshineInstallation.cacheFolder()) has none, and RIFF_MOONSHINE names none"
                throw ValidationError(
                    "--offline needs the Moonshine engine: \(place). See scripts/fetch-speech-engine."
                )
            }
            let engine = MoonshineSpeechToText(installation)
            // Loading takes a second or two, which should not fall to the first clip.
            try await engine.prepare()
            return engine
        }
        if let address = flags.openaiURL {
            let key = environment["OPENAI_API_KEY"].map { Secret($0) }
            var options = OpenAISpeechToText.Options()
            if let model = flags.openaiModel { options.model = model }
            return try OpenAISpeechToText(key: key, options: options, baseURL: address, transport: http)
        }
        if let address = flags.sttURL {
            guard let text = environment["RIFF_STT_SECRET"] else {
                throw ValidationError("--stt-url needs the other server's secret in RIFF_STT_SECRET.")
            }
            return RiffClient(server: try HTTPBaseURL(address), secret: try RiffSecret(hex: text), http: http)
        }
        return try configuration.recognizer(over: http)
    }
}
