// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore
internal import Synchronization

/// A program on this machine, on a pseudo-terminal of its own.
///
/// When the program ends, so does the terminal: what it wrote is kept, and what it left running in the background loses
/// the terminal, as when a window is closed.
public final class LocalPTYTerminal: TerminalTransport {
    /// The output that the program drew.
    public let output: TerminalOutput

    private enum State {
        case new
        case connecting
        case connected(LocalChild)
        /// Disconnected before, or never connected.
        case over
    }

    private let program: String
    private let command: @Sendable () async throws -> LocalCommand
    private let closeGrace: Duration
    private let clock: any Clock<Duration>
    private let pipes = LocalChild.Pipes()
    private let state = Mutex(State.new)
    private let end = EventualValue<TerminalClosure>()

    /// A terminal for a program, which starts with ``connect(size:)``.
    ///
    /// - Parameters:
    ///   - command: What to start. `TERM` is set to `xterm-256color` where the environment given here does not set it;
    ///     an inherited one is replaced.
    ///   - closeGrace: How long ``disconnect()`` lets it end after the hang-up before it kills its process group.
    ///   - clock: Measures that.
    public convenience init(
        _ command: LocalCommand,
        closeGrace: Duration = .seconds(2),
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.init(program: command.program, closeGrace: closeGrace, clock: clock) { command }
    }

    /// A terminal for a program that is found when it is to start.
    init(
        program: String,
        closeGrace: Duration = .seconds(2),
        clock: any Clock<Duration> = ContinuousClock(),
        command: @escaping @Sendable () async throws -> LocalCommand
    ) {
        self.program = program
        self.command = command
        self.closeGrace = closeGrace
        self.clock = clock
        output = TerminalOutput(pipes.output)
    }

    /// Starts the program on a terminal of this size; one that is not usable becomes 80x24.
    ///
    /// - Throws: `TransportError` with `programNotFound` or `processNotStarted`, and `closed` where it was called
    ///   before or the terminal was disconnected; `CancellationError`. The terminal is then ended.
    public func connect(size: TerminalSize) async throws {
        let isFirst = state.withLock { state in
            guard case .new = state else { return false }
            state = .connecting
            return true
        }
        guard isFirst else { throw TransportError(.closed, "A terminal is connected once; make a new one.") }
        let child: LocalChild
        do {
            child = try await LocalChild.start(
                try await command().onTerminal("xterm-256color"),
                terminal: size.isUsable ? size : .standard,
                pipes: pipes,
                onEnd: { [end] in
                    end.resolve(TerminalClosure($0.wasClosed ? .disconnected : .exited, exit: $0.exit))
                }
            )
        } catch {
            state.withLock { $0 = .over }
            finish(TerminalClosure(failing: error))
            throw error
        }
        let isWanted = state.withLock { state in
            guard case .connecting = state else { return false }
            state = .connected(child)
            return true
        }
        guard !isWanted else { return }
        await child.close(grace: closeGrace, clock: clock)
        throw TransportError(.closed, "The terminal was disconnected while it was being connected.")
    }

    /// Queues keys, and suspends while 256 KiB wait to be taken by the program.
    public func write(_ bytes: [UInt8]) async throws {
        _ = try child()
        try await pipes.input.send(bytes)
    }

    /// Tells the program a new size (SIGWINCH). A size that is not usable is ignored.
    public func resize(to size: TerminalSize) async throws {
        let child = try child()
        guard size.isUsable else { return }
        do {
            try child.resize(to: size)
        } catch {
            throw TransportError(.closed, "The terminal of \(program) took no size: \(error.text).")
        }
    }

    /// Hangs the terminal up and returns when the program is gone: by itself, or killed with its process group after
    /// the grace. Not cut short by cancellation.
    public func disconnect() async {
        let child: LocalChild? = state.withLock { state in
            if case .connected(let child) = state { return child }
            state = .over
            return nil
        }
        if let child {
            await child.close(grace: closeGrace, clock: clock)
        } else {
            finish(TerminalClosure(.disconnected))
        }
    }

    /// Suspends until the end, also in a cancelled task.
    public func closure() async -> TerminalClosure { await end.value() }

    private func child() throws -> LocalChild {
        guard case .connected(let child) = state.withLock({ $0 }) else {
            throw TransportError(.closed, "The terminal of \(program) is not connected.")
        }
        guard end.current == nil else {
            throw TransportError(.closed, "The terminal of \(program) has ended.")
        }
        return child
    }

    private func finish(_ closure: TerminalClosure) {
        pipes.input.finish()
        pipes.output.finish()
        end.resolve(closure)
    }
}
