// Riff
// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// Tells speech by energy above the noise and by a voice's pitch: the fallback where the network's weights are missing.
///
/// It takes music for speech, and a new noise for the first second and a half. ``NeuralVoiceDetector`` does not, and is
/// better in noise: take that one where you can. Key clicks, knocks and beeps are told apart by both. A probability is
/// for 10 ms; at 0.5 nine tenths of speech are found, and it stays above for 0.2 s after the last voiced sound.
///
/// The weights of its five cues were fitted on recordings under made noises (decision 23).
public struct EnergyVoiceDetector: VoiceDetecting {
    private static let holdFrames = 22

    private var meter = SpeechCues.Meter()
    private var frame = SampleFrame(count: 160)
    private var memory = Memory()

    /// The state from the sound that was heard before.
    fileprivate struct Memory: Sendable {
        var window = [Float](repeating: 0, count: SpeechCues.Meter.samples)
        var frames = 0
        var floor = NoiseFloor()
        var bands: [Float] = []
        var voice: Float = 0
        var voices = [Float](repeating: 0, count: holdFrames)
        var loudness: Float = 0
    }

    /// A detector that has heard nothing.
    public init() {}

    /// The number of samples in a frame, 160.
    public var frameSamples: Int { 160 }

    /// Takes the next samples, as ``VoiceDetecting`` says.
    public mutating func process(_ samples: [Float]) -> [Float] {
        var probabilities: [Float] = []
        frame.fill(with: samples) { probabilities.append(EnergyVoiceDetector.probability(of: $0, &memory, &meter)) }
        return probabilities
    }

    /// Ends the audio, as ``VoiceDetecting`` says.
    public mutating func finish() -> Float? {
        var probability: Float?
        frame.flush { probability = EnergyVoiceDetector.probability(of: $0, &memory, &meter) }
        reset()
        return probability
    }

    /// Forgets everything heard.
    public mutating func reset() {
        memory = Memory()
        frame.clear()
    }

    private static func probability(
        of frame: UnsafeBufferPointer<Float>,
        _ memory: inout Memory,
        _ meter: inout SpeechCues.Meter
    ) -> Float {
        let kept = memory.window.count - frame.count
        for index in 0..<kept { memory.window[index] = memory.window[index + frame.count] }
        for index in 0..<frame.count { memory.window[kept + index] = frame[index] }
        memory.frames += 1
        // A window that begins with the silence before all audio would set the floor too low.
        guard memory.frames * frame.count >= memory.window.count else { return 0 }
        return memory.judge(meter.measure(memory.window))
    }
}

extension EnergyVoiceDetector.Memory {
    fileprivate mutating func judge(_ cues: SpeechCues) -> Float {
        let floor = floor.follow(cues.bands)
        if bands.isEmpty { bands = cues.bands }
        var above: [Float] = []
        for band in bands.indices {
            bands[band] += 0.25 * (cues.bands[band] - bands[band])
            above.append(max(0, min(2.5, log10f(bands[band] / floor[band]))))
        }
        // Vowels have a few strong bands, whatever the noise hides of the others.
        let strongest = min(1, above.sorted().suffix(5).reduce(0, +) / 5)
        let audible = ramp(cues.level, from: -66, to: -54)
        let isNoTone =
            (1 - ramp(cues.toneShare, from: 0.75, to: 0.95)) * (1 - ramp(cues.fastPeriodicity, from: 0.6, to: 0.8))
        let voiced = ramp(cues.periodicity, from: 0.3, to: 0.6) * strongest * isNoTone * audible
        voice += 0.2 * (voiced - voice)
        voices[frames % voices.count] = voice
        loudness += 0.06 * (min(1, above.reduce(0, +) / Float(above.count)) * audible - loudness)
        let held = voices.reduce(0, max)
        let sum =
            0.73 * cues.brightness + 1.19 * voiced + 5.08 * held + 0.87 * loudness + 2.42 * audible - 3.67
        return 1 / (1 + expf(-sum))
    }

    private func ramp(_ value: Float, from low: Float, to high: Float) -> Float {
        max(0, min(1, (value - low) / (high - low)))
    }
}
