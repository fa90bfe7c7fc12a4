// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore
internal import RiffTransport

/// A host over a connection of which nothing is known but the seam.
struct PlainSessionsLink: SessionsLink {
    let host: any TerminalHost
    private let turns = WriteTurns()

    init(host: any TerminalHost) { self.host = host }

    var name: String { host.name }
    var current: HostLinkState { host.current }
    func updates() -> AsyncStream<HostLinkState> { host.updates() }
    func foreground() async { await host.foreground() }
    /// The host's own connection is its own to bring up.
    func keep() async {}

    var errands: any TmuxErrands { PlainErrands(link: self) }
    var watching: any TmuxWatchLink { PlainWatchLink(host: host) }

    func terminals(_ command: @escaping @Sendable (TerminalEntry) -> String) -> any TerminalLink {
        PlainTerminalLink(hostName: host.name, states: { [host] in host.updates() }) { [host] entry in
            host.makeTerminal(command(entry))
        }
    }

    func report(of line: String, timeout: Duration, dials: Bool, isInTurn: Bool) async throws -> ManagementReport {
        guard dials || host.current.connection.mayComeBack else {
            let message = "\(host.name) was not asked: there is no connection to it."
            return ManagementReport(outcome: .connect(TransportError(.notConnected, message)), diagnostics: "")
        }
        guard isInTurn else { return await host.report(of: line, timeout: timeout) }
        return try await turns.take { await host.report(of: line, timeout: timeout) }
    }

    func loginShellProblem() async -> CoreError? {
        guard host.current.connection == .connected else { return nil }
        // The account's name is known to nobody here, and is in the advice for an account without a shell alone.
        return await LoginShellDiagnosis.problem(on: host.name, user: "USER", clock: ContinuousClock()) { [host] line in
            try await host.openChannel(line)
        }
    }

    fileprivate func report(of line: String, input: [UInt8], isWanted: (@Sendable () -> Bool)?) async throws
        -> ManagementReport
    {
        try await turns.take {
            guard isWanted?() != false, host.current.connection.mayComeBack else {
                let message = "\(host.name) was not asked: the connection that it was meant for is lost."
                return ManagementReport(outcome: .connect(TransportError(.notConnected, message)), diagnostics: "")
            }
            return await host.report(of: line, input: input, timeout: HostErrands.limit(for: input))
        }
    }
}

extension ConnectionState {
    /// Whether there is a connection, or one comes without being asked for.
    fileprivate var mayComeBack: Bool {
        switch self {
        case .idle, .disconnected: false
        case .connecting, .connected, .reconnecting: true
        }
    }
}

/// Short commands on any host.
private struct PlainErrands: TmuxErrands {
    let link: PlainSessionsLink

    func run(_ line: String, input: [UInt8], onlyWhile isWanted: (@Sendable () -> Bool)?) async -> ManagementReport {
        do { return try await link.report(of: line, input: input, isWanted: isWanted) } catch {
            return ManagementReport(outcome: .timeout(partial: []), diagnostics: "")
        }
    }

    func loginShellProblem() async -> CoreError? { await link.loginShellProblem() }

    func runLater(_ line: String) async {
        // It has its own deadline. Nobody waits for it, and what is left undone does no harm.
        Task { _ = try? await link.report(of: line, input: [], isWanted: nil) }
    }
}

/// The way of a client that watches tmux, on any host.
private struct PlainWatchLink: TmuxWatchLink {
    let host: any TerminalHost

    func follow(_ tell: @Sendable (_ isUp: Bool) async -> Void) async {
        for await isUp in HostWatchLink.rested(host.updates()) { await tell(isUp) }
    }

    func openChannel(_ line: String) async throws -> any ByteChannel {
        guard host.current.connection == .connected else {
            throw TransportError(.notConnected, "There is no connection to \(host.name).", recovery: .retry)
        }
        return try await host.openChannel(line)
    }
}
