// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffScreen
import RiffSessions
import RiffTransport

/// Step 4: a session in which an agent runs, with the terminal that shows it.
@MainActor
final class Desk {
    static let size = TerminalSize(columns: 80, rows: 24)

    let host: SSHHost
    let agent: Agent
    let name: SessionName
    let panePID: String
    private(set) var session: TerminalSession
    private(set) var screen: Screen
    private let tmux: TmuxServer

    /// Opens the session `riff` with the first agent that shows a prompt.
    static func open(_ site: Site, _ host: SSHHost, _ timings: inout Timings) async throws -> (Desk, String) {
        var desk: Desk?
        if let claude = try await Agent.claude(home: site.home) {
            do {
                desk = try await start(claude, site, host, &timings)
            } catch let error as Failure {
                Console.note("claude is on the PATH, but: \(error) The sample agent stands in.")
                _ = try await ask(["kill-session", "-t", SessionName.base.target], on: host, site.tmux)
            }
        }
        let opened: Desk
        if let desk { opened = desk } else { opened = try await start(try .sample(), site, host, &timings) }
        let (name, agent) = (opened.name, opened.agent.name)
        let fact = "session \(name) runs \(agent) in tmux, pane process \(opened.panePID); its prompt is shown"
        return (opened, fact)
    }

    private static func start(
        _ agent: Agent,
        _ site: Site,
        _ host: SSHHost,
        _ timings: inout Timings
    ) async throws -> Desk {
        let name = SessionName.base
        let (parts, time) = try await measured {
            try await openSession(name, agent, on: host, site.tmux)
        }
        timings.attach = time
        let pid = try await paneProcess(of: name, on: host, site.tmux)
        let desk = Desk(host, agent, name, site.tmux, pid, parts.0, parts.1)
        site.atEnd { await desk.session.close() }
        return desk
    }

    /// Opens a session and waits for the agent's prompt on its terminal.
    static func openSession(
        _ name: SessionName,
        _ agent: Agent,
        on host: SSHHost,
        _ tmux: TmuxServer
    ) async throws -> (TerminalSession, Screen) {
        let spec = NewSessionSpec(harness: agent.harness)
        let session = try await host.session(name.rawValue, size: size, server: tmux, spec: spec)
        let screen = Screen(session)
        do {
            try await screen.wait(for: "the prompt of \(agent.name)") { agent.isReady(screen.text) }
        } catch {
            Console.note("The terminal of \(name) shows: \(screen.text.suffix(2000))")
            await session.close()
            throw error
        }
        return (session, screen)
    }

    private init(
        _ host: SSHHost,
        _ agent: Agent,
        _ name: SessionName,
        _ tmux: TmuxServer,
        _ panePID: String,
        _ session: TerminalSession,
        _ screen: Screen
    ) {
        self.host = host
        self.agent = agent
        self.name = name
        self.tmux = tmux
        self.panePID = panePID
        self.session = session
        self.screen = screen
    }

    /// Opens the session anew, after its end.
    func reopen() async throws {
        (session, screen) = try await Desk.openSession(name, agent, on: host, tmux)
    }

    // MARK: Looking

    /// What stands on the screen, as the host's tmux has it.
    func contents() async throws -> String {
        try await Desk.ask(["capture-pane", "-p", "-J", "-t", name.paneTarget], on: host, tmux)
    }

    /// The process that runs in the session.
    func currentPanePID() async throws -> String { try await Desk.paneProcess(of: name, on: host, tmux) }

    /// The same as a picture, an SVG, up to the last line with something on it.
    func picture() async throws -> String {
        let rows = try await Desk.ask(["capture-pane", "-e", "-p", "-t", name.paneTarget], on: host, tmux)
        var screen = RiffScreen.Screen(size: Desk.size)
        screen.feed(
            "\u{1B}[?7l"
                + rows.split(separator: "\n", omittingEmptySubsequences: false).prefix(Desk.size.rows).joined(
                    separator: "\r\n"
                )
        )
        let last = screen.visibleLines.last { !screen.text(ofLine: $0).isEmpty } ?? screen.visibleLines.lowerBound
        return screen.picture(of: screen.visibleLines.lowerBound..<last + 1)
            .svg(title: "A session over SSH and tmux, with \(agent.name)")
    }

    /// Waits until the agent's answer to a line stands on the screen.
    func waitForAnswer(to line: String, within limit: Duration = .seconds(60)) async throws {
        do {
            try await screen.wait(for: "the answer of \(agent.name)", within: limit) { [self, screen] in
                // First the terminal: what is only on the host has not reached the person.
                guard Words(line).areWithin(Words(screen.text)) else { return false }
                return agent.hasAnswered(line, try await contents())
            }
        } catch let error as Failure {
            Console.note("The screen shows: \(try await contents())")
            throw error
        }
    }

    private static func paneProcess(of name: SessionName, on host: SSHHost, _ tmux: TmuxServer) async throws -> String {
        let text = try await ask(["display-message", "-p", "-t", name.paneTarget, "#{pane_pid}"], on: host, tmux)
        let pid = text.filter { !$0.isWhitespace }
        try check(Int(pid) != nil, "tmux told no process of \(name): \(text)")
        return pid
    }

    /// Runs one tmux command on the host, beside the terminal.
    static func ask(_ words: [ShellWord], on host: SSHHost, _ tmux: TmuxServer) async throws -> String {
        let line = try TmuxCommand(tmux.socket, words).loginCommand().line
        let result = try await host.run(line, input: [], outputLimit: 1 << 20, timeout: .seconds(15))
        guard result.exit?.isSuccess == true else { throw Failure("tmux failed: \(result.diagnosticText)") }
        return result.text
    }
}
