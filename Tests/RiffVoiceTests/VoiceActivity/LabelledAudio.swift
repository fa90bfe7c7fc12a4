// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffTesting
import RiffVoice
import TestSupport
import VoiceTestSupport

/// Audio of which is known, for each 10 ms, whether somebody speaks: recorded speech put at known places, with a sound
/// made from a seed over it.
struct LabelledAudio {
    let name: String
    let samples: [Float]
    /// One for each 10 ms.
    let isSpeech: [Bool]

    /// A recording as samples.
    static func samples(of clip: String) throws -> [Float] { try Speech.file(clip).floats() }

    /// The recordings and where in them somebody speaks.
    struct Recordings {
        struct Clip {
            let samples: [Float]
            let isSpeech: [Bool]
        }

        let clips: [Clip]

        init() throws {
            let table = try String(
                contentsOf: URL(fileURLWithPath: Fixture.path("voice-activity/speech.tsv")),
                encoding: .utf8
            )
            clips = try table.split(separator: "\n").map { line in
                let fields = line.split(separator: "\t")
                let samples = try LabelledAudio.samples(of: String(fields[0]))
                var isSpeech = [Bool](repeating: false, count: samples.count / 160)
                for field in fields.dropFirst() {
                    let ends = field.split(separator: " ").compactMap { Int($0) }
                    for index in ends[0]..<ends[1] { isSpeech[index] = true }
                }
                // At one loudness while somebody speaks, whole frames only.
                let spoken = (0..<isSpeech.count * 160).filter { isSpeech[$0 / 160] }.map { samples[$0] }
                let gain = 1 / SyntheticSound.rms(spoken)
                return Clip(samples: samples.prefix(isSpeech.count * 160).map { $0 * gain }, isSpeech: isSpeech)
            }
        }
    }

    /// Recordings in random order with pauses of half a second to two, at an RMS of 1 while somebody speaks.
    private static func speech(_ recordings: Recordings, seconds: Int, seed: UInt64) -> ([Float], [Bool]) {
        var generator = SeededGenerator(seed: seed)
        var (samples, isSpeech): ([Float], [Bool]) = ([], [])
        func pause() {
            let frames = Int.random(in: 50...200, using: &generator)
            samples += Array(repeating: 0, count: frames * 160)
            isSpeech += Array(repeating: false, count: frames)
        }
        pause()
        var order = recordings.clips.indices.shuffled(using: &generator)
        while let next = order.popLast(), isSpeech.count + recordings.clips[next].isSpeech.count < seconds * 100 {
            samples += recordings.clips[next].samples
            isSpeech += recordings.clips[next].isSpeech
            pause()
        }
        return (samples, isSpeech)
    }

    /// Speech at a level over room tone, or over a sound that is quieter by a ratio.
    static func spoken(
        _ recordings: Recordings,
        decibels: Float,
        over kind: SyntheticSound.Kind,
        ratio: Float,
        seed: UInt64
    ) -> LabelledAudio {
        let (speech, isSpeech) = speech(recordings, seconds: 24, seed: seed)
        let noise = SyntheticSound.samples(kind, count: speech.count, seed: seed + 1)
        let gain = pow(10, decibels / 20)
        // Beside the sound while somebody speaks: a car may pass in a pause or over a word.
        let meant = speech.indices.filter { isSpeech[$0 / 160] }.map { noise[$0] }
        let noiseGain = gain * pow(10, -ratio / 20) / SyntheticSound.rms(meant)
        let samples = speech.indices.map { max(-1, min(1, speech[$0] * gain + noise[$0] * noiseGain)) }
        return LabelledAudio(name: "\(kind.rawValue) \(Int(ratio)) dB", samples: samples, isSpeech: isSpeech)
    }

    /// A sound in which nobody speaks.
    static func unspoken(_ kind: SyntheticSound.Kind, decibels: Float, seed: UInt64) -> LabelledAudio {
        let count = 20 * 16_000
        let gain = pow(10, decibels / 20)
        let sound = SyntheticSound.samples(kind, count: count, seed: seed)
        let room = SyntheticSound.samples(.roomTone, count: count, seed: seed + 1)
        let quiet: Float = kind == .silence ? 0 : 0.0005
        let samples = sound.indices.map { max(-1, min(1, sound[$0] * gain + room[$0] * quiet)) }
        return LabelledAudio(
            name: kind.rawValue,
            samples: samples,
            isSpeech: Array(repeating: false, count: count / 160)
        )
    }

    /// The whole set, by condition.
    static func set(_ recordings: Recordings, seed: UInt64) -> [(condition: String, audio: [LabelledAudio])] {
        func mixed(_ kinds: [SyntheticSound.Kind], ratio: Float, seed: UInt64) -> [LabelledAudio] {
            kinds.enumerated().map { index, kind in
                spoken(recordings, decibels: -26, over: kind, ratio: ratio, seed: seed + UInt64(index) * 10)
            }
        }
        let noises: [SyntheticSound.Kind] = [.white, .pink, .fan, .cars]
        let unspoken: [(SyntheticSound.Kind, Float)] = [
            (.silence, 0), (.roomTone, -60), (.hiss, -32), (.keyboard, -12), (.knocks, -10), (.tones, -14),
            (.music, -10), (.step, -35),
        ]
        return [
            (
                "clean",
                [
                    spoken(recordings, decibels: -26, over: .roomTone, ratio: 45, seed: seed),
                    spoken(recordings, decibels: -42, over: .roomTone, ratio: 40, seed: seed + 10),
                ]
            ),
            ("20 dB", mixed(noises, ratio: 20, seed: seed + 100)),
            ("10 dB", mixed(noises, ratio: 10, seed: seed + 200)),
            ("5 dB", mixed(noises, ratio: 5, seed: seed + 300)),
            ("0 dB", mixed(noises, ratio: 0, seed: seed + 400)),
            ("keys, music under", mixed([.keyboard, .music], ratio: 10, seed: seed + 500)),
            (
                "no speech",
                unspoken.enumerated().map { index, kind in
                    self.unspoken(kind.0, decibels: kind.1, seed: seed + 600 + UInt64(index) * 10)
                }
            ),
        ]
    }
}
