// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore
public import RiffTransport
internal import Synchronization

// sample: host: SSHHost, settings: RiffSettings
/// All sessions of a host, as pages of a front end: found, made, ended, kept open over lost connections, and never
/// mistaken for one another.
///
/// ```swift
/// let sessions = SessionManager(host, size: TerminalSize(columns: 80, rows: 24), settings: settings)
/// await sessions.start()
/// for await snapshot in sessions.updates() { show(snapshot.pages, at: snapshot.activeIndex) }
/// ```
///
/// The base page is there at once, the others as soon as the host has listed them. A new session is always a new one.
/// What others make or end on the host shows when the app comes to the foreground, when the connection comes back, and,
/// with a watcher, as it happens; only ``close(_:)`` ends a session. A manager has one life: after ``shutdown()`` a new
/// one is made. Everything happens on the host's one link, which it leaves open.
public actor SessionManager {
    let host: any SessionHosting
    let configuration: SessionsConfiguration
    let clock: any Clock<Duration>
    /// Commands that list or change the server's sessions run one after another, so that each list is newer than all
    /// that was done before it. Pages come and go within a turn only.
    nonisolated let commands = WriteTurns()
    private nonisolated let source: StateSource<SessionsSnapshot>
    let settings: RiffSettings?
    private let watcher: (any TmuxWatching)?
    /// Ends with the manager.
    private let ownWatcher: TmuxWatcher?

    var machine: SessionsMachine
    var size: TerminalSize
    var terminals: [SessionName: PageTerminal] = [:] {
        didSet {
            let sessions = terminals.mapValues(\.session)
            route.withLock { $0.terminals = sessions }
        }
    }
    /// The route of keys; behind a lock, so that a key waits for nothing that the actor does.
    nonisolated let route = Mutex(Route())
    /// Why a page has no terminal although it is to have one.
    var refusals: [SessionName: any RiffError] = [:]
    /// Sessions that are being ended: the end of their terminals is no news.
    var closing: Set<SessionName> = []
    var problem: (any RiffError)?
    var nextNumber: UInt64 = 0
    /// Ended sessions that are still to be cleared up after.
    var untidied: [SessionName] = []

    struct Route: Sendable {
        var active = SessionName.base
        var terminals: [SessionName: TerminalSession] = [:]
        /// The gates that the front end set, by session.
        var gates: [SessionName: any SubmitGate] = [:]
        /// Whether the user typed into the active page.
        var hasTyped = false
    }

    private enum Life { case new, running, over }
    private var life = Life.new
    private let farewell = EventualValue<Void>()
    let tasks = OwnedTasks()
    private var events: [SessionsMachine.Event] = []
    private var isResponding = false
    private var operations = 0
    private let stopwatch: Stopwatch
    private var busy = BusySignal<Stopwatch.Instant>()
    private var busyTimer: Task<Void, Never>?
    private let activeNames: AsyncStream<SessionName>
    private let remembering: AsyncStream<SessionName>.Continuation
    private var writer: Task<Void, Never>?

    /// A manager of a host's sessions; nothing happens before ``start()``.
    ///
    /// - Parameters:
    ///   - host: The host.
    ///   - size: The size of every page's terminal; 80x24 where it is not usable.
    ///   - configuration: How sessions are made, and how many; unless given, as the settings say.
    ///   - settings: A person's settings. The name of this host's active session is kept there from one start to the
    ///     next.
    ///   - watcher: Tells at once what others change on the host's tmux server, and which panes are in a mode; one of
    ///     the manager's own unless given, on the host's link.
    ///   - clock: Measures the waits before another try, and before it shows as busy.
    public init(
        _ host: any TerminalHost,
        size: TerminalSize,
        configuration: SessionsConfiguration? = nil,
        settings: RiffSettings? = nil,
        watcher: (any TmuxWatching)? = nil,
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        let configuration =
            configuration ?? settings.map { SessionsConfiguration(settings: $0) } ?? SessionsConfiguration()
        let own = watcher == nil ? TmuxWatcher(host, server: configuration.server, clock: clock) : nil
        let watcher = watcher ?? own
        let tmux = TmuxSessionHost(
            sessionsLink(of: host),
            configuration: configuration,
            watcher: watcher,
            clock: clock
        )
        self.init(
            tmux,
            size: size,
            configuration: configuration,
            settings: settings,
            watcher: watcher,
            ownWatcher: own,
            clock: clock
        )
    }

    package init(
        _ host: any SessionHosting,
        size: TerminalSize,
        configuration: SessionsConfiguration = SessionsConfiguration(),
        settings: RiffSettings? = nil,
        watcher: (any TmuxWatching)? = nil,
        ownWatcher: TmuxWatcher? = nil,
        clock: any Clock<Duration>
    ) {
        self.host = host
        self.ownWatcher = ownWatcher
        self.size = size.isUsable ? size : .standard
        self.configuration = configuration
        self.settings = settings
        self.watcher = watcher
        self.clock = clock
        machine = SessionsMachine(policy: configuration.attach)
        stopwatch = Stopwatch(clock)
        // Only the newest name counts.
        (activeNames, remembering) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        let page = SessionsSnapshot.Page(name: .base, terminal: nil, state: nil, problem: nil)
        source = StateSource(SessionsSnapshot(pages: [page], activeIndex: 0, isSetUp: false, isBusy: false))
    }

    deinit { remembering.finish() }

    // MARK: State

    /// The sessions as they are now.
    public nonisolated var current: SessionsSnapshot { source.current }

    /// The sessions as they are now, then each change; ends with ``shutdown()``.
    public nonisolated func updates() -> AsyncStream<SessionsSnapshot> { source.updates() }

    // MARK: Life

    /// Opens the base session and looks for the others; returns at once, ``updates()`` tell how far it is.
    public func start() {
        guard life == .new else { return }
        life = .running
        guard let settings else {
            begin()
            return respond(to: .recalled(nil))
        }
        tasks.run { [weak self] in
            // What the base session runs is the person's choice, where it has to be made.
            do { try await settings.refresh() } catch { await self?.report(error) }
            await self?.begin()
            await self?.recall(from: settings)
        }
        writer = Task { [weak self, activeNames, host] in
            for await name in activeNames {
                do {
                    try await settings.set(name, for: .lastActiveSession(on: host.name))
                    try await settings.reset(.lastActiveSession)
                } catch {
                    await self?.report(error)
                }
            }
        }
    }

    private func begin() {
        // A phone that starts without a network is no reason to stay without sessions.
        tasks.run { [host] in await host.keep() }
        respond(to: .started)
        follow(host.updates()) { manager, state, before in
            guard state.connection == .connected, let before, before.connection != .connected else { return }
            manager.respond(to: .connected)
        }
        if let ownWatcher { tasks.run { await ownWatcher.start() } }
        if let watcher {
            follow(watcher.updates()) { manager, state, _ in manager.respond(to: .watched(state)) }
        }
    }

    /// Leaves every session, on purpose: they go on on the host, and nothing comes back here. Returns when all
    /// terminals are closed and nothing is left running; the link stays as it is.
    public func shutdown() async {
        guard life != .over else { return await farewell.value() }
        life = .over
        remembering.finish()
        await ownWatcher?.shutdown()
        await tasks.end()
        // The last name is still written.
        await writer?.value
        terminals = [:]
        busy.end()
        update()
        source.finish()
        farewell.resolve(())
    }

    /// The app came to the foreground: a silent connection is found out at once, and the host is asked for its
    /// sessions. It stands for ``SSHHost/foreground()``. A link that was ended on purpose stays so.
    public func foreground() async {
        guard life == .running, host.connection != .disconnected(.deliberate) else { return }
        await host.foreground()
        do { try await settings?.refresh() } catch { report(error) }
        respond(to: .foregrounded)
    }

    /// Changes which pages are attached, such as when the network is paid for by the byte.
    public func attach(by policy: AttachPolicy) { respond(to: .policyChanged(policy)) }

    private func recall(from settings: RiffSettings) async {
        do {
            var name = try await settings.value(of: .lastActiveSession(on: host.name))
            // Kept by a version that had one name for all hosts, it goes to the first host that is opened.
            if name == nil { name = try await settings.value(of: .lastActiveSession) }
            respond(to: .recalled(name))
        } catch {
            respond(to: .recalled(nil))
            report(error)
        }
    }

    private func report(_ error: any Error) {
        problem = error.asRiffError
        publish()
    }

    // MARK: The machine

    /// Lets the machine decide, and does what it says. Nothing happens before the start or after the end.
    func respond(to event: SessionsMachine.Event) {
        guard life == .running else { return }
        events.append(event)
        guard !isResponding else { return }
        isResponding = true
        while !events.isEmpty {
            for effect in handle(events.removeFirst()) { perform(effect) }
        }
        isResponding = false
        publish()
    }

    /// Changes the active page and where keys go in one step: a key that went to a page keeps it active.
    private func handle(_ event: SessionsMachine.Event) -> [SessionsMachine.Effect] {
        route.withLock { route in
            if route.hasTyped { _ = machine.handle(.typed) }
            let effects = machine.handle(event)
            route.active = machine.list.active
            return effects
        }
    }

    private func perform(_ effect: SessionsMachine.Effect) {
        switch effect {
        case .attach(let name): attach(name)
        case .detach(let name): detach(name)
        case .probe(let delay): probe(after: delay)
        case .remember(let name): remembering.yield(name)
        }
    }

    // MARK: Snapshots

    /// Tells how things stand.
    func publish() {
        guard life == .running else { return }
        followBusy()
        update()
    }

    private func update() {
        let list = machine.list
        let pages = list.names.map { name in
            let terminal = terminals[name]
            var problem = refusals[name]
            if case .ended(let closure) = terminal?.session.current { problem = closure.error }
            return SessionsSnapshot.Page(
                name: name,
                terminal: terminal?.session,
                state: terminal?.session.current,
                problem: problem
            )
        }
        var snapshot = SessionsSnapshot(
            pages: pages,
            activeIndex: list.activeIndex,
            isSetUp: machine.isSetUp,
            isBusy: busy.isBusy
        )
        snapshot.problem = problem
        source.update(snapshot)
    }

    private func followBusy() {
        guard operations > 0 || terminals[machine.list.active]?.isUnderWay == true else {
            busyTimer?.cancel()
            busyTimer = nil
            return busy.end()
        }
        guard busy.begin(at: stopwatch.now) != nil, busyTimer == nil else { return }
        let delay = busy.delay
        busyTimer = tasks.run { [weak self, clock] in
            // Cancellation is the only error of a clock's sleep.
            guard (try? await clock.sleep(for: delay)) != nil else { return }
            await self?.showBusy()
        }
    }

    private func showBusy() {
        busy.tick(at: stopwatch.now)
        publish()
    }

    // MARK: Tasks

    private func follow<State: Sendable>(
        _ states: AsyncStream<State>,
        _ body: @escaping @Sendable (isolated SessionManager, State, State?) -> Void
    ) {
        tasks.run { [weak self] in
            var before: State?
            for await state in states {
                guard let self else { return }
                await body(self, state, before)
                before = state
            }
        }
    }

    /// Runs something for a caller who waits for it; it ends with the caller's task and with the manager.
    func perform<Result: Sendable>(_ work: @escaping @Sendable () async throws -> Result) async throws -> Result {
        guard life == .running else { throw notRunning }
        let outcome = EventualValue<Swift.Result<Result, any Error>>()
        let task = tasks.run {
            do { outcome.resolve(.success(try await work())) } catch { outcome.resolve(.failure(error)) }
        }
        guard let task else { throw notRunning }
        operations += 1
        publish()
        let result = await withTaskCancellationHandler {
            await outcome.value()
        } onCancel: {
            task.cancel()
        }
        operations -= 1
        publish()
        // Who did not cancel it is told why it was.
        if case .failure(is CancellationError) = result, life == .over, !Task.isCancelled { throw notRunning }
        return try result.get()
    }

    var notRunning: TransportError {
        let message = "The sessions are not connected: there is no start yet, or they were disconnected on this side."
        return TransportError(.closed, message)
    }
}
