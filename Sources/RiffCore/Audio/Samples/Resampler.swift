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

/// Changes the sample rate of one channel by a ratio of whole numbers: a linear-phase polyphase filter (a sinc under a
/// Kaiser window, about 80 dB down outside the band that both rates can carry).
///
/// The delay of the filter is taken out: the first sample given is at the time of the first one taken, and `n` samples
/// become `n * to / from` of them, rounded up.
struct Resampler: Sendable {
    private let up: Int
    private let down: Int
    /// Taps on either side of the centre, in input samples.
    private let half: Int
    /// `up` rows of `2 * half` taps.
    private let taps: [Float]
    /// Input still needed; its first sample is number `start` of the stream.
    private var history: [Float]
    private var start: Int
    private var taken = 0
    private var given = 0

    /// - Throws: ``CoreError`` with `audioUnsupported` for a ratio that would need a table of more than 1,024 rows.
    init(from input: Int, to output: Int) throws(CoreError) {
        let divisor = Resampler.greatestCommonDivisor(input, output)
        up = output / divisor
        down = input / divisor
        guard up <= 1_024, down <= 64 * up else {
            let message = "Audio of \(input) Hz is not made into \(output) Hz; record at 8, 16, 24, 44.1 or 48 kHz."
            throw CoreError(.audioUnsupported, message)
        }
        // Below 1 when going down: the filter then cuts at the output's half rate and grows longer in proportion.
        let scale = min(1, Double(up) / Double(down))
        let halfWidth = 32 / scale
        half = Int(halfWidth.rounded(.up))
        let cutoff = 0.5 * scale * 0.92
        var taps: [Float] = []
        taps.reserveCapacity(up * 2 * half)
        for phase in 0..<up {
            var row: [Double] = []
            for tap in 0..<(2 * half) {
                let distance = Double(tap - half + 1) - Double(phase) / Double(up)
                row.append(Resampler.tap(at: distance, cutoff: cutoff, halfWidth: halfWidth))
            }
            // Each row sums to 1, so that a constant stays exactly what it was.
            let sum = row.reduce(0, +)
            for value in row { taps.append(Float(value / sum)) }
        }
        self.taps = taps
        history = [Float](repeating: 0, count: half)
        start = -half
    }

    /// Takes samples and gives those that are now certain.
    mutating func process(_ samples: [Float]) -> [Float] {
        history += samples
        taken += samples.count
        return produce(before: .max)
    }

    /// Gives the rest, as if silence followed.
    mutating func finish() -> [Float] {
        history += [Float](repeating: 0, count: half)
        return produce(before: (taken * up + down - 1) / down)
    }

    private mutating func produce(before end: Int) -> [Float] {
        var output: [Float] = []
        let count = 2 * half
        history.withUnsafeBufferPointer { history in
            taps.withUnsafeBufferPointer { taps in
                while given < end {
                    let first = given * down / up - half + 1 - start
                    guard first + count <= history.count else { break }
                    let row = given * down % up * count
                    var sum: Float = 0
                    for tap in 0..<count { sum += history[first + tap] * taps[row + tap] }
                    output.append(sum)
                    given += 1
                }
            }
        }
        let spent = max(0, min(history.count, given * down / up - half + 1 - start))
        history.removeFirst(spent)
        start += spent
        return output
    }

    private static func tap(at distance: Double, cutoff: Double, halfWidth: Double) -> Double {
        guard abs(distance) < halfWidth else { return 0 }
        let angle = 2 * Double.pi * cutoff * distance
        let sinc = distance == 0 ? 2 * cutoff : sin(angle) / (Double.pi * distance)
        let position = distance / halfWidth
        let beta = 8.0
        return sinc * bessel(beta * (1 - position * position).squareRoot()) / bessel(beta)
    }

    /// The modified Bessel function of the first kind, order 0, by its power series.
    private static func bessel(_ x: Double) -> Double {
        var sum = 1.0
        var term = 1.0
        var k = 1.0
        while term > sum * 1e-12 {
            term *= x / (2 * k) * (x / (2 * k))
            sum += term
            k += 1
        }
        return sum
    }

    private static func greatestCommonDivisor(_ a: Int, _ b: Int) -> Int {
        b == 0 ? a : greatestCommonDivisor(b, a % b)
    }
}
