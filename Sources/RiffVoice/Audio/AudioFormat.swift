// Riff
// SPDX-License-Identifier: Apache-2.0

/// The layout of PCM samples: interleaved, little-endian.
public struct AudioFormat: Sendable, Hashable, Codable {
    /// The form of one sample.
    public enum Sample: String, Sendable, Hashable, Codable {
        /// Signed 16-bit integers.
        case int16
        /// 32-bit IEEE floats, nominally -1 to 1.
        case float32
    }

    /// Frames a second, in hertz.
    public var sampleRate: Int
    /// Samples in a frame.
    public var channels: Int
    /// The form of one sample.
    public var sample: Sample

    /// A format; mono and 16-bit unless said otherwise.
    public init(sampleRate: Int, channels: Int = 1, sample: Sample = .int16) {
        self.sampleRate = sampleRate
        self.channels = channels
        self.sample = sample
    }

    /// 16 kHz, mono, signed 16-bit: what every recognizer here takes.
    public static let speech = AudioFormat(sampleRate: 16_000)

    /// Bytes in one frame.
    package var bytesPerFrame: Int { channels * (sample == .int16 ? 2 : 4) }
}
