// Riff
// SPDX-License-Identifier: Apache-2.0

// sample: key: Secret, http: any HTTPTransport
/// Packs each clip before another recognizer gets it: a service on the far side of a phone's network then hears the
/// same words for fewer bytes.
///
/// ```swift
/// let scribe = try ElevenLabsSpeechToText(key: key, transport: http)
/// let recognizer = EncodingSpeechToText(scribe, with: FLACClipEncoder())
/// ```
///
/// The recognizer must take what the encoder makes: services of the OpenAI and ElevenLabs kind take FLAC, a Riff server
/// takes WAV and AAC, the offline engine needs samples.
public struct EncodingSpeechToText: SpeechToText {
    private let recognizer: any SpeechToText
    private let encoder: any AudioClipEncoder

    /// A recognizer that hears packed clips.
    public init(_ recognizer: any SpeechToText, with encoder: any AudioClipEncoder) {
        (self.recognizer, self.encoder) = (recognizer, encoder)
    }

    /// Packs the clip and recognizes it; an empty one is an empty transcript.
    ///
    /// - Throws: What the encoder and the recognizer throw; `CancellationError`.
    public func transcribe(_ clip: AudioClip) async throws -> Transcript { try await transcribe(clip, expecting: []) }

    /// Packs the clip and recognizes it with these words to be expected; throws as ``transcribe(_:)`` does.
    public func transcribe(_ clip: AudioClip, expecting keyTerms: [String]) async throws -> Transcript {
        guard !clip.bytes.isEmpty else { return Transcript(text: "") }
        let packed = try await encoder.encode(clip)
        try Task.checkCancellation()
        return try await recognizer.transcribe(packed, expecting: keyTerms)
    }

    /// Makes the recognizer ready.
    public func prepare(_ report: @Sendable (EnginePreparation) -> Void) async throws {
        try await recognizer.prepare(report)
    }
}
