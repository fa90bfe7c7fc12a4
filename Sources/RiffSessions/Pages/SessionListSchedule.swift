// Riff
// SPDX-License-Identifier: Apache-2.0

/// When a server is asked for its sessions: up to three times for the first list, then once for all who want it while
/// it is being asked. Each answer is a wait after which to ask.
struct SessionListSchedule: Sendable, Hashable {
    enum Phase: Sendable, Hashable {
        /// The schedule has not begun.
        case new
        /// The base page comes first.
        case openingBase
        /// The first list is asked for.
        case enumerating(attempt: Int)
        /// The first list was taken, or given up.
        case running
    }

    private(set) var phase = Phase.new
    private(set) var isUnderWay = false
    private var isWantedAgain = false

    mutating func start() { phase = .openingBase }

    /// Asks for the first list.
    mutating func begin() -> Duration {
        phase = .enumerating(attempt: 0)
        return SessionsMachine.enumerationDelays[0]
    }

    /// Returns the time after which to ask for a list that is newer than this moment; `nil` if one is going to be asked
    /// for.
    mutating func want(after delay: Duration = .zero) -> Duration? {
        switch phase {
        case .new, .openingBase:
            return nil
        case .running where !isUnderWay:
            isUnderWay = true
            return delay
        case .enumerating, .running:
            isWantedAgain = true
            return nil
        }
    }

    /// A list came.
    mutating func answered() -> Duration? {
        phase = .running
        isUnderWay = false
        guard isWantedAgain else { return nil }
        isWantedAgain = false
        return want()
    }

    /// No list came.
    mutating func failed() -> Duration? {
        guard case .enumerating(let attempt) = phase, attempt + 1 < SessionsMachine.enumerationDelays.count else {
            return answered()
        }
        phase = .enumerating(attempt: attempt + 1)
        return SessionsMachine.enumerationDelays[attempt + 1]
    }
}
