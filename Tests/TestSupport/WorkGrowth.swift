// Riff
// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// The growth of work with its input: the processor's time of this thread, which other programs do not lengthen.
package enum WorkGrowth {
    /// The most that four times the input may cost: twice as much as linear work does. Quadratic work costs 16 times.
    package static let most = 8.0

    /// Measures work of one and of four sizes, with the middle one between.
    ///
    /// - Parameters:
    ///   - size: The smallest size.
    ///   - make: Makes the input of a size; not measured.
    ///   - work: Does the work, on this thread.
    /// - Returns: The cost of the largest input, in costs of the smallest; the least of three measurements, since caches
    ///   and pages differ.
    package static func factor<Input>(
        from size: Int,
        _ make: (Int) throws -> Input,
        _ work: (Input) throws -> Void
    ) rethrows -> Double {
        let inputs = try [make(size), make(2 * size), make(4 * size)]
        var best = Double.infinity
        for _ in 0..<3 where best > most {
            let costs = try inputs.map { input in
                let start = now()
                try work(input)
                return now() - start
            }
            // A millisecond is the clock's, and no growth.
            best = min(best, costs[2] / max(costs[0], 0.001))
        }
        return best
    }

    private static func now() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
