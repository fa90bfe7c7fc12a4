// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore
internal import RiffTransport

/// A host over SSH, whose connection has few channels and is shared.
struct SSHSessionsLink: SessionsLink {
    let link: HostLink

    var name: String { "\(link.configuration.user)@\(link.configuration.address)" }
    var current: HostLinkState { link.current }
    func updates() -> AsyncStream<HostLinkState> { link.updates() }
    func foreground() async { await link.foreground() }
    func keep() async { await link.keep() }

    var errands: any TmuxErrands { HostErrands(link: link) }
    var watching: any TmuxWatchLink { HostWatchLink(link: link) }

    func terminals(_ command: @escaping @Sendable (TerminalEntry) -> String) -> any TerminalLink {
        SSHTerminalLink(command: command, link: link)
    }

    func loginShellProblem() async -> CoreError? { await link.loginShellProblem() }

    func report(of line: String, timeout: Duration, dials: Bool, isInTurn: Bool) async throws -> ManagementReport {
        guard isInTurn else { return await link.report(of: line, timeout: timeout, dials: dials) }
        return try await link.errandTurns.take { await link.report(of: line, timeout: timeout, dials: dials) }
    }
}
