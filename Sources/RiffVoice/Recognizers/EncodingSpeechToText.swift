// Riff
// SPDX-License-Identifier: Apache-2.0

/// Packs each clip before another recogniser gets it: a service on the far side of a phone's network then hears the same
/// words for fewer bytes.
///
/// ```swift
/// let scribe = try ElevenLabsSpeechToText(key: key, transport: http)
/// let recogniser = EncodingSpeechToText(scribe, with: FLACClipEncoder())
/// ```
///
/// The recogniser must take what the encoder makes: services of the OpenAI and ElevenLabs kind take FLAC, a Riff server takes
/// WAV and AAC, the offline engine needs samples.
public struct EncodingSpeechToText: SpeechToText {
    private let recogniser: any SpeechToText
    private let encoder: any AudioClipEncoder

    /// A recogniser that hears packed clips.
    public init(_ recogniser: any SpeechToText, with encoder: any AudioClipEncoder) {
        (self.recogniser, self.encoder) = (recogniser, encoder)
    }

    /// Packs the clip and recognises it; an empty one is an empty transcript.
    ///
    /// - Throws: What the encoder and the recogniser throw; `CancellationError`.
    public func transcribe(_ clip: AudioClip) async throws -> Transcript { try await transcribe(clip, expecting: []) }

    /// Packs the clip and recognises it with these words to be expected; throws as ``transcribe(_:)`` does.
    public func transcribe(_ clip: AudioClip, expecting keyTerms: [String]) async throws -> Transcript {
        guard !clip.bytes.isEmpty else { return Transcript(text: "") }
        let packed = try await encoder.encode(clip)
        try Task.checkCancellation()
        return try await recogniser.transcribe(packed, expecting: keyTerms)
    }

    /// Makes the recogniser ready.
    public func prepare(_ report: @Sendable (EnginePreparation) -> Void) async throws {
        try await recogniser.prepare(report)
    }
}
