// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore
internal import RiffTransport

/// Speech by the program `espeak-ng`, where it is installed: clear, robotic, at once; 22,050 Hz.
///
/// The program is under the GPL, so it is run and never linked. It gets the text on its input, without markup and
/// phoneme codes in it, and is ended with the call.
public struct EspeakTextToSpeech: TextToSpeech {
    private let program: SpeechProgram

    /// A voice of the program.
    ///
    /// - Parameters:
    ///   - voice: A voice or language that `espeak-ng --voices` lists; it takes some others for the nearest one.
    ///   - wordsPerMinute: How fast; the program takes 80 to 450.
    ///   - path: The program: a name looked up in `PATH`, or a path.
    ///   - limitBytes: The most bytes of audio for one text; 64 MB are 25 minutes.
    /// - Throws: ``VoiceError`` with `synthesisRejected` for a voice that is no name, or a speed beyond the range.
    public init(
        voice: String = "en",
        wordsPerMinute: Int = 175,
        path: String = "espeak-ng",
        limitBytes: Int = 64 << 20
    ) throws(VoiceError) {
        let voice = try SpeechProgram.argument(voice, what: "voice")
        guard (80...450).contains(wordsPerMinute) else {
            let message = "espeak-ng speaks 80 to 450 words a minute, not \(wordsPerMinute)."
            throw VoiceError(.synthesisRejected, message)
        }
        let arguments = ["--stdin", "--stdout", "-v", voice, "-s", String(wordsPerMinute)]
        program = SpeechProgram(command: LocalCommand(path, arguments), package: "espeak-ng", limitBytes: limitBytes)
    }

    /// Speaks a text.
    ///
    /// - Throws: ``VoiceError`` with `speechProgramMissing`, `speechProgramFailed` (an unknown voice, too) or
    ///   `synthesisTooLarge`; `CoreError` where it wrote no WAV file; what `deliver` throws; `CancellationError`.
    public func synthesize(
        _ text: String,
        _ deliver: @Sendable ([UInt8], AudioFormat) async throws -> Void
    ) async throws {
        try Task.checkCancellation()
        guard let plain = SpeechProgram.plain(text, keepsLines: true) else { return }
        try await program.synthesize(plain, deliver)
    }
}
