// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore
public import RiffTransport
internal import Synchronization

/// One terminal that outlives its connections: a tmux session on a host, for as long as the front end wants it.
///
/// Its ``output`` is one sequence for all connections. After a loss, the host's link reconnects by its schedule and the
/// same command is run again, which for tmux means the same session, the same pane, the same program. Keys are refused
/// in between, with `notConnected`, so that nothing typed comes out later by surprise.
///
/// Where it knows its tmux session, input first leaves whatever tmux shows instead of the program (scrolled-back
/// output, a tree, a clock, a prompt, a menu): nothing that is written, typed or pasted is eaten, and nothing is added
/// to it.
///
/// Once opened it lives, and reconnects, until ``close()``, its program's end or the host's `shutdown()`, also where
/// nobody holds it any more: what only reads its ``output`` need not keep it.
public actor TerminalSession {
    /// The name used in messages.
    public nonisolated let name: String
    /// The output that the program draws, over all connections; finishes when the session is over. For any number of
    /// readers, and bounded: a program whose output is not read is made to wait.
    public nonisolated let output: TerminalOutput

    nonisolated let safety: InputSafety
    nonisolated let clock: any Clock<Duration>
    nonisolated let turns = WriteTurns()
    /// The number of waiting bytes of keys that were written without waiting.
    nonisolated let waitingKeys = Atomic(0)
    /// Is asked before Return; `nil` for none.
    nonisolated let submitGate = Mutex<(any SubmitGate)?>(nil)
    nonisolated let connections: TerminalConnections
    nonisolated let link: any TerminalLink
    private nonisolated let preparesInput: Bool
    private var size: TerminalSize
    private var connectionCount = 0
    /// The newest transport, also while it is being connected.
    private var transport: (any TerminalTransport)?
    /// The one opening, shared by all who ask for it.
    private var opening: EventualValue<Result<Void, any Error>>?
    private var supervision: Task<Void, Never>?
    /// The end of a command that said why it did not come to the session: no other try would.
    private var refusal: TerminalClosure?
    /// Has tmux check the terminal's place whenever it moved a client.
    private var placeWatch: Task<Void, Never>?
    /// Whether the session is to come back after a loss, and what ended it where that was neither the connection nor
    /// tmux.
    private nonisolated let fate = Mutex(Fate())

    private struct Fate {
        var isWanted = true
        var problem: TransportError?
    }

    /// A session on a host; nothing happens before ``open()``.
    ///
    /// - Parameters:
    ///   - name: What to call it in messages.
    ///   - command: One line for the account's login shell, run again after each loss.
    ///   - host: The host.
    ///   - size: The terminal's size.
    ///   - tmux: The tmux session that the command attaches to; `nil` where it is no tmux, and then input is not
    ///     guarded.
    ///   - clock: Measures the pause before a Return, and other waits.
    package init(
        name: String,
        command: String,
        on host: any SessionsLink,
        size: TerminalSize,
        tmux: TmuxAttachment? = nil,
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        let terminals = host.terminals { _ in command }
        self.init(name: name, link: terminals, size: size, tmux: tmux, errands: host.errands, clock: clock)
    }

    /// A session on a host's tmux server.
    ///
    /// - Parameters:
    ///   - lines: How the terminal comes to the session.
    ///   - name: What to call it in messages.
    ///   - host: The host.
    ///   - size: The terminal's size.
    ///   - tmux: The tmux session.
    ///   - preparesInput: Whether the host is asked at once for what keeps input safe, and which session it is.
    ///     Without, that waits for the first input, and ``learn(_:)`` tells the session.
    ///   - clock: Measures the pause before a Return, and other waits.
    init(
        _ lines: TmuxEntryLines,
        name: String,
        on host: any SessionsLink,
        size: TerminalSize,
        tmux: TmuxAttachment,
        preparesInput: Bool = true,
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.init(
            name: name,
            link: host.terminals { lines.line($0) },
            size: size,
            tmux: tmux,
            errands: host.errands,
            preparesInput: preparesInput,
            clock: clock
        )
    }

    package init(
        name: String,
        link: any TerminalLink,
        size: TerminalSize,
        tmux: TmuxAttachment? = nil,
        errands: (any TmuxErrands)? = nil,
        preparesInput: Bool = true,
        clock: any Clock<Duration>
    ) {
        self.preparesInput = preparesInput
        let connections = TerminalConnections()
        let safety = InputSafety(tmux, errands: errands, connections: connections, clock: clock)
        self.name = name
        self.link = link
        self.size = size.isUsable ? size : .standard
        self.clock = clock
        self.connections = connections
        self.safety = safety
        output = TerminalOutput(link.output)
        link.output.observe { safety.drew($0) }
        safety.onReplacement { [weak self] in await self?.wasReplaced() }
    }

    // MARK: State

    /// The current state of the session.
    public nonisolated var current: TerminalSessionState { connections.state }

    /// Returns the current state of the session, then each change.
    public nonisolated func updates() -> AsyncStream<TerminalSessionState> { connections.states() }

    // MARK: Life

    /// Opens it, and returns when its program takes keys; once, however often it is called.
    ///
    /// - Throws: A ``RiffError`` that says why the host could not be reached or the program not be started
    ///   (`programNotFound`, `startDirectoryNotFound`, ...); `closed` if the session is over; `CancellationError`. The
    ///   session is then over.
    public func open() async throws {
        if case .ended(let closure) = connections.state { throw closure.error ?? over }
        if let opening { return try await opening.cancellableValue().get() }
        let outcome = EventualValue<Result<Void, any Error>>()
        opening = outcome
        do {
            let first = try await connect(.first)
            supervision = Task { [weak self] in await self?.supervise(first) }
            watchPlace()
            outcome.resolve(.success(()))
        } catch {
            await transport?.disconnect()
            await safety.disconnected()
            end(refusal ?? TerminalClosure(failing: error))
            outcome.resolve(.failure(error))
            throw error
        }
    }

    /// Leaves the session: the program on the host continues, and tmux keeps it. Returns when the connection's part is
    /// closed.
    public func close() async {
        retire()
        fate.withLock { $0.isWanted = false }
        await transport?.disconnect()
        supervision?.cancel()
        placeWatch?.cancel()
        await supervision?.value
        await placeWatch?.value
        await safety.disconnected()
        end(TerminalClosure(.disconnected))
    }

    /// Takes no input from now on, where it is going to be closed: the next session of its name is not to get any of
    /// it.
    nonisolated func retire() { safety.retire() }

    /// Handles another session that was found under the session's name: its program is over, and the one that runs
    /// there now belongs to another client.
    private func wasReplaced() async {
        fate.withLock { fate in
            fate.problem = TransportError(
                .sessionReplaced,
                "The tmux session \(name) has ended, and another one has its name now: what was running in it is over. "
                    + "Open it again to see the new one."
            )
        }
        await transport?.disconnect()
    }

    /// Which session the terminal is on, where others have learnt it.
    nonisolated func learn(_ identity: SessionIdentity) { safety.learn(identity) }

    /// Waits until tmux has the terminal, if it is tmux's: only then does it take keys. The end of what was to start is
    /// thrown if it says why, and left to whoever waits for the transport's end if not.
    private func waitUntilStarted(_ connection: TerminalConnection) async throws {
        guard safety.tmux != nil, let errands = safety.errands else { return }
        if try await !safety.waitUntilTaken(within: InputSafety.firstPatience) {
            // A shell that stands where tmux is expected takes keys, and must not be given any.
            let problem = await errands.loginShellProblem()
            try Task.checkCancellation()
            if let problem, problem.code != .loginShellHangs { throw refused(TerminalClosure(.exited, error: problem)) }
            guard try await safety.waitUntilTaken(within: InputSafety.patience) else {
                throw refused(TerminalClosure(.exited, error: problem ?? notTaken))
            }
        }
        guard let closure = connection.ending.current else { return }
        if let error = closure.error {
            if closure.reason == .exited { refusal = closure }
            throw error
        }
        // It ended before tmux began, and did not say why.
        guard closure.reason == .exited, !safety.isTaken, let problem = await errands.loginShellProblem() else {
            return
        }
        throw refused(TerminalClosure(.exited, exit: closure.exit, error: problem))
    }

    private func refused(_ closure: TerminalClosure) -> any Error {
        refusal = closure
        return closure.error ?? over
    }

    private var notTaken: TransportError {
        TransportError(
            .timeout,
            "tmux did not come for the session \(name). A file that the login shell reads, such as ~/.profile, "
                + "~/.bash_profile or ~/.zprofile, may wait for an answer: look with another terminal.",
            recovery: .retry
        )
    }

    /// Has tmux check where the terminal is whenever it moved a client.
    private func watchPlace() {
        guard let watcher = safety.tmux?.watcher, isWanted else { return }
        placeWatch = Task { [weak self] in
            var moves: Int?
            for await state in watcher.updates() {
                defer { moves = state.clientMoves }
                guard let before = moves, before != state.clientMoves else { continue }
                guard let self, !Task.isCancelled else { return }
                // A connection that is lost has no place to check; the next one is checked when it comes.
                try? await self.verifyPlace()
            }
        }
    }

    private func connect(_ entry: TerminalEntry) async throws -> TerminalConnection {
        connectionCount += 1
        let new = TerminalConnection(number: connectionCount, transport: link.makeTransport(entry))
        let connectedSize = size
        safety.connecting(new.number)
        transport = new.transport
        try await new.transport.connect(size: connectedSize)
        // Ends with the transport. Nobody can be made to wait for that end and give it up again.
        Task { [safety] in
            new.ending.resolve(await new.transport.closure())
            safety.ended(new.number)
        }
        guard isWanted else {
            await new.transport.disconnect()
            throw CancellationError()
        }
        if preparesInput { safety.prepare() }
        try await waitUntilStarted(new)
        connections.opened(new)
        // The view was laid out in the meantime. A failure is the terminal's end, which is told as such.
        if size != connectedSize { try? await new.transport.resize(to: size) }
        return new
    }

    /// Waits for each transport's end and decides what follows.
    private func supervise(_ first: TerminalConnection) async {
        var current = first
        while true {
            let closure = await current.ending.value()
            let comesBack = conclude(current, closure)
            await safety.disconnected()
            guard comesBack else { return }
            do {
                current = try await reconnect()
            } catch {
                return end(refusal ?? TerminalClosure(failing: error))
            }
        }
    }

    /// Tries until the link says that it is over, or that it cannot be mended.
    private func reconnect() async throws -> TerminalConnection {
        while true {
            try await link.waitUntilConnected()
            do {
                return try await connect(.again(safety.identity))
            } catch let error as TransportError
                where refusal == nil && HostLink.isRetryable(error) && isWanted && !Task.isCancelled
            {
                // The connection went again before the terminal stood, or the server was slow: the link knows which.
                try await link.waitAfterFailure(clock)
            }
        }
    }

    private nonisolated var isWanted: Bool { fate.withLock { $0.isWanted } }

    /// A connection is over: it takes no keys from this moment on, and the state says what follows.
    ///
    /// - Returns: Whether another one is to come.
    @discardableResult
    nonisolated func conclude(_ connection: TerminalConnection, _ closure: TerminalClosure) -> Bool {
        guard isWanted, closure.reason == .lost else {
            end(closure)
            return false
        }
        connections.lost(connection)
        return true
    }

    private nonisolated func end(_ closure: TerminalClosure) {
        let fate = fate.withLock(\.self)
        // Whatever breaks while it is being closed, the closing is the reason.
        let isClosing = !fate.isWanted && closure.reason == .lost
        if isClosing {
            connections.end(TerminalClosure(.disconnected))
        } else if let problem = fate.problem, fate.isWanted {
            connections.end(TerminalClosure(.exited, error: problem))
        } else {
            connections.end(explained(closure))
        }
        link.output.finish()
    }

    /// An end of tmux's client, with why it ended where tmux said so.
    private nonisolated func explained(_ closure: TerminalClosure) -> TerminalClosure {
        guard closure.reason == .exited, closure.error == nil, let farewell = safety.farewell else { return closure }
        let session = safety.tmux?.session.rawValue ?? name
        let isElsewhere = farewell.session != session
        let error =
            isElsewhere
            ? TransportError(
                .movedToAnotherSession,
                "tmux moved this terminal from the session \(session) to another one, so it was left; \(session) goes on.",
                recovery: .retry
            )
            : TransportError(
                .detached,
                "This terminal was detached from the session \(session) on the host; the session goes on.",
                recovery: .retry
            )
        return TerminalClosure(.exited, exit: closure.exit, error: error)
    }

    // MARK: The terminal

    /// Tells the program a new size, now and after each reconnect. A size that is not usable is ignored.
    public func resize(to size: TerminalSize) async throws {
        guard size.isUsable, size != self.size else { return }
        self.size = size
        try await connections.current?.transport.resize(to: size)
    }
}

extension TransportErrorCode {
    /// tmux moved the terminal to another session; it was left, so that nothing is typed there.
    public static let movedToAnotherSession = TransportError.Code(rawValue: "movedToAnotherSession")
    /// The terminal was detached from its session by another client on the host; the session continues.
    public static let detached = TransportError.Code(rawValue: "detached")
}
