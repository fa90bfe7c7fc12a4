// Riff
// SPDX-License-Identifier: Apache-2.0

package import RiffCore

extension PCMConverter {
    /// The layout of PCM samples at their origin: interleaved, little-endian, in one of the forms files use.
    public struct Layout: Sendable, Hashable {
        /// The form of one sample.
        public enum Sample: Sendable, Hashable {
            /// Unsigned 8-bit integers around 128.
            case uint8
            /// Signed 16-bit integers.
            case int16
            /// Signed 24-bit integers in 3 bytes.
            case int24
            /// Signed 32-bit integers; also 20 or 24 bits that are left-aligned in 4 bytes.
            case int32
            /// 32-bit IEEE floats, nominally -1 to 1.
            case float32

            /// Bytes of one sample.
            package var bytes: Int {
                switch self {
                case .uint8: 1
                case .int16: 2
                case .int24: 3
                case .int32, .float32: 4
                }
            }
        }

        /// Frames a second, in hertz.
        package let sampleRate: Int
        /// Samples in a frame.
        package let channels: Int
        /// The form of one sample.
        package let sample: Sample

        /// Creates a layout.
        public init(sampleRate: Int, channels: Int, sample: Sample) {
            self.sampleRate = sampleRate
            self.channels = channels
            self.sample = sample
        }

        /// The layout of a format used inside the library.
        public init(_ format: AudioFormat) {
            self.init(
                sampleRate: format.sampleRate,
                channels: format.channels,
                sample: format.sample == .int16 ? .int16 : .float32
            )
        }

        /// Bytes in one frame.
        package var bytesPerFrame: Int { channels * sample.bytes }
    }
}

// MARK: Bounds of what a file may say

extension PCMConverter {
    /// The rates that a file's header may say, in hertz. Below them is no speech, and a second of a few samples would
    /// become a second of many: a file of 3 Hz as 16 kHz is five thousand times as large.
    package static let rates = 4_000...768_000
    /// The channels that a file's header may say.
    package static let channelCounts = 1...64
    /// The most bytes of samples that a whole file is made into: more than four hours of 16 kHz.
    package static let mostBytes = 512 << 20
    /// Bytes of a whole file that are converted at a time.
    package static let pieceBytes = 1 << 20

    package static func check(_ count: Int, limit: Int) throws(CoreError) {
        guard count > limit else { return }
        throw CoreError(.audioTooLarge, "The audio has more than \(limit) bytes of samples; send less at a time.")
    }
}
