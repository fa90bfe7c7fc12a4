// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffVoice

/// A recording with known words, in the middle of silence or noise.
struct NoisyRecording {
    let name: String
    let words: String
    /// 16-bit samples of the speech format.
    let frames: [UInt8]
    /// Where the recording lies in them.
    let spoken: ClosedRange<Duration>

    /// Puts a recording between stretches without speech.
    ///
    /// - Parameters:
    ///   - clip: The recording, and what is said in it.
    ///   - margin: How many seconds are before and behind it.
    ///   - noise: What lies over all of it, and by how many decibels it is quieter than the recording; `nil` for
    ///     silence.
    ///   - seed: Makes the noise.
    init(
        _ clip: (name: String, words: String, samples: [Float]),
        margin: Int,
        noise: (kind: SyntheticSound.Kind, ratio: Float)?,
        seed: UInt64
    ) {
        (name, words) = (clip.name, clip.words)
        let silence = [Float](repeating: 0, count: margin * 16_000)
        var samples = silence + clip.samples + silence
        if let noise {
            let gain = SyntheticSound.rms(clip.samples) * pow(10, -noise.ratio / 20)
            let sound = SyntheticSound.samples(noise.kind, count: samples.count, seed: seed)
            for index in samples.indices { samples[index] += gain * sound[index] }
        }
        frames = samples.flatMap { sample -> [UInt8] in
            let value = UInt16(bitPattern: Int16(max(-1, min(1, sample)) * 32_767))
            return [UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8)]
        }
        spoken = .seconds(margin)...(.seconds(margin) + .seconds(1) * clip.samples.count / 16_000)
    }

    /// The recordings of a folder by its table `transcripts.tsv`, digit strings apart; `nil` where there is none.
    static func clips(in folder: String) throws -> [(name: String, words: String, samples: [Float])]? {
        guard let table = FileManager.default.contents(atPath: folder + "/transcripts.tsv") else { return nil }
        let rows = String(decoding: table, as: UTF8.self).split(whereSeparator: \.isNewline).map {
            $0.split(separator: "\t", omittingEmptySubsequences: false).map { String($0) }
        }
        return try rows.filter { $0.count > 2 && $0[0].hasSuffix(".wav") && !$0[0].hasPrefix("digits") }.map { row in
            let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder + "/" + row[0])))
            return (row[0], row[2], try AudioClip(bytes, encoding: .wav).floats())
        }
    }
}
