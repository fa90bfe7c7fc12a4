// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore
public import RiffSessions
internal import RiffTransport
internal import Synchronization

// sample:
/// Sessions without a host, for previews and tests of a front end: a ``SessionManager`` whose pages are terminals in
/// memory.
///
/// ```swift
/// let sessions = try ScriptedSessions(["riff", "riff-2"]) { name in "\(name) $ " }
/// let manager = sessions.manager(size: TerminalSize(columns: 80, rows: 24))
/// await manager.start()
/// ```
///
/// Everything that a manager does is done: sessions are made and ended, and names are taken. The connection is lost and
/// comes back when the test says so. What is typed arrives at ``program(of:)``.
public final class ScriptedSessions: Sendable {
    private struct State {
        var sessions: [LiveSession] = []
        var nextID = 0
        var terminals: [SessionName: InMemoryTerminal] = [:]
    }

    private let state = Mutex(State())
    private let links = StateSource(HostLinkState(connection: .connected))
    private let screen: @Sendable (SessionName) -> String

    /// Creates sessions that others have made before the front end comes.
    ///
    /// - Parameters:
    ///   - names: The names of the sessions; the base session `riff` is made by the manager if it is not among them.
    ///   - screen: The text that a session's terminal draws each time that it is opened.
    /// - Throws: ``CoreError`` with `invalidSessionName`.
    public init(_ names: [String] = [], screen: @escaping @Sendable (SessionName) -> String = { _ in "" }) throws {
        self.screen = screen
        for name in names { add(try SessionName(name)) }
    }

    /// Creates a manager of these sessions; nothing happens before its `start()`.
    ///
    /// - Parameters:
    ///   - size: The size of each terminal.
    ///   - settings: A person's settings.
    ///   - clock: The clock that measures its waits.
    /// - Returns: A manager that has not started.
    public func manager(
        size: TerminalSize = TerminalSize(columns: 80, rows: 24),
        settings: RiffSettings? = nil,
        clock: any Clock<Duration> = ContinuousClock()
    ) -> SessionManager {
        let host = ScriptedSessionsHost(script: self, clock: clock)
        return SessionManager(host, size: size, settings: settings, clock: clock)
    }

    /// The names of the sessions that there are.
    public var names: [SessionName] { state.withLock { $0.sessions.map(\.name) } }

    /// The program on a session's newest terminal: its input is what was typed. `nil` if it was never opened.
    public func program(of name: SessionName) -> InMemoryTerminal.Program? {
        state.withLock { $0.terminals[name]?.program }
    }

    /// Makes a session, as another front end would. The manager finds it at its next look.
    public func add(_ name: SessionName) {
        state.withLock { state in
            guard !state.sessions.contains(where: { $0.name == name }) else { return }
            let id = "$\(state.nextID)"
            state.nextID += 1
            state.sessions.append(LiveSession(name: name, id: id, created: 1, clients: 0, windows: 1))
        }
    }

    /// Ends a session and what runs in it.
    public func end(_ name: SessionName) {
        let terminal = state.withLock { state in
            state.sessions.removeAll { $0.name == name }
            return state.terminals[name]
        }
        terminal?.program.exit(.exited(0))
    }

    /// Loses the connection: every terminal is lost, and waits until ``reconnect()``.
    public func disconnect() {
        links.update(HostLinkState(connection: .reconnecting(attempt: 1, delay: nil)))
        let error = TransportError(.connectionLost, "The script lost the connection.")
        for terminal in state.withLock({ Array($0.terminals.values) }) {
            terminal.program.end(TerminalClosure(.lost, error: error))
        }
    }

    /// Brings the connection back; every terminal comes back to its session.
    public func reconnect() { links.update(HostLinkState(connection: .connected)) }

    fileprivate var connection: StateSource<HostLinkState> { links }
    fileprivate var listing: [LiveSession] { state.withLock(\.sessions) }

    fileprivate func makeTerminal(_ name: SessionName) -> any TerminalTransport {
        let terminal = InMemoryTerminal { [self] program in
            guard names.contains(name) else { return program.exit(.exited(1)) }
            try await program.send(Array(screen(name).utf8))
        }
        state.withLock { $0.terminals[name] = terminal }
        return terminal
    }
}

/// The host of scripted sessions.
private struct ScriptedSessionsHost: SessionHosting {
    let script: ScriptedSessions
    let clock: any Clock<Duration>
    let name = "scripted"

    func sessions() async throws -> [LiveSession] { script.listing }

    func make(_ name: SessionName, _ spec: NewSessionSpec?, size: TerminalSize) async throws -> SessionCreationResult {
        guard !script.names.contains(name) else { return .nameTaken }
        script.add(name)
        return .made
    }

    func end(_ name: SessionName) async throws { script.end(name) }

    func terminal(on name: SessionName, size: TerminalSize) throws -> TerminalSession {
        if name == .base { script.add(name) }
        let link = PlainTerminalLink(hostName: self.name, states: updates) { [script] _ in script.makeTerminal(name) }
        return TerminalSession(name: name.rawValue, link: link, size: size, clock: clock)
    }

    func tidy(after name: SessionName) async {}
    var connection: ConnectionState { script.connection.current.connection }
    func updates() -> AsyncStream<HostLinkState> { script.connection.updates() }
    func foreground() async {}
}
