// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffSessions
import RiffTesting
import RiffTransport
import Synchronization

/// A host whose tmux server is a list in memory, and that fails and waits on demand.
final class ScriptedSessionHost: SessionHosting {
    enum Call: Hashable, Sendable {
        case list
        case make(SessionName)
        case end(SessionName)
        case terminal(SessionName)
        case tidy(SessionName)
        case foreground
    }

    private struct State {
        var server: [LiveSession] = []
        var nextID = 0
        var calls: [Call] = []
        var watchers: [(isEnough: ([Call]) -> Bool, signal: EventualValue<Void>)] = []
        /// The next lists that fail.
        var failingLists = 0
        /// The next commands that fail.
        var failingCommands = 0
        /// Names that somebody else takes between the list and the making.
        var racers: Set<SessionName> = []
        var gate: EventualValue<Void>?
        var terminalGate: EventualValue<Void>?
    }

    private let state = Mutex(State())
    private let links = StateSource(HostLinkState(connection: .idle))
    let terminals = Mutex<[SessionName: [ScriptedLink]]>([:])

    let name: String

    init(_ names: String = "", name: String = "me@box:22") throws {
        self.name = name
        for name in names.split(separator: " ") { start(try SessionName(String(name))) }
    }

    // MARK: What a test does and sees

    var calls: [Call] { state.withLock { $0.calls } }
    var names: [String] { state.withLock { $0.server.map(\.name.rawValue) } }
    var sessionList: [LiveSession] { state.withLock { $0.server } }
    func count(of call: Call) -> Int { calls.count { $0 == call } }

    func start(_ name: SessionName) {
        state.withLock { state in
            let id = "$\(state.nextID)"
            state.nextID += 1
            state.server.append(LiveSession(name: name, id: id, created: 1, clients: 0, windows: 1))
        }
    }

    /// Somebody else ends it; its terminals end as well.
    func kill(_ name: SessionName) {
        state.withLock { $0.server.removeAll { $0.name == name } }
        for link in terminals.withLock({ $0[name] ?? [] }) { link.program?.exit(.exited(0)) }
    }

    func failLists(_ count: Int) { state.withLock { $0.failingLists = count } }
    func failCommands(_ count: Int) { state.withLock { $0.failingCommands = count } }
    func race(for names: [SessionName]) { state.withLock { $0.racers = Set(names) } }
    func connect(_ connection: ConnectionState) { links.update(HostLinkState(connection: connection)) }

    /// Every command waits until the gate is opened, or it is cancelled.
    func shut() -> EventualValue<Void> {
        let gate = EventualValue<Void>()
        state.withLock { $0.gate = gate }
        return gate
    }

    /// Every terminal waits until the gate is opened before it is connected.
    func shutTerminals() -> EventualValue<Void> {
        let gate = EventualValue<Void>()
        state.withLock { $0.terminalGate = gate }
        return gate
    }

    /// Suspends until the calls so far are enough.
    func waitUntil(_ isEnough: @escaping @Sendable ([Call]) -> Bool) async throws {
        let signal = EventualValue<Void>()
        state.withLock { state in
            if isEnough(state.calls) { signal.resolve(()) } else { state.watchers.append((isEnough, signal)) }
        }
        try await signal.cancellableValue()
    }

    /// The newest terminal of a session.
    func terminal(_ name: SessionName) -> ScriptedLink? { terminals.withLock { $0[name]?.last } }

    // MARK: SessionHosting

    func sessions() async throws -> [LiveSession] {
        note(.list)
        try await pass()
        let isFailing = state.withLock { state in
            defer { state.failingLists = max(0, state.failingLists - 1) }
            return state.failingLists > 0
        }
        if isFailing { throw TransportError(.timeout, "The script lets this list fail.") }
        return sessionList
    }

    func make(_ name: SessionName, _ spec: NewSessionSpec?, size: TerminalSize) async throws -> SessionCreationResult {
        note(.make(name))
        try await passCommand()
        if state.withLock({ $0.racers.remove(name) }) != nil { start(name) }
        guard !sessionList.contains(where: { $0.name == name }) else { return .nameTaken }
        start(name)
        return .made
    }

