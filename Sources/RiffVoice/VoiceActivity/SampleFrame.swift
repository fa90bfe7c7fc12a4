// Riff
// SPDX-License-Identifier: Apache-2.0

/// Joins samples that were cut anywhere into frames of one length, in one buffer.
struct SampleFrame: Sendable {
    private var samples: [Float]
    private var filled = 0

    init(count: Int) { samples = Array(repeating: 0, count: count) }

    /// Returns a sample as it can sound: one that is not finite is silence, and one far beyond full scale is cut, as
    /// its square would no longer be a number.
    static func sound(_ sample: Float) -> Float { sample.isFinite ? max(-8, min(8, sample)) : 0 }

    /// Gives each frame that these samples complete.
    mutating func fill(with new: [Float], _ body: (UnsafeBufferPointer<Float>) -> Void) {
        var taken = 0
        while taken < new.count {
            let count = min(samples.count - filled, new.count - taken)
            for index in 0..<count { samples[filled + index] = SampleFrame.sound(new[taken + index]) }
            taken += count
            filled += count
            if filled == samples.count {
                samples.withUnsafeBufferPointer(body)
                filled = 0
            }
        }
    }

    /// Gives the frame that was begun, completed with silence; nothing where none was.
    mutating func flush(_ body: (UnsafeBufferPointer<Float>) -> Void) {
        guard filled > 0 else { return }
        for index in filled..<samples.count { samples[index] = 0 }
        filled = 0
        samples.withUnsafeBufferPointer(body)
    }

    mutating func clear() { filled = 0 }
}
