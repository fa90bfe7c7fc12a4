// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffTesting

/// Sounds made from a seed, at 16 kHz; the same on each machine up to the last bits of `sin` and `exp`.
struct SyntheticSound {
    enum Kind: String, CaseIterable, Sendable {
        case silence, roomTone = "room tone", hiss, white, pink, fan, cars, keyboard, knocks, tones, music
        case step = "noise step"
    }

    private var generator: SeededGenerator
    private let count: Int

    /// Samples of a sound. Steady ones have an RMS of 1; those made of events peak near 1.
    static func samples(_ kind: Kind, count: Int, seed: UInt64) -> [Float] {
        var sound = SyntheticSound(generator: SeededGenerator(seed: seed), count: count)
        switch kind {
        case .silence: return Array(repeating: 0, count: count)
        case .white, .hiss: return sound.white()
        case .pink, .roomTone: return sound.pink()
        case .fan: return sound.fan()
        case .cars: return sound.cars()
        case .keyboard: return sound.keyboard()
        case .knocks: return sound.knocks()
        case .tones: return sound.tones()
        case .music: return sound.music()
        case .step: return sound.step()
        }
    }

    private mutating func uniform(_ range: ClosedRange<Float>) -> Float {
        range.lowerBound + (range.upperBound - range.lowerBound) * Float(generator.next() >> 40) / 16_777_216
    }

    private mutating func white() -> [Float] {
        // The sum of three uniform numbers is near enough to a normal one.
        var samples = [Float](repeating: 0, count: count)
        for index in samples.indices {
            let bits = generator.next()
            samples[index] =
                Float(Int(bits & 0x1F_FFFF) + Int(bits >> 21 & 0x1F_FFFF) + Int(bits >> 42 & 0x1F_FFFF)) - 3_145_728
        }
        return SyntheticSound.normalized(samples)
    }

    /// Six first-order filters, each an octave or so apart, make -3 dB an octave.
    private mutating func pink() -> [Float] {
        let poles: [(pole: Float, gain: Float)] = [
            (0.99886, 0.0555), (0.99332, 0.0751), (0.969, 0.1539), (0.8665, 0.3105), (0.55, 0.533), (-0.7616, 0.0169),
        ]
        let white = white()
        var samples = white.map { $0 * 0.5362 }
        for (pole, gain) in poles {
            var state: Float = 0
            for index in white.indices {
                state = pole * state + white[index] * gain
                samples[index] += state
            }
        }
        return SyntheticSound.normalized(samples)
    }

    /// The blades' tone at 110 Hz with its overtones, and the air.
    private mutating func fan() -> [Float] {
        let air = SyntheticSound.lowPassed(white(), hertz: 600)
        return SyntheticSound.normalized(
            air.indices.map { index in
                let turn = 2 * Float.pi * 110 * Float(index) / 16_000
                return air[index] + 0.5 * sin(turn) + 0.25 * sin(2 * turn + 1) + 0.12 * sin(3 * turn + 2)
            }
        )
    }

    /// Low rumble that swells and fades as each car passes, every four to seven seconds.
    private mutating func cars() -> [Float] {
        var rumble = SyntheticSound.lowPassed(SyntheticSound.lowPassed(white(), hertz: 400), hertz: 1_200)
        var envelope = [Float](repeating: 0.15, count: count)
        var center = uniform(0.5...3)
        while center < Float(count) / 16_000 + 2 {
            let width = uniform(0.7...1.4)
            let reach = Int((center - 4 * width) * 16_000)..<Int((center + 4 * width) * 16_000)
            for index in reach.clamped(to: envelope.indices) {
                let distance = (Float(index) / 16_000 - center) / width
                envelope[index] += exp(-distance * distance)
            }
            center += uniform(4...7)
        }
        for index in rumble.indices { rumble[index] *= envelope[index] }
        return SyntheticSound.normalized(rumble)
    }

    /// Keys go down and up: two short bursts each, with some ring.
    private mutating func keyboard() -> [Float] {
        var samples = [Float](repeating: 0, count: count)
        var time: Float = 0.1
        while time < Float(count) / 16_000 {
            click(&samples, at: time, peak: uniform(0.5...1), hertz: uniform(1_500...4_000))
            click(&samples, at: time + uniform(0.06...0.11), peak: uniform(0.15...0.4), hertz: uniform(1_500...4_000))
            time += uniform(0...1) < 0.12 ? uniform(0.5...1.2) : uniform(0.12...0.26)
        }
        return samples
    }

