// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore
public import RiffTransport

/// The sessions of a tmux server on a host, by commands over its link.
package struct TmuxSessionHost: SessionHosting {
    private let link: any SessionsLink
    private let configuration: SessionsConfiguration
    private let watcher: (any TmuxWatching)?
    private let clock: any Clock<Duration>

    package init(
        _ link: any SessionsLink,
        configuration: SessionsConfiguration,
        watcher: (any TmuxWatching)? = nil,
        clock: any Clock<Duration>
    ) {
        self.link = link
        self.configuration = configuration
        self.watcher = watcher
        self.clock = clock
    }

    package var name: String { link.name }

    package func sessions() async throws -> [LiveSession] {
        let report = try await run(configuration.server.listSessions(), dials: false)
        if report.failure == .noServer { return [] }
        return try SessionListing.parse(try output(of: report, "list its sessions"))
    }

    package func make(_ name: SessionName, _ spec: NewSessionSpec?, size: TerminalSize) async throws
        -> SessionCreationResult
    {
        let report = try await run(configuration.newSession(name, spec, size), dials: true)
        if report.failure == .duplicateSession { return .nameTaken }
        _ = try output(of: report, "make the session \(name)")
        return .made
    }

    package func end(_ name: SessionName) async throws {
        let report = try await run(configuration.server.kill(name), dials: true)
        if report.failure == .sessionNotFound || report.failure == .noServer { return }
        _ = try output(of: report, "end the session \(name)")
    }

    package func terminal(on name: SessionName, size: TerminalSize) throws -> TerminalSession {
        let first = name == .base ? configuration.baseSession() : configuration.server.attach(name)
        let tmux = TmuxAttachment(server: configuration.server, session: name, watcher: watcher)
        let viewer = configuration.viewer
        let lines = try TmuxEntryLines(first: first, on: tmux) { command in
            viewer.map { command.viewing(as: $0) } ?? command
        }
        // Many may be open of which few are typed into; the list tells which sessions they are.
        return TerminalSession(
            lines,
            name: name.rawValue,
            on: link,
            size: size,
            tmux: tmux,
            preparesInput: false,
            clock: clock
        )
    }

    package func tidy(after name: SessionName) async {
        guard let line = configuration.cleanup(name) else { return }
        // What is left behind does no harm, and nobody waits to hear of it.
        _ = try? await link.report(of: line, timeout: configuration.managementTimeout, dials: false, isInTurn: false)
    }

    package var connection: ConnectionState { link.current.connection }

    package func updates() -> AsyncStream<HostLinkState> { link.updates() }

    package func foreground() async { await link.foreground() }

    package func keep() async { await link.keep() }

    private func run(_ command: TmuxCommand, dials: Bool) async throws -> ManagementReport {
        let line = try command.line()
        let timeout = configuration.managementTimeout
        let report = try await link.report(of: line, timeout: timeout, dials: dials, isInTurn: true)
        // A cancelled command counts as late, and that is not what the host is to be blamed for.
        try Task.checkCancellation()
        switch report.outcome {
        case .timeout, .closedEmpty, .closedEarly:
            // "Not in time" helps nobody whose login shell never comes to run a command.
            if let problem = await link.loginShellProblem() { throw problem }
            try Task.checkCancellation()
        case .output, .outputTooLarge, .connect, .unsupportedShell: break
        }
        return report
    }

    private func output(of report: ManagementReport, _ task: String) throws -> [UInt8] {
        let host = link.name
        let (output, status) = try report.outcome.get(host: host)
        guard status != 0 else { return output }
        let exit = ExitStatus.exited(Int32(truncatingIfNeeded: status))
        if let error = exit.reasonNotToStart(output: report.diagnostics, host: host) { throw error }
        let words = InertText.line(String(report.diagnostics.prefix(200)))
        let message = "tmux on \(host) could not \(task)" + (words.isEmpty ? " (status \(status))." : ": \(words)")
        throw TransportError(.tmuxFailed, message, recovery: .retry)
    }
}

extension ManagementReport {
    /// The failure that tmux reported, if the command came to its end and failed.
    fileprivate var failure: TmuxFailure.Kind? {
        guard case .output(_, let status) = outcome, status != 0 else { return nil }
        return tmuxFailure?.kind
    }
}

extension TransportErrorCode {
    /// The host's tmux refused a command, in words of its own.
    public static let tmuxFailed = TransportError.Code(rawValue: "tmuxFailed")
}
