// Riff
// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// The filter of a ``Resampler`` for one ratio of sample rates.
struct ResamplerFilter: Sendable {
    /// Taps on either side of the center, in input samples.
    let half: Int
    /// One row of `2 * half` taps for each of the `up` phases.
    let taps: [Float]

    /// The filters used last. Each recording that is read needs one, and computing it takes longer than using it on a
    /// second of sound.
    private static let recent = Mutex<[(up: Int, down: Int, filter: ResamplerFilter)]>([])

    /// Returns the filter for a reduced ratio, or `nil` if its table would be larger than 4 MiB.
    static func cached(up: Int, down: Int) -> ResamplerFilter? {
        if let known = recent.withLock({ $0.first { $0.up == up && $0.down == down } }) { return known.filter }
        guard let filter = ResamplerFilter(up: up, down: down) else { return nil }
        // Four ratios, and none of a table as large as only an odd rate has: at most 1 MiB is kept.
        guard filter.taps.count <= 1 << 16 else { return filter }
        recent.withLock { recent in
            if recent.count == 4 { recent.removeFirst() }
            recent.append((up, down, filter))
        }
        return filter
    }

    private init?(up: Int, down: Int) {
        // Below 1 when going down: the filter then cuts at the output's half rate and grows longer in proportion.
        let scale = min(1, Double(up) / Double(down))
        let halfWidth = 64 / scale
        // Rows of whole vectors of eight; the taps beyond the window are 0.
        let half = Int((halfWidth / 4).rounded(.up)) * 4
        guard half <= (1 << 19) / up else { return nil }
        // A window of this shape falls within a twentieth of the band at this length: it ends where the band does.
        let cutoff = 0.5 * scale * 0.95
        // One side of the filter, in steps of an input sample divided by `up`; the other side is its mirror.
        let side = (0...(half * up)).map {
            ResamplerFilter.tap(at: Double($0) / Double(up), cutoff: cutoff, halfWidth: halfWidth)
        }
        var taps: [Float] = []
        taps.reserveCapacity(up * 2 * half)
        for phase in 0..<up {
            let row = (0..<(2 * half)).map { side[abs(($0 - half + 1) * up - phase)] }
            // Each row sums to 1, so that a constant stays what it was.
            let sum = row.reduce(0, +)
            for value in row { taps.append(Float(value / sum)) }
        }
        self.half = half
        self.taps = taps
    }

    private static func tap(at distance: Double, cutoff: Double, halfWidth: Double) -> Double {
        guard abs(distance) < halfWidth else { return 0 }
        let angle = 2 * Double.pi * cutoff * distance
        let sinc = distance == 0 ? 2 * cutoff : sin(angle) / (Double.pi * distance)
        let position = distance / halfWidth
        let beta = 10.0
        return sinc * bessel(beta * (1 - position * position).squareRoot())
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
}
