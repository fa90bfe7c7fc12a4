// Riff
// SPDX-License-Identifier: Apache-2.0

package import Testing

/// How the time and the output of a piece of work grow with its input.
package enum Growth {
    /// Runs a piece of work on inputs of one, two and four times a size, and expects that four times the input takes
    /// eight times the time at most (what is quadratic takes sixteen), and that no output is larger than its bound.
    ///
    /// - Throws: What the closures throw.
    package static func isLinear<Input>(
        from size: Int,
        bound: (Int) -> Int,
        _ prepare: (Int) throws -> Input,
        _ work: (Input) throws -> Int,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        var times: [Duration] = []
        for factor in [1, 2, 4] {
            let input = try prepare(size * factor)
            var best = Duration.seconds(600)
            // The best of three: other work of the machine only adds.
            for _ in 0..<3 {
                let begun = ContinuousClock.now
                let output = try work(input)
                best = min(best, begun.duration(to: .now))
                let most = bound(size * factor)
                #expect(output <= most, "\(output) of \(size * factor)", sourceLocation: sourceLocation)
            }
            times.append(best)
        }
        let most = max(times[0], .milliseconds(5)) * 8
        #expect(times[2] <= most, "\(times)", sourceLocation: sourceLocation)
    }
}
