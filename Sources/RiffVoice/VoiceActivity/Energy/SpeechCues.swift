// Riff
// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// The cues in 32 ms of sound by themselves, without the sound before.
struct SpeechCues: Sendable, Hashable {
    /// Mean power of each band between 200 and 4,400 Hz.
    var bands: [Float]
    /// The degree to which the sound repeats itself at a voice's pitch, 80 to 355 Hz: 0 to about 1.
    var periodicity: Float
    /// The degree to which the sound repeats itself much faster, as a whistle or a beep does.
    var fastPeriodicity: Float
    /// The share of the four strongest frequencies: near 1 for a pure tone.
    var toneShare: Float
    /// The power below 3.7 kHz, in dBFS.
    var level: Float
    /// The power above 3.5 kHz beside that below, in bels, -2.5 to 0.5.
    var brightness: Float

    /// Measures windows of 512 samples at 16 kHz.
    struct Meter: Sendable {
        static let samples = 512

        /// Boundaries of the bands, in bins of 31.25 Hz: a third of an octave or so each.
        private static let edges = [7, 10, 13, 17, 21, 25, 30, 35, 41, 48, 56, 64, 75, 87, 101, 119, 141]

        private let transform = FourierTransform(count: samples)
        private let window: [Float]
        /// The inverse of the window's own correlation with itself, for lags of up to 200 samples.
        private let correction: [Float]
        private var real = [Float](repeating: 0, count: samples)
        private var imaginary = [Float](repeating: 0, count: samples)
        private var powers = [Float](repeating: 0, count: samples / 2 + 1)

        init() {
            let count = Meter.samples
            let window = (0..<count).map { Float(0.5 - 0.5 * cos(2 * Double.pi * Double($0) / Double(count))) }
            var energy: Float = 0
            for value in window { energy += value * value }
            correction = (0...200).map { lag in
                var sum: Float = 0
                for index in 0..<count { sum += window[index] * window[(index + lag) % count] }
                return energy / sum
            }
            self.window = window.map { $0 / (energy * Float(count)).squareRoot() }
        }
    }
}

extension SpeechCues.Meter {
    /// Returns the cues in these 512 samples.
    mutating func measure(_ samples: [Float]) -> SpeechCues {
        for index in 0..<512 {
            real[index] = samples[index] * window[index]
            imaginary[index] = 0
        }
        turn()
        for bin in 0...256 { powers[bin] = real[bin] * real[bin] + imaginary[bin] * imaginary[bin] }
        let edges = SpeechCues.Meter.edges
        // 0.000000001 is below what any microphone's noise has: digital silence has a floor too.
        let bands = zip(edges, edges.dropFirst()).map { (low, high) -> Float in
            sum(low..<high) / Float(high - low) + 1e-9
        }
        let voice = sum(8..<112) + 1e-11
        var strongest = SIMD4<Float>(repeating: 0)
        for bin in 3..<113 where powers[bin] > strongest.min() { replaceLeast(of: &strongest, by: powers[bin]) }
        let (periodicity, fastPeriodicity) = correlate()
        return SpeechCues(
            bands: bands,
            periodicity: periodicity,
            fastPeriodicity: fastPeriodicity,
            toneShare: (strongest.sum() + 1e-13) / (sum(3..<113) + 1e-12),
            level: 10 * log10f(2 * sum(3..<120) + 1e-12),
            brightness: max(-2.5, min(0.5, log10f((sum(112..<257) + 1e-11) / voice)))
        )
    }

    private func replaceLeast(of values: inout SIMD4<Float>, by value: Float) {
        var least = 0
        for lane in 1..<4 where values[lane] < values[least] { least = lane }
        values[least] = value
    }

    private func sum(_ bins: Range<Int>) -> Float {
        var sum: Float = 0
        for bin in bins { sum += powers[bin] }
        return sum
    }

    /// The correlation of the sound between 125 and 1,600 Hz with itself: the transform of its powers.
    private mutating func correlate() -> (Float, Float) {
        for bin in 0..<512 {
            real[bin] = 0
            imaginary[bin] = 0
        }
        for bin in 4...51 {
            real[bin] = powers[bin]
            real[512 - bin] = powers[bin]
        }
        turn()
        return (strongest(45...200), strongest(12...39))
    }

    private func strongest(_ lags: ClosedRange<Int>) -> Float {
        var strongest: Float = 0
        for lag in lags { strongest = max(strongest, real[lag] * correction[lag]) }
        return strongest / (real[0] + 1e-11)
    }

    private mutating func turn() {
        real.withUnsafeMutableBufferPointer { real in
            imaginary.withUnsafeMutableBufferPointer { imaginary in
                guard let real = real.baseAddress, let imaginary = imaginary.baseAddress else { return }
                transform.transform(real, imaginary)
            }
        }
    }
}
