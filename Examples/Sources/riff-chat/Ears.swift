// Riff
// SPDX-License-Identifier: Apache-2.0

import ExampleTerminal
import Foundation
import RiffVoice

/// What understands a recording: push to talk, where the button is a command.
struct Ears: Sendable {
    /// The recording that is taken where none is named.
    let recording: String?
    let recognizer: @Sendable () async throws -> any SpeechToText

    /// What is said in a recording.
    ///
    /// - Parameter path: The WAV file.
    /// - Returns: The words.
    /// - Throws: `ExampleFailure` where nothing is said; what kept it from being read or understood.
    func hear(_ path: String?) async throws -> String {
        guard let path = path ?? recording else {
            throw ExampleFailure("Say which: /talk FILE.wav, or start with --wav.")
        }
        let bytes = try Data(contentsOf: URL(filePath: absolutePath(path)))
        let recognizer = try await recognizer()
        try await recognizer.prepare { _ in }
        let text = try await recognizer.transcribe(AudioClip([UInt8](bytes), encoding: .wav)).text
        guard text.contains(where: { !$0.isWhitespace }) else { throw ExampleFailure("Nothing is said in \(path).") }
        return text
    }
}
