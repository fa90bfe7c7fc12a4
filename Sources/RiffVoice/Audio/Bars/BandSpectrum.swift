// Riff
// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif
public import RiffCore

// sample: clip: AudioClip
/// The heights of a display's bars: how loud audio is in bands of frequencies, from deep to high.
///
/// ```swift
/// var spectrum = try BandSpectrum(bars: 12)
/// for heights in try spectrum.process(clip.floats()) { show(heights) }
/// ```
///
/// A pure value: the heights depend on the samples alone, never on how they are cut into calls.
public struct BandSpectrum: Sendable {
    /// What is shown, and how it moves.
    public struct Scale: Sendable, Hashable {
        /// The lowest and the highest frequency, in hertz. Each bar has the same share of it in octaves.
        public var frequencies: ClosedRange<Double>
        /// The levels that a bar of height 0 and one of height 1 show: a band's level in dBFS, a sine of amplitude 1
        /// being -3.
        public var levels: ClosedRange<Double>
        /// The time that a bar takes for 63 % of its way up; 0 is at once.
        public var attack: Duration
        /// The time that a bar takes for 63 % of its way down.
        public var release: Duration

        /// 80 Hz to 7 kHz, where speech is; -65 to -20 dBFS; 15 ms up and 150 ms down unless said otherwise.
        public init(
            frequencies: ClosedRange<Double> = 80...7_000,
            levels: ClosedRange<Double> = -65 ... -20,
            attack: Duration = .milliseconds(15),
            release: Duration = .milliseconds(150)
        ) {
            (self.frequencies, self.levels) = (frequencies, levels)
            (self.attack, self.release) = (attack, release)
        }
    }

    /// What is shown, and how it moves.
    package let scale: Scale
    /// The heights now, 0 to 1, from deep to high.
    public private(set) var bars: [Float]
    /// Samples from one picture to the next: 20 ms.
    package let pictureSamples: Int

    private let transform: FourierTransform
    private let window: [Float]
    /// The share of the transform's powers that each bar takes, from the first on.
    private let shares: [(first: Int, weights: [Float])]
    private let rise: Float
    private let fall: Float
    /// The newest samples; as many as the transform takes, after the first picture.
    private var heard: [Float]
    private var missing: Int

    /// A display that has heard nothing.
    ///
    /// - Parameters:
    ///   - bars: How many bars there are, 1 to 256.
    ///   - sampleRate: Samples a second, 4,000 to 192,000.
    ///   - scale: What is shown, and how it moves.
    /// - Throws: ``VoiceError`` with `invalidSpectrum`, saying what lies outside its bounds.
    public init(bars: Int = 12, sampleRate: Int = 16_000, scale: Scale = Scale()) throws(VoiceError) {
        guard (1...256).contains(bars), (4_000...192_000).contains(sampleRate) else {
            throw VoiceError(
                .invalidSpectrum,
                "\(bars) bars at \(sampleRate) Hz; 1 to 256 at 4,000 to 192,000 are shown."
            )
        }
        let (low, high) = (scale.frequencies.lowerBound, scale.frequencies.upperBound)
        guard low >= 1, low < high, high <= Double(sampleRate) / 2, scale.levels.lowerBound < scale.levels.upperBound
        else {
            let message =
                "Frequencies of \(low) to \(high) Hz at \(sampleRate) Hz, or levels of no width, are not shown."
            throw VoiceError(.invalidSpectrum, message)
        }
        self.scale = scale
        self.bars = [Float](repeating: 0, count: bars)
        pictureSamples = sampleRate / 50
        // About 60 ms: deep voices begin at 80 Hz, and a bar there is 30 Hz wide.
        var count = 256
        while count < sampleRate / 16 { count *= 2 }
        transform = FourierTransform(count: count)
        window = (0..<count).map { Float(0.5 - 0.5 * cos(2 * Double.pi * Double($0) / Double(count))) }
        let step = Double(sampleRate) / Double(count)
        shares = (0..<bars).map { bar in
            let edges = (0...1).map { low * pow(high / low, Double(bar + $0) / Double(bars)) / step }
            let first = Int((edges[0] - 0.5).rounded(.up))
            let last = min(count / 2, Int((edges[1] + 0.5).rounded(.down)))
            // A power stands for half a step on either side; a narrow bar takes a part of one.
            let weights = (first...max(first, last)).map { place in
                Float(max(0, min(edges[1], Double(place) + 0.5) - max(edges[0], Double(place) - 0.5)))
            }
            return (first, weights)
        }
        let picture = Double(pictureSamples) / Double(sampleRate)
        func share(_ time: Duration) -> Float {
            time > .zero ? Float(1 - exp(-picture / (time / .seconds(1)))) : 1
        }
        (rise, fall) = (share(scale.attack), share(scale.release))
        heard = [Float](repeating: 0, count: count)
        missing = pictureSamples
    }

    /// Takes the next samples.
    ///
    /// - Parameter samples: Any number of them, nominally -1 to 1; one that is not finite is silence.
    /// - Returns: The heights of each picture that these samples complete, in order: 50 of them a second.
    public mutating func process(_ samples: [Float]) -> [[Float]] {
        var pictures: [[Float]] = []
        var rest = samples[...]
        while rest.count >= missing {
            heard += rest.prefix(missing).map(SampleFrame.sound)
            rest = rest.dropFirst(missing)
            missing = pictureSamples
            heard.removeFirst(heard.count - transform.count)
            draw()
            pictures.append(bars)
        }
        heard += rest.map(SampleFrame.sound)
        missing -= rest.count
        return pictures
    }

    /// Takes the next frames of an audio source, as ``process(_:)`` does.
    ///
    /// - Parameter frames: Whole samples of the format `AudioFormat.speech`.
    /// - Returns: The heights of each picture that these frames complete.
    public mutating func process(speech frames: [UInt8]) -> [[Float]] {
        process((0..<(frames.count / 2)).map { Float(frames.littleEndian(Int16.self, at: $0 * 2)) / 32_768 })
    }

    private mutating func draw() {
        var real = zip(heard, window).map { $0 * $1 }
        var imaginary = [Float](repeating: 0, count: real.count)
        real.withUnsafeMutableBufferPointer { real in
            imaginary.withUnsafeMutableBufferPointer { imaginary in
                guard let real = real.baseAddress, let imaginary = imaginary.baseAddress else { return }
                transform.transform(real, imaginary)
            }
        }
        // So that a sine's powers add up to its own: half of it lies above the half rate, and the window takes 3/8.
        let whole = Float(real.count)
        let unit = 2 / (whole * whole * 0.375)
        let (low, high) = (Float(scale.levels.lowerBound), Float(scale.levels.upperBound))
        for bar in bars.indices {
            let (first, weights) = shares[bar]
            var power: Float = 0
            for (offset, weight) in weights.enumerated() {
                let place = first + offset
                power += weight * (real[place] * real[place] + imaginary[place] * imaginary[place])
            }
            let level = 10 * log10f(max(1e-12, power * unit))
            let height = max(0, min(1, (level - low) / (high - low)))
            bars[bar] += (height > bars[bar] ? rise : fall) * (height - bars[bar])
        }
    }
}

extension VoiceErrorCode {
    /// A display of bars was asked for that cannot be drawn.
    public static let invalidSpectrum = VoiceError.Code(rawValue: "invalidSpectrum")
}
