// Riff
// SPDX-License-Identifier: Apache-2.0

/// Whether to show that something is going on: only once it has lasted a while, so that short waits do not flicker.
///
/// It has no clock: its owner tells it the time, and sleeps until the deadline that ``begin(at:)`` returns.
public struct BusySignal<Instant: InstantProtocol>: Sendable where Instant.Duration == Duration {
    /// The time that work must last before it is shown.
    public let delay: Duration
    /// Whether to show it.
    public private(set) var isBusy = false
    /// The time at which ``tick(at:)`` is due while work that is not shown yet is under way.
    public private(set) var deadline: Instant?

    /// A signal at rest; it shows after 0.3 seconds unless said otherwise.
    public init(delay: Duration = .milliseconds(300)) { self.delay = delay }

    /// Something began. While it goes on already, nothing changes.
    ///
    /// - Parameter now: The time.
    /// - Returns: When ``tick(at:)`` is due; `nil` where it shows already.
    @discardableResult
    public mutating func begin(at now: Instant) -> Instant? {
        if !isBusy, deadline == nil { deadline = now.advanced(by: delay) }
        return deadline
    }

    /// Time has passed; too early is no harm.
    public mutating func tick(at now: Instant) {
        guard let deadline, deadline <= now else { return }
        isBusy = true
        self.deadline = nil
    }

    /// It ended: nothing shows any more.
    public mutating func end() {
        isBusy = false
        deadline = nil
    }
}
