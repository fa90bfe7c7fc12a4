// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore
internal import Synchronization

/// Speaks a text sentence by sentence with another engine: the first one is heard while the next one is made, so that a
/// long text begins as soon as a short one.
///
/// No more than one piece is made ahead of what is heard; a text that is broken off has at most that one for nothing.
/// Nothing is made beside the first piece before its first frames are there: an engine that does one thing at a time
/// begins with it.
public struct SentenceTextToSpeech: TextToSpeech {
    private let engine: any TextToSpeech
    private let sentences: SentenceTextToSpeech.Sentences

    /// An engine that begins early.
    public init(
        _ engine: any TextToSpeech,
        sentences: SentenceTextToSpeech.Sentences = SentenceTextToSpeech.Sentences()
    ) {
        (self.engine, self.sentences) = (engine, sentences)
    }

    /// Speaks the text's pieces in order.
    ///
    /// - Throws: What the engine throws, after the pieces before were delivered; ``VoiceError`` with
    ///   `synthesisMalformed` where it speaks a piece in another format than the one before; what `deliver` throws;
    ///   `CancellationError`.
    public func synthesize(
        _ text: String,
        _ deliver: @Sendable ([UInt8], AudioFormat) async throws -> Void
    ) async throws {
        try await synthesize(text, onPiece: { _ in }, deliver)
    }

    /// As ``synthesize(_:_:)`` without the first pieces, and tells each piece before its first frames.
    func synthesize(
        _ text: String,
        skipping skipped: Int = 0,
        onPiece: @Sendable (String) -> Void,
        _ deliver: @Sendable ([UInt8], AudioFormat) async throws -> Void
    ) async throws {
        // A line of dashes or points has no sound, and some engines fail on it.
        let all = sentences.pieces(of: text).filter { $0.contains { !$0.isPunctuation && !$0.isWhitespace } }
        let pieces = Array(all.dropFirst(skipped))
        guard let first = pieces.first else { return try Task.checkCancellation() }
        let (begun, begin) = AsyncStream<Never>.makeStream()
        try await withThrowingTaskGroup(of: AudioClip?.self) { group in
            func prepare(_ place: Int) {
                guard place < pieces.count else { return }
                group.addTask { [engine] in
                    for await _ in begun {}
                    try Task.checkCancellation()
                    return try await engine.clip(of: pieces[place])
                }
            }
            prepare(1)
            onPiece(first)
            var format = try await Self.deliver(first, engine) { frames, own in
                begin.finish()
                try await deliver(frames, own)
            }
            begin.finish()
            for place in pieces.indices.dropFirst() {
                let clip = try await group.next() ?? nil
                prepare(place + 1)
                guard let clip, case .pcm(let own) = clip.encoding else { continue }
                guard format == nil || format == own else {
                    throw VoiceError(.synthesisMalformed, "The engine changed its format within a text.")
                }
                format = own
                onPiece(pieces[place])
                let size = max(1, 4_096 / own.bytesPerFrame) * own.bytesPerFrame
                for start in stride(from: 0, to: clip.bytes.count, by: size) {
                    try await deliver(Array(clip.bytes[start..<min(start + size, clip.bytes.count)]), own)
                }
            }
        }
    }

    /// Makes the engine ready.
    public func prepare(_ report: @Sendable (EnginePreparation) -> Void) async throws {
        try await engine.prepare(report)
    }

    /// Delivers a piece as it is made.
    private static func deliver(
        _ piece: String,
        _ engine: any TextToSpeech,
        _ deliver: @Sendable ([UInt8], AudioFormat) async throws -> Void
    ) async throws -> AudioFormat? {
        let format = Mutex<AudioFormat?>(nil)
        try await engine.synthesize(piece) { frames, own in
            format.withLock { $0 = own }
            try await deliver(frames, own)
        }
        return format.withLock { $0 }
    }
}
