// Riff
// SPDX-License-Identifier: Apache-2.0

/// The time since it was made, by any clock: for those who must compare times and are given a clock whose own instants
/// they do not know.
package struct Stopwatch: Sendable {
    /// A point in time.
    package struct Instant: InstantProtocol {
        /// The time since the stopwatch was made.
        package let offset: Duration

        package func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        package func duration(to other: Instant) -> Duration { other.offset - offset }
        package static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private let read: @Sendable () -> Duration

    package init(_ clock: any Clock<Duration>) { read = Self.reader(clock) }

    /// The time now.
    package var now: Instant { Instant(offset: read()) }

    private static func reader<C: Clock<Duration>>(_ clock: C) -> @Sendable () -> Duration {
        let start = clock.now
        return { start.duration(to: clock.now) }
    }
}
