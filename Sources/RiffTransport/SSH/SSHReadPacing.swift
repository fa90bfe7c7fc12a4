// Riff
// SPDX-License-Identifier: Apache-2.0

/// When to let a socket fill up before it is read again.
///
/// A terminal's output comes in packets of a few hundred bytes. To be woken up for each of them costs a phone's
/// battery, and on a small host the time in which it could write the next one. So when small pieces follow each other
/// closely and nothing was asked for in between, the next look is put off a little: nobody sees a millisecond in a
/// flood.
package struct SSHReadPacing: Sendable {
    /// The time that a look is put off.
    package static let pause = Duration.milliseconds(1)
    /// The most that lies between two pieces of a flood, in nanoseconds.
    private static let longestGap: UInt64 = 2_000_000
    /// Reads of this size, in bytes, are worth being woken up for.
    private static let worthwhile = 48 * 1024
    /// The number of pieces that make a flood.
    private static let floodCount = 4

    private var lastRead: UInt64 = 0
    private var count = 0

    package init() {}

    /// Whether the next read is to be put off.
    package var isFlooded: Bool { count >= Self.floodCount }

    /// Bytes were read.
    ///
    /// - Parameters:
    ///   - bytes: How many.
    ///   - now: When, in nanoseconds of a clock that does not go back.
    package mutating func didRead(_ bytes: Int, at now: UInt64) {
        count = now - lastRead <= Self.longestGap && bytes < Self.worthwhile ? count + 1 : 0
        lastRead = now
    }

    /// Bytes were sent, and may be answered.
    package mutating func didSend() { count = 0 }
}
