// Riff
// SPDX-License-Identifier: Apache-2.0

/// The distance that a person has scrolled back, by the ticks that were sent: up adds, down subtracts, never below 0.
///
/// It is a guess. tmux enters copy mode with the first tick up, scrolls five lines with each further one, and leaves
/// the mode at the end of the history; output that streams meanwhile moves that end. So more than 0 is reason enough to
/// leave the mode first, and 0 proves nothing.
package struct ScrollDepth: Sendable, Hashable {
    /// The ticks, 0 or more.
    package private(set) var ticks = 0

    /// At the end.
    package init() {}

    /// Whether the person is thought to look at older output.
    package var isScrolledBack: Bool { ticks > 0 }

    /// The wheel was turned; positive is up.
    package mutating func scroll(_ ticks: Int) {
        let (sum, isTooMuch) = self.ticks.addingReportingOverflow(ticks)
        self.ticks = isTooMuch ? .max : max(0, sum)
    }

    /// The mode was left.
    package mutating func reset() { ticks = 0 }
}
