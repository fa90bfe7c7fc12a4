// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore
internal import RiffTransport
internal import Synchronization

/// One connection of a ``TerminalSession``: what is asked of it goes out on it, or nowhere.
struct TerminalConnection: Sendable {
    /// Which of the session's connections it is, counted from 1.
    let number: Int
    /// The transport that takes its keys.
    let transport: any TerminalTransport
    /// The way that the connection ended, once it has.
    let ending = EventualValue<TerminalClosure>()
}

/// The one truth about a terminal session's connection: its state, and where keys go, change together.
///
/// Whoever first finds out that a connection is over says so here, so that no caller is refused while the state still
/// says that keys are taken.
final class TerminalConnections: Sendable {
    private let source = StateSource(TerminalSessionState.opening)
    /// The connection that takes keys: there is one exactly while the state is `open`.
    private let connection = Mutex<TerminalConnection?>(nil)

    /// The state now.
    var state: TerminalSessionState { source.current }

    /// The state now, then each change.
    func states() -> AsyncStream<TerminalSessionState> { source.updates() }

    /// The connection that takes keys, if one does.
    var current: TerminalConnection? { connection.withLock(\.self) }

    /// Whether a connection is still the one that takes keys.
    func isCurrent(_ other: TerminalConnection) -> Bool { connection.withLock { $0?.number == other.number } }

    /// A connection takes keys from now on, unless the session is over.
    func opened(_ new: TerminalConnection) {
        source.update { state in
            if case .ended = state { return nil }
            connection.withLock { $0 = new }
            return .open
        }
    }

    /// A connection takes no more keys, and another one may come. News of one that was replaced changes nothing.
    func lost(_ old: TerminalConnection) {
        source.update { _ in
            connection.withLock { connection in
                guard connection?.number == old.number else { return nil }
                connection = nil
                return .reconnecting
            }
        }
    }

    /// The session is over; only the first end counts.
    func end(_ closure: TerminalClosure) {
        source.update { state in
            if case .ended = state { return nil }
            connection.withLock { $0 = nil }
            return .ended(closure)
        }
        source.finish()
    }
}
