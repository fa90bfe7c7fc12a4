// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffTransport

/// The state of a terminal session, for a front end to show.
public enum TerminalSessionState: Sendable {
    /// It is being opened for the first time.
    case opening
    /// It takes keys.
    case open
    /// The connection was lost; the same session is opened again as soon as there is one.
    case reconnecting
    /// It is over: the program ended, it was closed, or it could not be opened again.
    case ended(TerminalClosure)

    /// Whether keys are taken now.
    public var isOpen: Bool { if case .open = self { true } else { false } }
}
