// Riff
// SPDX-License-Identifier: Apache-2.0

/// The state that a tmux server reports at one moment: its sessions, and which of them are not at their program's
/// prompt.
///
/// A watcher publishes one after the other. Only a ``Status/live`` state may be acted on; with the others the server
/// has to be asked by a command of its own.
public struct TmuxServerState: Sendable, Hashable {
    /// Whether what the state holds can be relied on.
    public enum Status: Sendable, Hashable {
        /// The watcher has not heard from the server yet, or lost it and is coming back.
        case starting
        /// The server told this state, and will tell the next change at once.
        case live
        /// The server cannot be watched; the text says why (for example, tmux before 3.2).
        case unavailable(String)
    }

    /// Whether what follows can be relied on.
    public var status: Status
    /// The sessions, in the server's order; clients that only watch are not counted in them.
    public var sessions: [LiveSession]
    /// The mode of each session whose active pane is in one: `copy-mode`, `tree-mode`, `clock-mode`, ... A session that
    /// is not listed takes keys as usual.
    public var modes: [SessionName: String]

    /// The number of times tmux reported that a client went to another session, by this watcher's count.
    package var clientMoves = 0

    /// A state; without arguments, that of a watcher that has heard nothing.
    package init(status: Status = .starting, sessions: [LiveSession] = [], modes: [SessionName: String] = [:]) {
        self.status = status
        self.sessions = sessions
        self.modes = modes
    }

    /// Whether the state can be relied on.
    public var isLive: Bool { status == .live }
}
