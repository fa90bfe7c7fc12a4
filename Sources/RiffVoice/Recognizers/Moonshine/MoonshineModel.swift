// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// A loaded model; freed when it goes away. Not `Sendable`: the engine says nothing about threads, so it stays with the
/// actor that made it.
final class MoonshineModel {
    /// Clips come here cut where there is a pause, and only their words are asked for.
    private static let options = [
        (name: "vad_threshold", value: "0.0"), (name: "identify_speakers", value: "false"),
        (name: "word_timestamps", value: "false"), (name: "return_audio_data", value: "false"),
    ]

    private let library: MoonshineLibrary
    private let handle: Int32

    /// Loads the model, which takes about a second.
    ///
    /// - Throws: ``VoiceError`` with `speechEngineFailed`.
    init(_ installation: MoonshineInstallation) throws(VoiceError) {
        library = try MoonshineLibrary(installation)
        // The number of the "base" architecture in the C API; 0 is "tiny".
        let base: UInt32 = 1
        handle = library.loadModel(installation.modelPath, base, options: MoonshineModel.options)
        guard handle >= 0 else {
            throw VoiceError(
                .speechEngineFailed,
                "The speech model in \(installation.folder) cannot be loaded (code \(handle)). Install it again.",
                recovery: .installProgram("moonshine-voice")
            )
        }
    }

    deinit { if handle >= 0 { library.unload(model: handle) } }

    /// Recognizes 16 kHz mono audio; blocks for about half as long as the audio lasts, or as long where the processor
    /// has no instructions for products of 8-bit numbers.
    ///
    /// - Returns: The text; empty where nothing was recognized.
    /// - Throws: ``VoiceError`` with `speechEngineFailed`.
    func transcribe(_ samples: ArraySlice<Float>) throws(VoiceError) -> String {
        let (status, lines) = samples.withUnsafeBufferPointer {
            library.transcribe(handle, $0, sampleRate: AudioFormat.speech.sampleRate)
        }
        guard status == 0 else {
            throw VoiceError(.speechEngineFailed, "The speech engine failed with code \(status).", recovery: .retry)
        }
        return lines.joined(separator: " ")
    }
}
