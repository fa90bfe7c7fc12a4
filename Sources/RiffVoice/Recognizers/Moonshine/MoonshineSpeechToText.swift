// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// Offline recognition of English by the Moonshine "base" model, loaded at run time from a ``MoonshineInstallation``.
///
/// The engine is loaded once, by ``prepare()`` or the first clip, and used for one clip at a time on a queue of its
/// own, never on the cooperative pool. It gets ten seconds of audio at most, so that cancellation takes effect soon;
/// longer clips are cut where they are quietest. It takes about 0.6 GB of memory.
public actor MoonshineSpeechToText: SpeechToText {
    private let executor = BlockingExecutor(label: "riff.voice.moonshine")
    /// The engine's calls take seconds.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// The longest piece given to the engine.
    private static let longestSeconds = 10
    /// The number of seconds before its end in which a piece may be cut.
    private static let searchSeconds = 4

    private let installation: MoonshineInstallation
    private var model: MoonshineModel?
    /// The number of times that the model was loaded.
    package private(set) var loads = 0

    /// A recognizer; nothing is loaded yet.
    public init(_ installation: MoonshineInstallation) { self.installation = installation }

    /// Loads the engine and runs it once on half a second of silence: the first inference is slower than the others.
    /// Where it is loaded, nothing is done.
    ///
    /// - Throws: ``VoiceError`` with `speechEngineFailed` where it cannot be loaded; `CancellationError`.
    public func prepare(_ report: @Sendable (EnginePreparation) -> Void) async throws {
        try Task.checkCancellation()
        if model == nil {
            report(EnginePreparation(.loading, fraction: 0))
            let model = try load()
            report(EnginePreparation(.warmingUp, fraction: 0.8))
            _ = try model.transcribe([Float](repeating: 0, count: AudioFormat.speech.sampleRate / 2)[...])
        }
        report(.ready)
    }

    /// Recognizes a clip.
    ///
    /// Cancellation takes effect between two pieces, within a few seconds: a piece that is being recognized cannot be
    /// interrupted.
    ///
    /// - Throws: ``VoiceError`` with `speechEngineFailed`; `CoreError` for a clip that cannot be read (AAC is not);
    ///   `CancellationError`.
    public func transcribe(_ clip: AudioClip) async throws -> Transcript {
        try Task.checkCancellation()
        let format = AudioFormat(sampleRate: AudioFormat.speech.sampleRate, sample: .float32)
        let bytes = try clip.samples(as: format)
        let samples = bytes.withUnsafeBytes { raw in
            (0..<(raw.count / 4)).map {
                Float(bitPattern: UInt32(littleEndian: raw.loadUnaligned(fromByteOffset: $0 * 4, as: UInt32.self)))
            }
        }
        guard !samples.isEmpty else { return Transcript(text: "", language: "en") }
        let model = try load()
        let pieces = SpeechSplitter.pieces(
            of: samples,
            sampleRate: format.sampleRate,
            longest: MoonshineSpeechToText.longestSeconds * format.sampleRate,
            search: MoonshineSpeechToText.searchSeconds * format.sampleRate
        )
        var texts: [String] = []
        for piece in pieces {
            try Task.checkCancellation()
            let words = try model.transcribe(samples[piece]).split(whereSeparator: \.isWhitespace)
            if !words.isEmpty { texts.append(words.joined(separator: " ")) }
        }
        return Transcript(text: texts.joined(separator: " "), language: "en")
    }

    /// Frees the model's memory; the next clip loads it again.
    public func unload() { model = nil }

    private func load() throws(VoiceError) -> MoonshineModel {
        if let model { return model }
        let loaded = try MoonshineModel(installation)
        loads += 1
        model = loaded
        return loaded
    }
}
