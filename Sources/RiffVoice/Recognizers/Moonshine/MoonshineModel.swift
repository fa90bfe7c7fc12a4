// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// A loaded model; freed when it goes away. Not `Sendable`: the engine says nothing about threads, so it stays with the
/// actor that made it.
final class MoonshineModel {
    private let library: MoonshineLibrary
    private let handle: Int32

    /// Loads the model, which takes about a second.
    ///
    /// - Throws: ``VoiceError`` with `speechEngineFailed`.
    init(_ installation: MoonshineInstallation) throws(VoiceError) {
        library = try MoonshineLibrary(installation)
        // The number of the "base" architecture in the C API; 0 is "tiny".
        let base: Int32 = 1
        let (encoder, decoder) = (installation.encoderPath, installation.decoderPath)
        handle = library.loadModel(encoder, decoder, installation.tokenizerPath, base)
        guard handle >= 0 else {
            throw VoiceError(
                .speechEngineFailed,
                "The speech model in \(installation.folder) cannot be loaded (code \(handle)). Install it again.",
                recovery: .installProgram("moonshine-cpp")
            )
        }
    }

    deinit { if handle >= 0 { library.free(model: handle) } }

    /// Recognises at most ten seconds of 16 kHz mono audio; blocks for about half as long as the audio lasts.
    ///
    /// - Returns: The text; empty where nothing was recognised.
    /// - Throws: ``VoiceError`` with `speechEngineFailed`.
    func transcribe(_ samples: ArraySlice<Float>) throws(VoiceError) -> String {
        let (status, text) = samples.withUnsafeBufferPointer { library.transcribe(handle, $0) }
        defer { if let text { library.free(text) } }
        guard status == 0 else {
            throw VoiceError(.speechEngineFailed, "The speech engine failed with code \(status).", recovery: .retry)
        }
        return text.map { String(cString: $0) } ?? ""
    }
}
