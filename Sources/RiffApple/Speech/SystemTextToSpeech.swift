// Riff
// SPDX-License-Identifier: Apache-2.0

#if canImport(AVFAudio)
internal import AVFAudio
internal import RiffCore
public import RiffVoice

/// The system's voices, by AVSpeechSynthesizer, as sound for the app's own sink.
public struct SystemTextToSpeech: TextToSpeech {
    /// The language, as a BCP 47 tag.
    public let language: String
    /// How fast it speaks, from 0 to 1; `nil` for the system's usual rate.
    public var rate: Float?

    /// Creates a voice of a language.
    public init(language: String, rate: Float? = nil) {
        self.language = language
        self.rate = rate
    }

    /// Speaks a text.
    ///
    /// - Throws: `VoiceError` with `synthesisRejected` where there is no such voice, `synthesisMalformed`; what
    ///   `deliver` throws; `CancellationError`.
    public func synthesize(
        _ text: String,
        _ deliver: @Sendable ([UInt8], AudioFormat) async throws -> Void
    ) async throws {
        try Task.checkCancellation()
        guard !text.allSatisfy(\.isWhitespace) else { return }
        guard let voice = AVSpeechSynthesisVoice(language: language) else {
            throw VoiceError(.synthesisRejected, "There is no voice for \(language).", recovery: .openSettings(.voice))
        }
        // A plain string: never the initializer that reads SSML.
        let utterance = AVSpeechUtterance(string: text)
        utterance.voice = voice
        utterance.rate = rate ?? AVSpeechUtteranceDefaultSpeechRate
        // One for each text: one that is dropped while it writes stops without a word, so it is held below.
        let synthesizer = AVSpeechSynthesizer()
        // The callback cannot wait, and the system is much quicker than speech. It cannot grow without bound: a text
        // is bounded by its sentence, as `AnswerVoice` speaks it, and a minute of sound is 5 MB.
        let (pieces, writer) = AsyncThrowingStream<Piece, any Error>.makeStream(bufferingPolicy: .unbounded)
        synthesizer.write(utterance) { buffer in
            // Buffers are not Sendable, so their bytes are taken here. An empty one is the end; it may come again.
            guard let buffer = buffer as? AVAudioPCMBuffer, buffer.frameLength > 0 else { return writer.finish() }
            do { writer.yield(try Self.piece(of: buffer)) } catch { writer.finish(throwing: error) }
        }
        defer { _ = synthesizer.stopSpeaking(at: .immediate) }
        for try await piece in pieces { try await deliver(piece.frames, piece.format) }
        try Task.checkCancellation()
    }

    private struct Piece: Sendable {
        let frames: [UInt8]
        let format: AudioFormat
    }

    /// Voices give floats or 16-bit integers, at 22,050 or 24,000 Hz; the format is known with the first buffer.
    private static func piece(of buffer: AVAudioPCMBuffer) throws -> Piece {
        let count = Int(buffer.frameLength)
        let rate = Int(buffer.format.sampleRate)
        if let channel = buffer.floatChannelData?[0] {
            let bytes = UnsafeRawBufferPointer(UnsafeBufferPointer(start: channel, count: count))
            return Piece(frames: Array(bytes), format: AudioFormat(sampleRate: rate, sample: .float32))
        }
        if let channel = buffer.int16ChannelData?[0] {
            let bytes = UnsafeRawBufferPointer(UnsafeBufferPointer(start: channel, count: count))
            return Piece(frames: Array(bytes), format: AudioFormat(sampleRate: rate))
        }
        throw VoiceError(.synthesisMalformed, "The voice gives audio of a kind that is not read here.")
    }
}
#endif
