// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffVoice

/// A gateway's speech as raw samples, for a loudspeaker or a conversation: its MP3 files, unpacked.
public struct GatewayTextToSpeech: TextToSpeech {
    private let voice: GatewayVoice
    private let decoder: any AudioClipDecoder
    private let format: AudioFormat

    /// Creates a voice.
    ///
    /// - Parameters:
    ///   - voice: The gateway's.
    ///   - decoder: Unpacks MP3: the platform's, or a program's.
    ///   - format: What is delivered.
    public init(
        _ voice: GatewayVoice,
        decoder: any AudioClipDecoder,
        format: AudioFormat = AudioFormat(sampleRate: 24_000)
    ) {
        (self.voice, self.decoder, self.format) = (voice, decoder, format)
    }

    /// Speaks a text, a tenth of a second at a time.
    ///
    /// - Throws: As ``GatewayVoice/speak(_:_:)`` does; what the decoder and `deliver` throw.
    public func synthesize(
        _ text: String,
        _ deliver: @Sendable ([UInt8], AudioFormat) async throws -> Void
    ) async throws {
        try await voice.speak(text) { file in
            let samples = try await decoder.decode(file).samples(as: format)
            let size = max(1, format.bytesPerFrame * (format.sampleRate / 10))
            for start in stride(from: 0, to: samples.count, by: size) {
                try await deliver(Array(samples[start..<min(start + size, samples.count)]), format)
            }
        }
    }
}
