// Riff
// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// Measures how some work grows with its input, by the time that it takes.
package enum Growth {
    /// Measures how many times as long some work takes for four times the input.
    ///
    /// - Parameters:
    ///   - size: The input's size; the work should take some milliseconds for it.
    ///   - enough: Measuring ends when the factor is below this.
    ///   - work: The work for an input of a size.
    /// - Returns: About 4 where the work is linear, and 16 where it is quadratic: the smallest of some measurements,
    ///   since other work of the machine only makes one longer.
    package static func factor(
        from size: Int,
        enough: Double,
        _ work: (_ size: Int) async throws -> Void
    ) async rethrows -> Double {
        var smallest = Double.infinity
        for _ in 0..<5 where smallest >= enough {
            let one = try await time { try await work(size) }
            let four = try await time { try await work(4 * size) }
            smallest = min(smallest, four / max(one, 1e-9))
        }
        return smallest
    }

    private static func time(_ work: () async throws -> Void) async rethrows -> Double {
        let clock = ContinuousClock()
        let start = clock.now
        try await work()
        return start.duration(to: clock.now) / .seconds(1)
    }

    /// The most that four times the input may cost: twice as much as linear work does. Quadratic work costs 16 times.
    package static let most = 8.0

    /// Measures work of one and of four sizes, with the middle one between.
    ///
    /// - Parameters:
    ///   - size: The smallest size.
    ///   - make: Makes the input of a size; not measured.
    ///   - work: Does the work, on this thread.
    /// - Returns: The cost of the largest input, in costs of the smallest; the least of three measurements, since
    ///   caches and pages differ.
    package static func processorFactor<Input>(
        from size: Int,
        _ make: (Int) throws -> Input,
        _ work: (Input) throws -> Void
    ) rethrows -> Double {
        let inputs = try [make(size), make(2 * size), make(4 * size)]
        var best = Double.infinity
        for _ in 0..<3 where best > most {
            let costs = try inputs.map { input in
                let start = processorSeconds()
                try work(input)
                return processorSeconds() - start
            }
            // A millisecond is the clock's, and no growth.
            best = min(best, costs[2] / max(costs[0], 0.001))
        }
        return best
    }

    /// The processor's time of this thread, which other programs do not lengthen, in seconds.
    static func processorSeconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
