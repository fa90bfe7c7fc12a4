// Riff
// SPDX-License-Identifier: Apache-2.0

internal import Logging
package import RiffCore

/// Owns the way to one host: dialing, authentication, liveness, the schedule of reconnects, and the connections.
///
/// Terminal sessions, commands and file transfers borrow channels from it and never dial. Several connections are made
/// where the server's MaxSessions asks for it; the limit is learnt from the first refusal, which is not an error.
package actor HostLink {
    /// The configuration of the host to connect to.
    package nonisolated let configuration: SSHHost.Configuration
    /// The turns of short commands beside a terminal: each waits here for those before.
    package nonisolated let errandTurns = WriteTurns()
    /// Closed while the client that watches tmux is let in; see decision 19.
    package nonisolated let inputGate = PassingGate()
    private nonisolated let source = StateSource(HostLinkState(connection: .idle))

    package nonisolated let clock: any Clock<Duration>
    nonisolated let logger: Logger
    private var machine: ConnectionMachine
    private var problem: (any Error)?
    private var dial: Task<Void, Never>?
    private var timer: Task<Void, Never>?
    private var probe: Task<Void, Never>?
    /// Tasks that wait for a connection's end; each ends with its connection.
    private var watches: [ObjectIdentifier: Task<Void, Never>] = [:]
    /// Tasks that wait until what carried a connection is gone, such as a command.
    private var relayEnds: [ObjectIdentifier: Task<Void, Never>] = [:]
    var slots: [HostLinkSlot] = []
    var channelsPerConnection: Int?
    /// The number of terminals that were asked for so far.
    package internal(set) var terminalCount = 0
    /// The dial of a further connection, shared by all who wait for room.
    var extraDial: (task: Task<Void, Never>, outcome: EventualValue<Result<Void, any Error>>)?
    /// The dial of the connection for forwards, while it is under way.
    var forwarding: HostLinkForwarding?
    /// Whether forwards go over the sessions' connection, because one of their own could not be made.
    var sharesConnectionForForwards = false
    /// The SFTP session, being opened or open.
    var files: HostLinkFiles.Opening?
    /// Short tasks on behalf of callers that do not wait for them; see ``runErrand(_:)``.
    private var errands: [UInt64: Task<Void, Never>] = [:]
    private var nextErrand: UInt64 = 0
    /// Comes with the next change; then there is a new one.
    private var change = EventualValue<Void>()

    init(_ configuration: SSHHost.Configuration, clock: any Clock<Duration>, logger: Logger) {
        self.configuration = configuration
        self.clock = clock
        var logger = logger
        logger[metadataKey: "riff.host"] = "\(configuration.address)"
        self.logger = logger
        machine = ConnectionMachine(policy: configuration.reconnect)
    }

    deinit {
        for task in [dial, timer, probe, extraDial?.task, forwarding?.task] + Array(errands.values) { task?.cancel() }
        files?.task.cancel()
        for slot in slots { slot.connection.scheduleClose() }
    }

    // MARK: State

    /// The current state of the link.
    package nonisolated var current: HostLinkState { source.current }

    /// Returns the current state of the link, then each change.
    package nonisolated func updates() -> AsyncStream<HostLinkState> { source.updates() }

    // MARK: What a front end tells

    /// Connects, or waits for the connection that is being made.
    ///
    /// - Throws: What made the dial fail; a lost link that comes back by itself is waited for. `CancellationError`.
    package func connect() async throws {
        handle(.wanted)
        try await waitUntilConnected()
    }

    /// The app came to the foreground: a silent connection is found out at once, a waiting one dialed now.
    ///
    /// A jump host on the way is told first.
    package func foreground() async {
        await configuration.jump?.foreground()
        handle(.foregrounded)
    }

    /// The network changed: as ``foreground()``, but a suspended link stays so.
    package func pathChanged() async {
        await configuration.jump?.pathChanged()
        handle(.pathChanged)
    }

    /// The link is wanted until ``shutdown()``: also where the first dial fails, others follow by the schedule. Whoever
    /// waits for it is told of each failure all the same, as long as nothing was ever connected.
    package func keep() { handle(.kept) }

    /// The app goes to sleep: connections are closed cleanly; ``foreground()`` brings them back. A jump host's own link
    /// stays as it is, since others may go through it: suspend it as well.
    package func background() { handle(.suspended) }

    /// Ends everything on purpose, and returns when all of it is over: the connections closed with their channels, what
    /// was being dialed given up, nothing running. ``connect()`` starts anew. A jump host's own link stays as it is.
    package func shutdown() async {
        handle(.unwanted)
        repeat {
            // All of it is taken down first: what somebody wants anew in the meantime is not waited for.
            let connections = slots.map(\.connection)
            let dials = [dial, timer, probe, extraDial?.task, forwarding?.task]
            let tasks = Array(watches.values) + dials.compactMap(\.self)
            let (opening, running) = (files, Array(errands.values))
            files = nil
            for connection in connections { await connection.close() }
            for errand in running { errand.cancel() }
            for task in tasks + running { await task.value }
            for end in Array(relayEnds.values) { await end.value }
            await opening?.close()
            // A dial that was given up may have made its connection all the same.
        } while isUnwanted && !(slots.isEmpty && errands.isEmpty)
    }

    private var isUnwanted: Bool { if case .disconnected = machine.state { true } else { false } }

    // MARK: The machine

    func handle(_ event: ConnectionMachine.Event) {
        let before = machine.state
        for effect in machine.handle(event) { perform(effect) }
        if machine.state == .connected { problem = nil }
        guard machine.state != before else { return }
        logger.debug("connection state changed", metadata: ["riff.state": "\(machine.state)"])
        publish()
    }

    private func perform(_ effect: ConnectionMachine.Effect) {
        switch effect {
        case .dial: startDial()
        case .startTimer(let delay): startTimer(delay)
        case .cancelTimer: timer?.cancel()
        case .probe: startProbe()
        case .close: closeAll()
        }
    }

    private func startDial() {
        let previous = dial
        previous?.cancel()
        dial = Task { [weak self, configuration] in
            let result: Result<HostLinkSlot, any Error>
            do { result = .success(try await HostLink.makeConnection(configuration)) } catch {
                result = .failure(error)
            }
            await self?.dialEnded(result, wasCancelled: Task.isCancelled)
            // Whoever waits for the last dial has waited for all.
            await previous?.value
        }
    }

    private func dialEnded(_ result: Result<HostLinkSlot, any Error>, wasCancelled: Bool) async {
        switch result {
        case .success(let slot) where wasCancelled:
            await slot.connection.close()
        case .success(let slot):
            add(slot)
            handle(.dialSucceeded)
        case .failure(let error):
            guard !wasCancelled else { return }
            problem = error
            // Who waits is told; a link that goes on trying by itself has nobody who would be.
            logger.debug("dial failed", metadata: ["riff.error": "\(error)"])
            handle(.dialFailed(isRetryable: HostLink.isRetryable(error)))
        }
    }

    private func startTimer(_ delay: Duration) {
        timer?.cancel()
        timer = Task { [weak self, clock] in
            // Cancellation is the only error of a clock's sleep.
            guard (try? await clock.sleep(for: delay)) != nil else { return }
            await self?.handle(.timerFired)
        }
    }

    private func startProbe() {
        probe?.cancel()
        let connections = slots.map(\.connection)
        let limit = configuration.probeTimeout
        probe = Task {
            await withTaskGroup { group in
                for connection in connections {
                    // A connection that does not answer ends itself, which its watch tells.
                    group.addTask { try? await connection.probe(within: limit) }
                }
            }
        }
    }

    /// Returns when the probe that was begun last has its answer, or ran out of time.
    package func probeEnded() async { await probe?.value }

    /// Whether the host gives a sign of life on any connection; one that does not answer is ended.
    package func answers() async -> Bool {
        startProbe()
        await probeEnded()
        return slots.contains(where: \.isUsable)
    }

    private func closeAll() {
        dial?.cancel()
        extraDial?.task.cancel()
        forwarding?.task.cancel()
        for slot in slots { slot.connection.scheduleClose() }
    }

    // MARK: Connections

    /// Takes a connection in and watches for its end.
    func add(_ slot: HostLinkSlot) {
        slots.append(slot)
        let id = ObjectIdentifier(slot)
        watches[id] = Task { [weak self] in
            let error = await slot.connection.end.value()
            await self?.connectionEnded(id, error)
        }
        publish()
    }

    private func connectionEnded(_ id: ObjectIdentifier, _ error: TransportError) {
        watches[id] = nil
        let wasForForwards = slots.contains { ObjectIdentifier($0) == id && $0.isForForwards }
        if let relay = slots.first(where: { ObjectIdentifier($0) == id })?.relay {
            relayEnds[id] = Task { [weak self] in
                await relay.end()
                await self?.relayEnded(id)
            }
        }
        slots.removeAll { ObjectIdentifier($0) == id }
        let metadata: Logger.Metadata = ["riff.error": "\(error)", "riff.connections": "\(slots.count)"]
        logger.debug("connection ended", metadata: metadata)
        // A connection that carries forwards is no way for a session.
        if !wasForForwards, slots.allSatisfy(\.isForForwards) {
            sharesConnectionForForwards = false
            if error.code != .closed { problem = error }
            handle(.lost)
        }
        publish()
    }

    private func relayEnded(_ id: ObjectIdentifier) { relayEnds[id] = nil }

    /// Waits until a connection that is over has been taken out.
    func forget(_ slot: HostLinkSlot) async { await watches[ObjectIdentifier(slot)]?.value }

    // MARK: Errands

    /// Does something short for a caller that has no time to wait for it; it is cancelled with the link, and after ten
    /// seconds.
    package func runErrand(_ work: @escaping @Sendable (HostLink) async -> Void) {
        nextErrand += 1
        let id = nextErrand
        errands[id] = Task {
            // Nobody waits to hear that it was late.
            try? await withDeadline(.seconds(10), clock: clock) { await work(self) }
            errandEnded(id)
        }
    }

    /// Returns when the errands that are under way are done.
    package func errandsEnded() async {
        for errand in errands.values { await errand.value }
    }

    private func errandEnded(_ id: UInt64) { errands[id] = nil }

    // MARK: Waiting

    /// Waits for the connection that is being made or comes back.
    ///
    /// - Parameter sleeps: Whether a suspended link is waited for, too.
    /// - Throws: What made the dial fail; `closed` where nobody wants the link; `CancellationError`.
    package func waitUntilConnected(sleeps: Bool = false) async throws {
        while true {
            try Task.checkCancellation()
            switch machine.state {
            case .connected: return
            case .disconnected(.failed): throw problem ?? HostLink.notConnected(configuration)
            case .disconnected(.suspended) where sleeps: break
            case .idle, .disconnected: throw HostLink.notConnected(configuration)
            // Nothing was ever connected: the schedule goes on, and whoever waits learns why it has to.
            case .reconnecting(_, .some) where machine.hasFailedAtFirst:
                throw problem ?? HostLink.notConnected(configuration)
            case .connecting, .reconnecting: break
            }
            try await change.cancellableValue()
        }
    }

    /// Connects, or throws the error of the first attempt from now on, also if the link keeps trying by itself.
    ///
    /// - Throws: What made the dial fail; `closed` where the link was ended meanwhile; `CancellationError`.
    package func attempt() async throws {
        handle(.wanted)
        while true {
            try Task.checkCancellation()
            switch machine.state {
            case .connected: return
            case .connecting, .reconnecting(_, nil): try await change.cancellableValue()
            case .disconnected(.failed), .reconnecting(_, .some):
                throw problem ?? HostLink.notConnected(configuration)
            case .idle, .disconnected: throw HostLink.notConnected(configuration)
            }
        }
    }

    private func publish() {
        var state = HostLinkState(connection: machine.state)
        state.problem = machine.state == .connected ? nil : problem?.asRiffError
        state.connectionCount = slots.count
        state.channelsPerConnection = channelsPerConnection
        source.update(state)
        change.resolve(())
        change = EventualValue()
    }
}