    func end(_ name: SessionName) async throws {
        note(.end(name))
        try await passCommand()
        kill(name)
    }

    func terminal(on name: SessionName, size: TerminalSize) throws -> TerminalSession {
        note(.terminal(name))
        if name == .base, !sessionList.contains(where: { $0.name == name }) { start(name) }
        let gate = state.withLock { $0.terminalGate }
        let link = ScriptedLink(isThere: sessionList.contains { $0.name == name }, gate: gate)
        terminals.withLock { $0[name, default: []].append(link) }
        return TerminalSession(name: name.rawValue, link: link, size: size, clock: ManualClock(advancesItself: true))
    }

    func tidy(after name: SessionName) async {
        note(.tidy(name))
        // It returns when it is cancelled, and not before.
        try? await EventualValue<Void>().cancellableValue()
    }

    var connection: ConnectionState { links.current.connection }
    func updates() -> AsyncStream<HostLinkState> { links.updates() }
    func foreground() async { note(.foreground) }

    private func note(_ call: Call) {
        let ready = state.withLock { state in
            state.calls.append(call)
            let ready = state.watchers.filter { $0.isEnough(state.calls) }
            state.watchers.removeAll { $0.isEnough(state.calls) }
            return ready
        }
        for watcher in ready { watcher.signal.resolve(()) }
    }

    private func pass() async throws {
        if let gate = state.withLock({ $0.gate }) { try await gate.cancellableValue() }
        try Task.checkCancellation()
    }

    private func passCommand() async throws {
        try await pass()
        let isFailing = state.withLock { state in
            defer { state.failingCommands = max(0, state.failingCommands - 1) }
            return state.failingCommands > 0
        }
        if isFailing { throw TransportError(.timeout, "The script lets this command fail.") }
    }
}

/// A page's way to its session: terminals in memory.
final class ScriptedLink: TerminalLink {
    let output = BytePipe()
    private let isThere: Bool
    private let gate: EventualValue<Void>?
    private let newest = Mutex<InMemoryTerminal?>(nil)

    init(isThere: Bool, gate: EventualValue<Void>?) {
        self.isThere = isThere
        self.gate = gate
    }

    /// The program on the newest terminal.
    var program: InMemoryTerminal.Program? { newest.withLock { $0?.program } }

    func makeTransport(_ entry: TerminalEntry) -> any TerminalTransport {
        let terminal = InMemoryTerminal { [isThere, gate] program in
            try await gate?.cancellableValue()
            // As tmux does when it is told to attach to what is not there.
            if !isThere { program.exit(.exited(1)) }
        }
        newest.withLock { $0 = terminal }
        return terminal
    }

    func waitUntilConnected() async throws {
        throw TransportError(.closed, "The script does not reconnect.")
    }

    func waitAfterFailure(_ clock: any Clock<Duration>) async throws {}
}

extension SessionManager {
    /// Waits for a snapshot.
    @discardableResult
    nonisolated func wait(for isMeant: (SessionsSnapshot) -> Bool) async throws -> SessionsSnapshot {
        for await snapshot in updates() where isMeant(snapshot) { return snapshot }
        try Task.checkCancellation()
        throw TransportError(.closed, "The manager ended with \(Self.text(current)).")
    }

    /// Waits until the pages are these, each attached; the one in brackets is the active one.
    @discardableResult
    nonisolated func wait(for pages: String) async throws -> SessionsSnapshot {
        do { return try await wait { Self.text($0) == pages } } catch is CancellationError {
            let last = "\(Self.text(current)), \((current.problem as (any Error)?).map { "\($0)" } ?? "no problem")"
            throw TransportError(.timeout, "The pages did not become \(pages); they are \(last).")
        }
    }

    /// The pages, the active one in brackets, those whose terminal does not take keys with a mark.
    nonisolated static func text(_ snapshot: SessionsSnapshot) -> String {
        snapshot.pages.enumerated().map { index, page in
            let name = index == snapshot.activeIndex ? "[\(page.name)]" : "\(page.name)"
            return switch page.state {
            case .open: name
            case .ended: name + "!"
            case .opening, .reconnecting: name + "?"
            case nil: name + "-"
            }
        }.joined(separator: " ")
    }
}
