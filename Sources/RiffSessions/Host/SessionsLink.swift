// Riff
// SPDX-License-Identifier: Apache-2.0

package import RiffCore
package import RiffTransport

/// A host as sessions use it: terminals that come back, short commands beside them, and a channel that watches tmux.
package protocol SessionsLink: Sendable {
    /// The account and the address.
    var name: String { get }
    /// The state of the connection.
    var current: HostLinkState { get }
    /// The state of the connection, then each change.
    func updates() -> AsyncStream<HostLinkState>
    /// Finds out at once whether a silent connection is dead.
    func foreground() async
    /// The connection is wanted from now on: a first one that fails is tried again by the schedule.
    func keep() async

    /// Why the account's login shell does not run what it is given, where the host can tell; see
    /// ``TmuxErrands/loginShellProblem()``.
    func loginShellProblem() async -> CoreError?

    /// Short commands for one terminal.
    var errands: any TmuxErrands { get }
    /// The way of a client that watches tmux.
    var watching: any TmuxWatchLink { get }
    /// The transports of one session, each of which runs a command line.
    func terminals(_ command: @escaping @Sendable (TerminalEntry) -> String) -> any TerminalLink

    /// Runs a line of `sh`.
    ///
    /// - Parameters:
    ///   - line: The line.
    ///   - timeout: The most time that it may take, the dial included.
    ///   - dials: Whether a connection that was ended is made again for it.
    ///   - isInTurn: Whether it runs after the other short commands, one at a time.
    /// - Returns: The report.
    /// - Throws: `CancellationError`.
    func report(of line: String, timeout: Duration, dials: Bool, isInTurn: Bool) async throws -> ManagementReport
}

extension SessionsLink {
    /// Runs a line of `sh` in its turn, and connects for it.
    package func report(of line: String) async throws -> ManagementReport {
        try await report(of: line, timeout: ManagementTiming.defaultTimeout, dials: true, isInTurn: true)
    }
}

/// The link of a host. Over SSH it knows the server's limits and shares its channels; any other connection is used as
/// it is.
package func sessionsLink(of host: any TerminalHost) -> any SessionsLink {
    if let host = host as? SSHHost { return SSHSessionsLink(link: host.link) }
    return PlainSessionsLink(host: host)
}
