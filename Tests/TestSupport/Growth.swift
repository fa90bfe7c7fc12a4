// Riff
// SPDX-License-Identifier: Apache-2.0

/// Measures how the time of some work grows with its input.
package enum Growth {
    /// Measures how many times as long some work takes for four times the input.
    ///
    /// - Parameters:
    ///   - size: The input's size; the work should take some milliseconds for it.
    ///   - enough: Measuring ends when the factor is below this.
    ///   - work: The work for an input of a size.
    /// - Returns: About 4 where the work is linear, and 16 where it is quadratic: the smallest of some measurements, since
    ///   other work of the machine only makes one longer.
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
}