    private mutating func click(_ samples: inout [Float], at time: Float, peak: Float, hertz: Float) {
        let start = Int(time * 16_000)
        for index in 0..<400 where start + index < samples.count {
            let age = Float(index) / 16_000
            let burst = exp(-age / 0.003) * uniform(-1...1) + 0.5 * exp(-age / 0.006) * sin(2 * .pi * hertz * age)
            samples[start + index] += peak * burst * 0.7
        }
    }

    /// Two to four knocks on wood, and a pause.
    private mutating func knocks() -> [Float] {
        var samples = [Float](repeating: 0, count: count)
        var time: Float = 0.3
        while time < Float(count) / 16_000 {
            let hertz = uniform(110...260)
            for _ in 0..<Int.random(in: 2...4, using: &generator) {
                let peak = uniform(0.5...1)
                let start = Int(time * 16_000)
                for index in 0..<3_200 where start + index < samples.count {
                    let age = Float(index) / 16_000
                    let body = exp(-age / 0.025) * sin(2 * .pi * hertz * age)
                    let plate = 0.5 * exp(-age / 0.012) * sin(2 * .pi * hertz * 2.76 * age)
                    samples[start + index] += peak * (body + plate + 0.4 * exp(-age / 0.002) * uniform(-1...1)) * 0.7
                }
                time += uniform(0.17...0.3)
            }
            time += uniform(0.6...1.8)
        }
        return samples
    }

    /// The beeps of a program: one or two notes, 80 to 300 ms each.
    private mutating func tones() -> [Float] {
        var samples = [Float](repeating: 0, count: count)
        var time: Float = 0.2
        while time < Float(count) / 16_000 {
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                let (hertz, length) = (uniform(420...1_900), uniform(0.08...0.3))
                for index in 0..<Int(length * 16_000) {
                    let place = Int(time * 16_000) + index
                    guard place < samples.count else { break }
                    let age = Float(index) / 16_000
                    let fade = min(1, age / 0.005, (length - age) / 0.02)
                    samples[place] += fade * (0.8 * sin(2 * .pi * hertz * age) + 0.1 * sin(4 * .pi * hertz * age))
                }
                time += length
            }
            time += uniform(0.3...1.2)
        }
        return samples
    }

    /// Chords of struck strings, a bass, and a drum on each second beat.
    private mutating func music() -> [Float] {
        var samples = [Float](repeating: 0, count: count)
        let beat: Float = 0.42
        let roots: [Float] = [220, 174.6, 130.8, 196]
        for number in 0..<Int(Float(count) / 16_000 / beat) {
            let root = roots[number / 4 % 4]
            let notes = [root / 2, root, root * 1.26, root * 1.5, root * [2, 2.25, 2.52, 3][number % 4]]
            for (place, note) in notes.enumerated() {
                string(&samples, at: Float(number) * beat, hertz: note, peak: place == 4 ? 0.3 : 0.18)
            }
            if number % 2 == 1 { click(&samples, at: Float(number) * beat, peak: 0.5, hertz: 2_000) }
        }
        return samples
    }

    private func string(_ samples: inout [Float], at time: Float, hertz: Float, peak: Float) {
        let start = Int(time * 16_000)
        let turns = 2 * Float.pi * hertz / 16_000
        for index in 0..<9_600 where start + index < samples.count {
            let phase = turns * Float(index)
            let wave = sin(phase) + 0.5 * sin(2 * phase) + 0.3 * sin(3 * phase) + 0.15 * sin(4 * phase)
            samples[start + index] += peak * exp(-Float(index) / 4_800) * wave
        }
    }

    /// A quiet room in which, half way through, a machine starts.
    private mutating func step() -> [Float] {
        let noise = SyntheticSound.normalized(white())
        return noise.indices.map { noise[$0] * ($0 < count / 2 ? 0.03 : 1) }
    }

    private static func lowPassed(_ samples: [Float], hertz: Float) -> [Float] {
        let pole = exp(-2 * Float.pi * hertz / 16_000)
        var state: Float = 0
        return samples.map { sample in
            state = pole * state + (1 - pole) * sample
            return state
        }
    }

    static func normalized(_ samples: [Float]) -> [Float] {
        let gain = 1 / max(rms(samples), 1e-9)
        return samples.map { $0 * gain }
    }

    static func rms(_ samples: [Float]) -> Float {
        var sum: Float = 0
        for sample in samples { sum += sample * sample }
        return samples.isEmpty ? 0 : (sum / Float(samples.count)).squareRoot()
    }
}
