// Riff
// SPDX-License-Identifier: Apache-2.0

package import Testing

extension Growth {
    /// Expects that four times as much takes about four times the work, not sixteen times.
    ///
    /// It is the processor's time of this thread alone that counts, so that what else runs does not; ten times as much
    /// and a third of a second pass, and of three attempts one has to.
    ///
    /// - Parameters:
    ///   - size: The size of the small one: large enough that sixteen times its work would be far more than a second.
    ///   - name: Which work it is.
    ///   - sourceLocation: Where a failure is shown.
    ///   - body: Does work of a size.
    package static func expectLinear(
        _ size: Int,
        _ name: String,
        sourceLocation: SourceLocation = #_sourceLocation,
        _ body: (Int) throws -> Void
    ) rethrows {
        var seen: [(small: Double, large: Double)] = []
        for _ in 0..<3 {
            let small = try seconds { try body(size) }
            let large = try seconds { try body(4 * size) }
            if large < 10 * small + 0.3 { return }
            seen.append((small, large))
        }
        Issue.record("\(name): \(seen)", sourceLocation: sourceLocation)
    }

    private static func seconds(_ body: () throws -> Void) rethrows -> Double {
        let start = processorSeconds()
        try body()
        return processorSeconds() - start
    }

    /// Runs a piece of work on inputs of one, two and four times a size, and expects that four times the input takes
    /// eight times the time at most (what is quadratic takes sixteen), and that no output is larger than its bound.
    ///
    /// - Throws: What the closures throw.
    package static func expectLinear<Input>(
        from size: Int,
        bound: (Int) -> Int,
        _ prepare: (Int) throws -> Input,
        _ work: (Input) throws -> Int,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        var times: [Double] = []
        for factor in [1, 2, 4] {
            let input = try prepare(size * factor)
            var best = Double.infinity
            // The best of three: caches and pages differ.
            for _ in 0..<3 {
                let start = processorSeconds()
                let output = try work(input)
                best = min(best, processorSeconds() - start)
                let most = bound(size * factor)
                #expect(output <= most, "\(output) of \(size * factor)", sourceLocation: sourceLocation)
            }
            times.append(best)
        }
        let most = max(times[0], 0.005) * 8
        #expect(times[2] <= most, "\(times)", sourceLocation: sourceLocation)
    }
}
