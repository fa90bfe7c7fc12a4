// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore
public import RiffTransport

// sample: laptop: SSHHost, server: SSHHost, show: (AgentListing) -> Void
/// All agents of several hosts in one list: those in tmux, those that a desktop program started, and those without a
/// terminal.
///
/// ```swift
/// let board = AgentBoard()
/// await board.add("laptop", laptop)
/// await board.add("server", server)
/// await board.start()
/// for await snapshot in board.updates() { snapshot.agents.forEach(show) }
/// ```
///
/// It never dials: while a host's link does not stand, its agents are what they were, and not fresh. It keeps one
/// channel to each host, on which a shell script answers one look after another: every 2 seconds while an agent works,
/// every 20 while none does. Nothing is installed or written there.
///
/// A look sees tmux, processes, Claude Code's state files and Codex's records, but no hook and no report in a terminal.
/// What these alone would prove is unknown here; an ``AgentObserver`` that is fed with them knows more. On a host
/// without tmux or `ps` the list is shorter, and ``AgentBoardSnapshot/Host/lacks`` says so. Two Codexes in one folder
/// are told apart only by their panes. Call ``stop()`` when the app goes to the background, and before dropping it.
public actor AgentBoard {
    private let adapters: [AgentAdapter]
    private let pace: BoardPace
    private let clock: any Clock<Duration>
    private let source = StateSource(AgentBoardSnapshot())
    private var hosts: [(host: BoardHost, task: Task<Void, Never>?)] = []
    private var agents: [ByteName: [AgentListing]] = [:]
    private var isStarted = false

    /// Creates a board without hosts.
    ///
    /// - Parameters:
    ///   - adapters: The kinds of agents that are looked for.
    ///   - clock: Measures the time between looks.
    public init(adapters: [AgentAdapter] = [.claude, .codex], clock: any Clock<Duration> = ContinuousClock()) {
        self.init(adapters: adapters, pace: BoardPace(), clock: clock)
    }

    package init(adapters: [AgentAdapter], pace: BoardPace, clock: any Clock<Duration>) {
        self.adapters = adapters
        self.pace = pace
        self.clock = clock
    }

    deinit {
        for (_, task) in hosts { task?.cancel() }
    }

    /// The board now, then each change.
    public nonisolated func updates() -> AsyncStream<AgentBoardSnapshot> { source.updates() }

    /// The board now.
    public nonisolated var current: AgentBoardSnapshot { source.current }

    /// Adds a host, or replaces the one of this name.
    ///
    /// - Parameters:
    ///   - name: The name of the host on the board.
    ///   - host: The host, whose link is used and never made.
    ///   - server: The tmux server whose panes are looked at.
    public func add(_ name: String, _ host: any HostSession, server: TmuxServer = TmuxServer()) async {
        await remove(name)
        let added = BoardHost(
            name: name,
            host,
            socket: server.socket,
            adapters: adapters,
            pace: pace,
            clock: clock
        ) { [weak self] condition, agents in await self?.take(condition, agents) }
        hosts.append((added, isStarted ? Task { await added.run() } : nil))
        source.update { snapshot in
            var snapshot = snapshot
            snapshot.hosts.append(AgentBoardSnapshot.Host(name: name))
            return snapshot
        }
    }

    /// Takes a host and its agents off the board; a name without a host changes nothing.
    ///
    /// - Parameter name: The name of the host on the board.
    public func remove(_ name: String) async {
        guard let place = hosts.firstIndex(where: { $0.host.name.isSame(bytes: name) }) else { return }
        let removed = hosts.remove(at: place)
        agents[ByteName(name)] = nil
        source.update { snapshot in
            var snapshot = snapshot
            snapshot.hosts.removeAll { $0.name.isSame(bytes: name) }
            snapshot.agents.removeAll { $0.host.isSame(bytes: name) }
            return snapshot
        }
        removed.task?.cancel()
        await removed.task?.value
    }

    /// Begins to look.
    public func start() {
        isStarted = true
        for place in hosts.indices where hosts[place].task == nil {
            let host = hosts[place].host
            hosts[place].task = Task { await host.run() }
        }
    }

    /// Looks no more, closes the channels and returns when they are closed. The list stays as it is, and is not fresh.
    public func stop() async {
        isStarted = false
        let tasks = hosts.compactMap(\.task)
        for place in hosts.indices { hosts[place].task = nil }
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
        source.update { snapshot in
            var snapshot = snapshot
            for place in snapshot.hosts.indices { snapshot.hosts[place].isFresh = false }
            return snapshot
        }
    }

    /// Looks at all hosts whose links stand, and returns when that is done.
    ///
    /// - Throws: `CancellationError`. A host that cannot be looked at is no error: see
    ///   ``AgentBoardSnapshot/Host/problem``.
    public func refresh() async throws {
        let all = hosts.map(\.host)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for host in all { group.addTask { try await host.refresh() } }
            try await group.waitForAll()
        }
    }

    private func take(_ condition: AgentBoardSnapshot.Host, _ listings: [AgentListing]) {
        // A host that was removed or replaced meanwhile tells nothing more.
        guard hosts.contains(where: { $0.host.name.isSame(bytes: condition.name) }) else { return }
        agents[ByteName(condition.name)] = listings
        var snapshot = AgentBoardSnapshot()
        for host in source.current.hosts {
            snapshot.hosts.append(host.name.isSame(bytes: condition.name) ? condition : host)
            snapshot.agents += agents[ByteName(host.name)] ?? []
        }
        if snapshot != source.current { source.update(snapshot) }
    }
}
