// Riff
// SPDX-License-Identifier: Apache-2.0

/// The answers of a muted person: empty sounds; and their number. A value.
///
/// A hub answers an empty sound by listening again at once. Without the wait, the two would go round a thousand times a
/// second.
package struct HubSilence: Sendable, Hashable {
    /// The least time between two empty sounds: the hub's own step.
    package static let pause = Duration.seconds(5)

    private var last: Duration?
    private var isAsked = false

    /// Nothing asked, nothing sent.
    package init() {}

    /// When ``next(at:)`` is due; `nil` where nothing is asked.
    package var deadline: Duration? {
        guard isAsked else { return nil }
        return last.map { $0 + Self.pause } ?? .zero
    }

    /// The hub listens.
    package mutating func asked() { isAsked = true }

    /// The hub does not listen any more, or was answered otherwise.
    package mutating func withdraw() { isAsked = false }

    /// Whether to send an empty sound now: at most one each time that the hub listens.
    package mutating func next(at now: Duration) -> Bool {
        guard let deadline, deadline <= now else { return false }
        (isAsked, last) = (false, now)
        return true
    }
}
