// Riff
// SPDX-License-Identifier: Apache-2.0

/// At most so many events in any stretch of time of one length. A pure value: the time is told to it.
package struct SlidingWindow: Sendable, Hashable {
    private let limit: Int
    private let length: Duration
    /// When the events in the window happened, the oldest first; never more than ``limit``.
    private var events: [Duration] = []

    /// A window without events.
    ///
    /// - Parameters:
    ///   - limit: How many events are taken; at least one.
    ///   - length: The stretch of time.
    package init(limit: Int, length: Duration) {
        self.limit = max(1, limit)
        self.length = length
    }

    /// Takes an event, unless the window is full; one that is refused does not count.
    ///
    /// - Parameter now: The time, on any clock that does not go back.
    /// - Returns: Whether it was taken.
    package mutating func take(at now: Duration) -> Bool {
        forget(before: now)
        guard events.count < limit else { return false }
        events.append(now)
        return true
    }

    /// Puts an event in whether there is room or not; the oldest makes room.
    package mutating func note(at now: Duration) {
        forget(before: now)
        if events.count == limit { events.removeFirst() }
        events.append(now)
    }

    /// Returns the time until there is room for one more; zero if there is room now.
    package func delay(at now: Duration) -> Duration {
        guard events.count == limit, let first = events.first else { return .zero }
        return max(.zero, first + length - now)
    }

    /// Whether nothing that happened counts any more.
    package func isEmpty(at now: Duration) -> Bool { events.last.map { now - $0 >= length } ?? true }

    private mutating func forget(before now: Duration) { events.removeAll { now - $0 >= length } }
}
