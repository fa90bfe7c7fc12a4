// Riff
// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// The loudness of a stretch of audio, in decibels below full scale (dBFS): 0 is an amplitude of 1.0, so a sine at full
/// scale has a peak of 0 and an RMS of -3.01. Silence is ``floor``.
public struct AudioLevel: Sendable, Hashable {
    /// Root mean square over all channels, in dBFS.
    public let rms: Double
    /// The largest sample, in dBFS.
    public let peak: Double

    /// A level of these values.
    package init(rms: Double, peak: Double) {
        self.rms = max(AudioLevel.floor, rms)
        self.peak = max(AudioLevel.floor, peak)
    }

    /// The level of silence: -120 dBFS.
    package static let floor = -120.0
    /// The level of digital silence.
    public static let silence = AudioLevel(rms: floor, peak: floor)

    /// The level of whole frames; bytes of a cut sample at the end are left out, and no samples are silence.
    package init(of bytes: [UInt8], format: AudioFormat) {
        let layout = PCMConverter.Layout(format)
        let count = bytes.count / layout.sample.bytes
        var energy = 0.0
        var peak: Float = 0
        bytes.withUnsafeBytes { bytes in
            for index in 0..<count {
                let value = PCMConverter.value(of: layout.sample, in: bytes, at: index * layout.sample.bytes)
                energy += Double(value) * Double(value)
                peak = max(peak, abs(value))
            }
        }
        let rms = count == 0 ? 0 : (energy / Double(count)).squareRoot()
        self.init(rms: AudioLevel.decibels(rms), peak: AudioLevel.decibels(Double(peak)))
    }

    private static func decibels(_ amplitude: Double) -> Double { amplitude > 0 ? 20 * log10(amplitude) : floor }
}
