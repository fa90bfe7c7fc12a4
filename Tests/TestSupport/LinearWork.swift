// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
package import Testing

/// How work grows with what it is done on.
package enum LinearWork {
    /// Expects that four times as much takes about four times the work, not sixteen times.
    ///
    /// It is the processor's time of this thread alone that counts, so that what else runs does not; ten times as much
    /// and a third of a second pass, and of three attempts one has to.
    ///
    /// - Parameters:
    ///   - size: The size of the small one: large enough that sixteen times its work would be far more than a second.
    ///   - name: Which work it is.
    ///   - body: Does work of a size.
    package static func expect(
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

    /// The seconds of processor time that this thread takes for something.
    private static func seconds(_ body: () throws -> Void) rethrows -> Double {
        let start = now
        try body()
        return now - start
    }

    private static var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
