// Riff
// SPDX-License-Identifier: Apache-2.0

package import RiffCore
package import RiffTransport

/// The parts of a host that ``SessionManager`` needs: its tmux server, terminals on it, and its connection.
///
/// To the implementer: calls return soon after their task is cancelled, and throw a ``RiffError`` or
/// `CancellationError`. They are made one at a time, but for ``tidy(after:)``.
package protocol SessionHosting: Sendable {
    /// The account and the address, such as `me@box:22`: what a person's settings keep of one host is under it.
    var name: String { get }

    /// Lists the sessions; an absent server has none. Throws where that cannot be known, and does not bring up a
    /// connection that nobody wants.
    func sessions() async throws -> [LiveSession]

    /// Makes a session without a client, and never attaches to an existing one.
    func make(_ name: SessionName, _ spec: NewSessionSpec?, size: TerminalSize) async throws -> SessionCreationResult

    /// Ends a session and what runs in it; one that is gone already is no error.
    func end(_ name: SessionName) async throws

    /// A terminal on a session, not opened yet.
    func terminal(on name: SessionName, size: TerminalSize) throws -> TerminalSession

    /// Clears up after a session that was ended, as far as it goes; returns by its own deadline.
    func tidy(after name: SessionName) async

    /// The state of the connection.
    var connection: ConnectionState { get }

    /// Returns the state of the connection, then each change.
    func updates() -> AsyncStream<HostLinkState>

    /// The app came to the foreground: a dead connection is found out at once.
    func foreground() async

    /// The connection is wanted from now on: a first one that fails is tried again, visibly, as a lost one is.
    func keep() async
}

extension SessionHosting {
    package func keep() async {}
}

/// The result of making a session.
package enum SessionCreationResult: Sendable, Hashable {
    /// It is there, and new.
    case made
    /// There is a session of this name, made by another client.
    case nameTaken
}
