// Riff
// SPDX-License-Identifier: Apache-2.0

/// The position that decides which of an agent's turns are still to be heard: none from before the beginning, none
/// twice, and of several only the last.
///
/// ```swift
/// var cursor = NarrationCursor(now: time)
/// // Moved before it is spoken: no crash says it again.
/// if let turn = cursor.next(of: tail.feed(bytes)) { speak(turn) }
/// ```
package struct NarrationCursor: Sendable, Hashable, Codable {
    /// The time of the last turn that was taken, in seconds since 1970.
    package private(set) var after: Double

    /// A cursor that begins at a time: what was said before is not narrated.
    package init(now: Double) { after = now }

    /// Takes the newest of these turns.
    ///
    /// - Returns: The turn to speak; `nil` where none is new.
    package mutating func next(of turns: [AgentTurn]) -> AgentTurn? {
        guard let newest = turns.max(by: { $0.time < $1.time }), newest.time > after else { return nil }
        after = newest.time
        return newest
    }

    /// Takes a turn that a server tells of.
    ///
    /// - Returns: Whether it is new.
    package mutating func take(_ time: Double) -> Bool {
        guard time.isFinite, time > after else { return false }
        after = time
        return true
    }
}
