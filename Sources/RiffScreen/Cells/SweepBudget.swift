// Riff
// SPDX-License-Identifier: Apache-2.0

/// When a full table is worth a look at all cells for what none of them shows any more.
///
/// A program can fill a table with what is on show, and then ask for more with a few bytes each: looked through each
/// time, a megabyte of that would take minutes. So the table took, or turned away, a quarter of what it holds since
/// the last look.
struct SweepBudget {
    private var count = 0

    /// Says that the table took one more.
    mutating func took() { count += 1 }

    /// Says that there was no room for one.
    ///
    /// - Parameter held: How many the table holds.
    /// - Returns: Whether it is time to look.
    mutating func turnedAway(of held: Int) -> Bool {
        count += 1
        guard count >= held / 4 else { return false }
        count = 0
        return true
    }
}
