// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// The newest part of a turn's audio, by its place in the whole: 16-bit samples, of which old ones are dropped.
struct HeardAudio: Sendable {
    /// The number of samples that are kept before any speech: more than the longest time between a first sound and its
    /// detection.
    static let preRoll = 3 * 16_000

    private var bytes: [UInt8] = []
    private var base = 0

    /// The samples that are kept.
    var range: Range<Int> { base..<(base + bytes.count / 2) }

    mutating func append(_ frames: [UInt8]) { bytes += frames.prefix(frames.count / 2 * 2) }

    /// The bytes of these samples, as far as they are kept.
    subscript(samples: Range<Int>) -> [UInt8] {
        let kept = samples.clamped(to: range)
        return Array(bytes[(kept.lowerBound - base) * 2..<(kept.upperBound - base) * 2])
    }

    /// Forgets what lies before a sample, in steps that make the copying cheap.
    mutating func drop(before sample: Int) {
        let count = min(sample, range.upperBound) - base
        guard count >= 16_000 else { return }
        bytes.removeFirst(count * 2)
        base += count
    }

    /// The place in a stretch where it is quietest, for a cut that must be made.
    func quietest(in samples: Range<Int>) -> Int {
        let kept = samples.clamped(to: range)
        let bytes = self[kept]
        let values = (0..<kept.count).map { Float(bytes.littleEndian(Int16.self, at: $0 * 2)) / 32_768 }
        return kept.lowerBound + SpeechSplitter.quietest(in: values, from: 0, to: values.count, window: 320)
    }
}
