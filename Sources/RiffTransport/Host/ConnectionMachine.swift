// Riff
// SPDX-License-Identifier: Apache-2.0

package import RiffCore

/// The rules of a host's connection: when it is dialed, waited for, probed and closed. Events in, effects out; it does
/// nothing itself and knows no time.
///
/// The owner performs the effects in order and reports each ``Effect/dial`` with one of the two dial events, but not of
/// a dial that it was told to close meanwhile.
package struct ConnectionMachine: Sendable, Hashable {
    /// An event on the connection.
    package enum Event: Sendable, Hashable {
        /// The connection is wanted: by a person who taps, or by the first session.
        case wanted
        /// The connection is wanted for as long as it takes: also a first dial that fails is tried again by the
        /// schedule.
        case kept
        /// The connection is not wanted any more: a deliberate end, after which nothing reconnects.
        case unwanted
        /// The dial made a connection.
        case dialSucceeded
        /// The dial failed. A failure that another try cannot mend (a changed host key, a refused key, an unusable
        /// shell) is not retryable.
        case dialFailed(isRetryable: Bool)
        /// The connection ended, and not on our side's wish.
        case lost
        /// The timer of the last ``Effect/startTimer(_:)`` ran out.
        case timerFired
        /// The app came to the foreground.
        case foregrounded
        /// The network changed.
        case pathChanged
        /// The app goes to sleep: the connection is closed, and wanted again afterwards.
        case suspended
    }

    /// An effect for the caller to carry out.
    package enum Effect: Sendable, Hashable {
        /// Make a connection.
        case dial
        /// Report ``Event/timerFired`` after this time.
        case startTimer(Duration)
        /// The timer is no longer wanted.
        case cancelTimer
        /// Find out at once whether the connection still answers; report ``Event/lost`` if not.
        case probe
        /// Close the connection, or give up the dial.
        case close
    }

    /// The state of the connection.
    package private(set) var state = ConnectionState.idle
    private let policy: ReconnectPolicy
    /// Dials of a connection that was never there; 0 once it was, and then it is always worth another.
    private var firstDials = 0
    /// Whether failed first dials are followed by others.
    private var isKept = false
    /// Whether nothing was ever connected, and the first dial has failed as often as the policy allows: callers that
    /// wait get the error, also if the schedule continues.
    package private(set) var hasFailedAtFirst = false
    /// Whether another dial may mend the failure that ended the attempts.
    private var canRetry = false

    /// Creates a connection that was not asked for yet.
    package init(policy: ReconnectPolicy = .standard) { self.policy = policy }

    /// Takes an event.
    ///
    /// - Parameter event: What happened; one that does not fit the state changes nothing.
    /// - Returns: What to do, in order.
    package mutating func handle(_ event: Event) -> [Effect] {
        switch event {
        case .wanted: want()
        case .kept: keep()
        case .unwanted: leave()
        case .suspended: suspend()
        case .dialSucceeded: dialSucceeded()
        case .dialFailed(let isRetryable): dialFailed(isRetryable: isRetryable)
        case .lost: lost()
        case .timerFired: timerFired()
        case .foregrounded: wake(resumes: true)
        case .pathChanged: wake(resumes: false)
        }
    }

    private mutating func want() -> [Effect] {
        switch state {
        case .idle, .disconnected:
            state = .connecting
            firstDials = 1
            hasFailedAtFirst = false
            return [.dial]
        case .reconnecting(_, .some):
            return dialNow()
        case .connecting, .connected, .reconnecting(_, nil):
            return []
        }
    }

    /// Keeps the connection wanted: a dial that has failed already is tried again as if it failed now.
    private mutating func keep() -> [Effect] {
        isKept = true
        guard state == .disconnected(.failed), canRetry else { return [] }
        hasFailedAtFirst = true
        return wait(beforeAttempt: 1)
    }

    private mutating func leave() -> [Effect] {
        isKept = false
        return end(.deliberate)
    }

    private mutating func end(_ reason: ConnectionEnd) -> [Effect] {
        defer { state = .disconnected(reason) }
        switch state {
        case .idle, .disconnected: return []
        case .connecting, .connected, .reconnecting(_, nil): return [.close]
        case .reconnecting(_, .some): return [.cancelTimer]
        }
    }

    /// Only what was wanted comes back: an end that came before stays what it was.
    private mutating func suspend() -> [Effect] {
        switch state {
        case .idle, .disconnected: []
        case .connecting, .connected, .reconnecting: end(.suspended)
        }
    }

    private mutating func dialSucceeded() -> [Effect] {
        switch state {
        case .connecting, .reconnecting(_, nil):
            state = .connected
            firstDials = 0
            hasFailedAtFirst = false
            return []
        case .idle, .disconnected, .reconnecting(_, .some):
            // A dial that was given up came through all the same.
            return [.close]
        case .connected:
            return []
        }
    }

    private mutating func dialFailed(isRetryable: Bool) -> [Effect] {
        switch state {
        case .connecting:
            return dialFailed(isRetryable: isRetryable, next: 1)
        case .reconnecting(let attempt, nil):
            return dialFailed(isRetryable: isRetryable, next: attempt + 1)
        case .idle, .connected, .disconnected, .reconnecting(_, .some):
            return []
        }
    }

    private mutating func dialFailed(isRetryable: Bool, next attempt: Int) -> [Effect] {
        guard isRetryable else { return fail(canRetry: false) }
        if firstDials > 0 {
            if firstDials < policy.firstDialAttempts {
                firstDials += 1
            } else if isKept {
                hasFailedAtFirst = true
            } else {
                return fail(canRetry: true)
            }
        }
        return wait(beforeAttempt: attempt)
    }

    private mutating func lost() -> [Effect] {
        guard state == .connected else { return [] }
        return wait(beforeAttempt: 1)
    }

    private mutating func timerFired() -> [Effect] {
        guard case .reconnecting(let attempt, .some) = state else { return [] }
        state = .reconnecting(attempt: attempt, delay: nil)
        return [.dial]
    }

    private mutating func wake(resumes: Bool) -> [Effect] {
        switch state {
        case .connected: return [.probe]
        case .reconnecting(_, .some): return dialNow()
        case .disconnected(.suspended): return resumes ? resume() : []
        case .reconnecting(_, nil):
            state = .reconnecting(attempt: 1, delay: nil)
            return []
        // The network may be there now, or the host.
        case .disconnected(.failed): return canRetry ? want() : []
        case .idle, .connecting, .disconnected: return []
        }
    }

    /// A connection that was there before the app slept comes back like a lost one: on waking, the network is often
    /// not ready yet.
    private mutating func resume() -> [Effect] {
        guard firstDials == 0 else { return want() }
        state = .reconnecting(attempt: 1, delay: nil)
        return [.dial]
    }

    /// Not waiting any longer, and from the schedule's beginning.
    private mutating func dialNow() -> [Effect] {
        state = .reconnecting(attempt: 1, delay: nil)
        return [.cancelTimer, .dial]
    }

    private mutating func wait(beforeAttempt attempt: Int) -> [Effect] {
        let delay = policy.delay(beforeAttempt: attempt)
        state = .reconnecting(attempt: attempt, delay: delay)
        return [.startTimer(delay)]
    }

    private mutating func fail(canRetry: Bool) -> [Effect] {
        state = .disconnected(.failed)
        self.canRetry = canRetry
        return []
    }
}
