// Riff
// SPDX-License-Identifier: Apache-2.0

package import RiffCore

/// Changes the sample rate of one channel by a ratio of whole numbers: a linear-phase polyphase filter (a sinc under a
/// Kaiser window). Up to nine tenths of the lower rate's half nothing changes by more than 90 dB below it, from that
/// half on everything is 98 dB down.
///
/// The delay of the filter is taken out: the first sample given is at the time of the first one taken, and `n` samples
/// become `n * to / from` of them, rounded up. What is given does not depend on how the samples are cut, and no more is
/// held than the filter is long. A copy shares the table of the original.
package struct Resampler: Sendable {
    private let up: Int
    private let down: Int
    /// Taps on either side of the center, in input samples.
    private let half: Int
    /// `up` rows of `2 * half` taps.
    private let taps: [Float]
    /// Input still needed; its first sample is number `start` of the stream.
    private var history: [Float]
    private var start: Int
    private var taken = 0
    private var given = 0

    /// - Throws: ``CoreError`` with `audioUnsupported` for a ratio that would need a table of more than 4 MiB, or that
    ///   would make more than ``mostGrowth`` samples of one: a file's header may say any rate.
    package init(from input: Int, to output: Int) throws(CoreError) {
        let divisor = Resampler.greatestCommonDivisor(input, output)
        let (up, down) = (output / divisor, input / divisor)
        guard up / down <= Resampler.mostGrowth, let filter = ResamplerFilter.cached(up: up, down: down) else {
            let message = "Audio of \(input) Hz is not made into \(output) Hz; record at 8, 16, 24, 44.1 or 48 kHz."
            throw CoreError(.audioUnsupported, message)
        }
        self.up = up
        self.down = down
        half = filter.half
        taps = filter.taps
        history = [Float](repeating: 0, count: half)
        start = -half
    }

    /// The most samples that one becomes: 4 kHz as 192 kHz.
    package static let mostGrowth = 48

    /// Samples that wait for those after them; never more than the filter is long.
    package var held: Int { history.count }

    /// Takes samples and gives those that are now certain.
    package mutating func process(_ samples: [Float]) -> [Float] {
        history += samples
        taken += samples.count
        return produce(before: .max)
    }

    /// Gives the rest, as if silence followed.
    package mutating func finish() -> [Float] {
        history += [Float](repeating: 0, count: half)
        return produce(before: (taken * up + down - 1) / down)
    }

    private mutating func produce(before end: Int) -> [Float] {
        var output: [Float] = []
        let count = 2 * half
        output.reserveCapacity(max(0, history.count - count) * up / down + 1)
        history.withUnsafeBytes { history in
            taps.withUnsafeBytes { taps in
                let step = MemoryLayout<SIMD8<Float>>.size
                let bytes = MemoryLayout<Float>.size
                while given < end {
                    let first = given * down / up - half + 1 - start
                    guard (first + count) * bytes <= history.count else { break }
                    let row = given * down % up * count
                    var (sum, offset) = (SIMD8<Float>(), 0)
                    while offset < count * bytes {
                        let samples = history.loadUnaligned(
                            fromByteOffset: first * bytes + offset,
                            as: SIMD8<Float>.self
                        )
                        sum += samples * taps.loadUnaligned(fromByteOffset: row * bytes + offset, as: SIMD8<Float>.self)
                        offset += step
                    }
                    output.append(sum.sum())
                    given += 1
                }
            }
        }
        let spent = max(0, min(history.count, given * down / up - half + 1 - start))
        history.removeFirst(spent)
        start += spent
        return output
    }

    private static func greatestCommonDivisor(_ a: Int, _ b: Int) -> Int {
        b == 0 ? a : greatestCommonDivisor(b, a % b)
    }
}
