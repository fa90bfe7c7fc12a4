// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore
internal import Synchronization

/// One terminal that outlives its connections: a tmux session on a host, for as long as the front end wants it.
///
/// Its ``output`` is one sequence for all connections. After a loss, the host's link reconnects by its schedule and the
/// same command is run again, which for tmux means the same session, the same pane, the same program. Keys are refused
/// in between, with `notConnected`, so that nothing typed comes out later by surprise.
///
/// Where it knows its tmux session, input first leaves whatever tmux shows instead of the program (scrolled-back output,
/// a tree, a clock, a prompt, a menu): nothing that is written, typed or pasted is eaten, and nothing is added to it.
///
/// Once opened it lives, and reconnects, until ``close()``, its program's end or the host's `disconnect()`, also where
/// nobody holds it any more: what only reads its ``output`` need not keep it.
public actor TerminalSession {
    /// What it is called in messages.
    public nonisolated let name: String
    /// What the program draws, over all connections; finishes when the session is over. Single-consumer and bounded: a
    /// program whose output nobody reads is made to wait.
    public nonisolated let output: TerminalOutput

    nonisolated let safety: InputSafety
    nonisolated let clock: any Clock<Duration>
    nonisolated let turns = WriteTurns()
    private nonisolated let source = StateSource(TerminalSessionState.opening)
    private nonisolated let link: any TerminalLink
    private var size: TerminalSize
    /// Where keys go now. Not the actor's, so that a keystroke costs no hop to it.
    private nonisolated let transport = Mutex<(any TerminalTransport)?>(nil)
    /// The one opening, shared by all who ask for it.
    private var opening: EventualValue<Result<Void, any Error>>?
    private var supervision: Task<Void, Never>?
    private var isWanted = true

    /// A session on a host; nothing happens before ``open()``.
    ///
    /// - Parameters:
    ///   - name: What to call it in messages.
    ///   - command: One line for the account's login shell, run again after each loss.
    ///   - link: The host.
    ///   - size: The terminal's size.
    ///   - tmux: The tmux session that the command attaches to; `nil` where it is no tmux, and then input is not guarded.
    ///   - clock: Measures the pause before a Return, and other waits.
    public init(
        name: String,
        command: String,
        link: HostLink,
        size: TerminalSize,
        tmux: TmuxAttachment? = nil,
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        let terminals = SSHTerminalLink(command: command, link: link)
        self.init(name: name, link: terminals, size: size, tmux: tmux, errands: HostErrands(link: link), clock: clock)
    }

    package init(
        name: String,
        link: any TerminalLink,
        size: TerminalSize,
        tmux: TmuxAttachment? = nil,
        errands: (any TmuxErrands)? = nil,
        clock: any Clock<Duration>
    ) {
        let safety = InputSafety(tmux, errands: errands, clock: clock)
        self.name = name
        self.link = link
        self.size = size.isUsable ? size : .standard
        self.clock = clock
        self.safety = safety
        output = TerminalOutput(link.output)
        link.output.observe { safety.drew($0) }
    }

    // MARK: State

    /// Where it stands now.
    public nonisolated var state: TerminalSessionState { source.current }

    /// Where it stands now, then each change.
    public nonisolated func states() -> AsyncStream<TerminalSessionState> { source.updates() }

    // MARK: Life

    /// Opens it, and returns when it takes keys; once, however often it is called.
    ///
    /// - Throws: A ``RiffError`` that says why the host could not be reached or the program not be started; `closed` where
    ///   the session is over; `CancellationError`. The session is then over.
    public func open() async throws {
        if case .ended(let closure) = source.current { throw closure.error ?? over }
        if let opening { return try await opening.cancellableValue().get() }
        let outcome = EventualValue<Result<Void, any Error>>()
        opening = outcome
        do {
            let first = try await connect(dials: true)
            supervision = Task { [weak self] in await self?.supervise(first) }
            outcome.resolve(.success(()))
        } catch {
            await safety.disconnected()
            end(TerminalClosure(failing: error))
            outcome.resolve(.failure(error))
            throw error
        }
    }

    /// Leaves it: the program on the host goes on, and tmux keeps it. Returns when the connection's part is closed.
    public func close() async {
        retire()
        isWanted = false
        await transport.withLock(\.self)?.disconnect()
        supervision?.cancel()
        await supervision?.value
        await safety.disconnected()
        end(TerminalClosure(.disconnected))
    }

    /// Takes no input from now on, where it is going to be closed: the next session of its name is not to get any of it.
    nonisolated func retire() { safety.retire() }

    private func connect(dials: Bool) async throws -> any TerminalTransport {
        let new = link.makeTransport(dials: dials)
        let connectedSize = size
        safety.connecting()
        transport.withLock { $0 = new }
        try await new.connect(size: connectedSize)
        guard isWanted else {
            await new.disconnect()
            throw CancellationError()
        }
        source.update(.open)
        // The view was laid out in the meantime. A failure is the terminal's end, which is told as such.
        if size != connectedSize { try? await new.resize(to: size) }
        return new
    }

    /// Waits for each transport's end and decides what follows.
    private func supervise(_ first: any TerminalTransport) async {
        var current = first
        while true {
            let closure = await current.closure()
            await safety.disconnected()
            guard isWanted, closure.reason == .lost else { return end(closure) }
            source.update(.reconnecting)
            do {
                current = try await reconnect()
            } catch {
                return end(TerminalClosure(failing: error))
            }
        }
    }

    /// Tries until the link says that it is over, or that it cannot be mended.
    private func reconnect() async throws -> any TerminalTransport {
        while true {
            try await link.waitUntilConnected()
            do {
                return try await connect(dials: false)
            } catch let error as TransportError where HostLink.isRetryable(error) && isWanted && !Task.isCancelled {
                // The connection went again before the terminal stood, or the server was slow: the link knows which.
                try await link.waitAfterFailure(clock)
            }
        }
    }

    private func end(_ closure: TerminalClosure) {
        if case .ended = source.current { return }
        // Whatever breaks while it is being closed, the closing is the reason.
        let isClosing = !isWanted && closure.reason == .lost
        source.update(.ended(isClosing ? TerminalClosure(.disconnected) : closure))
        source.finish()
        link.output.finish()
    }

    // MARK: The terminal

    /// Tells the program a new size, now and after each reconnect. A size that is not usable is ignored.
    public func resize(to size: TerminalSize) async throws {
        guard size.isUsable, size != self.size else { return }
        self.size = size
        guard source.current.isOpen else { return }
        try await transport.withLock(\.self)?.resize(to: size)
    }

    /// Throws where nothing can be sent now.
    nonisolated func requireOpen() throws {
        if safety.isRetired { throw over }
        switch source.current {
        case .open: return
        case .opening, .reconnecting: throw notConnected()
        case .ended: throw over
        }
    }

    private nonisolated var over: TransportError { TransportError(.closed, "The session \(name) is over.") }

    /// Writes bytes to the terminal as they are.
    nonisolated func send(_ bytes: [UInt8]) async throws {
        try await link.waitForInput()
        try requireOpen()
        guard let transport = transport.withLock(\.self) else { throw notConnected() }
        do {
            try await transport.write(bytes)
        } catch let error as TransportError {
            // The terminal has ended, and this session may not have heard of it yet. What throws has sent nothing.
            try requireOpen()
            throw notConnected(error)
        }
    }

    private nonisolated func notConnected(_ cause: (any Error)? = nil) -> TransportError {
        let message = "The session \(name) is not connected at the moment; nothing was sent. It reconnects by itself."
        return TransportError(.notConnected, message, recovery: .retry, cause: cause)
    }
}

extension TransportError.Code {
    /// The connection is lost and comes back by itself; what was to be sent was not.
    public static let notConnected = TransportError.Code(rawValue: "notConnected")
}
