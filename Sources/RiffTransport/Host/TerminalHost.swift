// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// A seam: a host whose terminals, commands and files are reached over any connection. Sessions, their reconnects and
/// safe input run on it.
///
/// ``SSHHost`` is one over SSH, ``LocalHostSession`` is this machine. A front end that opens its own connection
/// implements it: a terminal for a command line is ``makeTerminal(_:)``, the rest is ``HostSession``.
///
/// To the implementer: connect when something is asked for, unless the connection was ended on purpose. When it is
/// lost, say so in ``updates()``, end its terminals with the reason `lost`, and say `connected` once it is back: each
/// session then asks for a new terminal. A command line is for the account's login shell, which must see it as it is.
public protocol TerminalHost: HostSession {
    /// The account and the address, such as `me@box:22`, for messages and for the settings that are kept for one host.
    var name: String { get }

    /// The state of the connection.
    var current: HostLinkState { get }

    /// The state of the connection, then each change.
    func updates() -> AsyncStream<HostLinkState>

    /// Makes a terminal that runs a command line. Nothing is opened before its ``TerminalTransport/connect(size:)``.
    func makeTerminal(_ command: String) -> any TerminalTransport

    /// Finds out at once whether a silent connection is dead. Call it when the app comes to the foreground.
    func foreground() async
}

extension TerminalHost {
    /// Does nothing: for connections that cannot be silent.
    public func foreground() async {}
}
