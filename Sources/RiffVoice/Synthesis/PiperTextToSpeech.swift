// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffTransport

/// Speech by the program `piper`, where it and a voice are installed: natural; it loads its model for each text.
///
/// The program of today is under the GPL, so it is run and never linked. It gets the text on its input as one line,
/// since some versions write a file for each, and is ended with the call. The audio comes when all of it is made.
public struct PiperTextToSpeech: TextToSpeech {
    private let program: SpeechProgram

    /// A voice of the program.
    ///
    /// - Parameters:
    ///   - model: The voice's file `NAME.onnx`, beside which `NAME.onnx.json` must be.
    ///   - path: The program: a name looked up in `PATH`, or a path.
    ///   - limitBytes: The most bytes of audio for one text; 64 MB are 25 minutes at 22,050 Hz.
    /// - Throws: ``VoiceError`` with `synthesisRejected` for a model that is no path.
    public init(model: String, path: String = "piper", limitBytes: Int = 64 << 20) throws(VoiceError) {
        let model = try SpeechProgram.argument(model, what: "model")
        let command = LocalCommand(path, ["--model", model, "--output_file", "-"])
        program = SpeechProgram(command: command, package: "piper-tts", limitBytes: limitBytes)
    }

    /// Speaks a text; throws as ``EspeakTextToSpeech/synthesize(_:_:)`` does.
    public func synthesize(
        _ text: String,
        _ deliver: @Sendable ([UInt8], AudioFormat) async throws -> Void
    ) async throws {
        try Task.checkCancellation()
        guard let plain = SpeechProgram.plain(text, keepsLines: false) else { return }
        try await program.synthesize(plain + "\n", deliver)
    }
}
