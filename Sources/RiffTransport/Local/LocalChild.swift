// Riff
// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Musl)
internal import Musl
#else
internal import Glibc
#endif
internal import CRiffPTY
internal import RiffCore
internal import Synchronization

/// One started child, on pipes or on a terminal: its descriptors, its signals and its end.
///
/// Descriptors are closed and the child is reaped on the loop's thread alone, so that the loop never waits for a number
/// that means something else by now. The child stays unreaped while its output is open: until then its process group's
/// number cannot belong to anybody else, and signaling it is safe.
final class LocalChild: Sendable {
    /// The way that a child ended.
    struct End: Sendable {
        let exit: ExitStatus?
        /// Whether `close` was called before it ended by itself.
        let wasClosed: Bool
    }

    /// The treatment of standard error that is not read.
    enum Diagnostics: Sendable {
        /// The oldest bytes are dropped.
        case dropsOldest
        /// The program waits.
        case backPressure
    }

    let processID: Int32
    let name: String
    let input: BytePipe
    let output: BytePipe
    let diagnostics: BytePipe
    /// Told when the program itself ended; what it wrote may still be on its way.
    let exited = EventualValue<ExitStatus?>()
    /// Told when everything is read, closed and reaped.
    let ended = EventualValue<End>()

    struct State {
        var input: Int32
        var output: Int32
        var diagnostics: Int32
        var exit: Int32
        var unsent: ArraySlice<UInt8> = []
        var hasExited = false
        var exitStatus: ExitStatus?
        var isReaped = false
        var isClosing = false
        var wasHungUp = false
        var wasClosed = false
        var closing: Task<Void, Never>?
    }

    let state: Mutex<State>
    let isTerminal: Bool
    let diagnosticsPolicy: Diagnostics
    private let onEnd: @Sendable (End) -> Void

    /// The pipes of a child that is still to be started, with hooks that wake the loop.
    struct Pipes: Sendable {
        let input = BytePipe(onReadable: { LocalIOLoop.shared.wake() })
        let output: BytePipe
        let diagnostics = BytePipe(onDrain: { LocalIOLoop.shared.wake() })

        init(outputBytes: Int = 256 * 1024) {
            output = BytePipe(highWater: outputBytes, onDrain: { LocalIOLoop.shared.wake() })
        }
    }

    private init(
        _ child: riff_child,
        exitDescriptor: Int32,
        name: String,
        pipes: Pipes,
        diagnosticsPolicy: Diagnostics,
        onEnd: @escaping @Sendable (End) -> Void
    ) {
        processID = child.pid
        self.name = name
        input = pipes.input
        output = pipes.output
        diagnostics = pipes.diagnostics
        isTerminal = child.input == child.output
        state = Mutex(
            State(input: child.input, output: child.output, diagnostics: child.diagnostics, exit: exitDescriptor)
        )
        self.diagnosticsPolicy = diagnosticsPolicy
        self.onEnd = onEnd
    }

    /// Starts a command, off the cooperative pool.
    ///
    /// - Throws: `TransportError` with `programNotFound` or `processNotStarted`; `CancellationError` when cancelled
    /// before
    ///   it was started.
    static func start(
        _ command: LocalCommand,
        terminal size: TerminalSize? = nil,
        pipes: Pipes = Pipes(),
        diagnosticsPolicy: Diagnostics = .dropsOldest,
        onEnd: @escaping @Sendable (End) -> Void = { _ in }
    ) async throws -> LocalChild {
        try await onBlockingThread {
            do {
                try LocalIOLoop.shared.prepare()
                let started = try LocalStart.start(command, terminal: size)
                let exitDescriptor = riff_exit_descriptor(started.pid)
                guard exitDescriptor >= 0 else {
                    let failure = SystemFailure("pidfd_open")
                    discard(started)
                    throw failure
                }
                let child = LocalChild(
                    started,
                    exitDescriptor: exitDescriptor,
                    name: command.program,
                    pipes: pipes,
                    diagnosticsPolicy: diagnosticsPolicy,
                    onEnd: onEnd
                )
                LocalIOLoop.shared.add(child)
                return child
            } catch let failure as SystemFailure {
                throw TransportError(.processNotStarted, "\(command.program) was not started: \(failure.text).")
            }
        }
    }

    /// Takes back a start that cannot be watched.
    private static func discard(_ child: riff_child) {
        killpg(child.pid, SIGKILL)
        while waitpid(child.pid, nil, 0) < 0, errno == EINTR {}
        for descriptor in Set([child.input, child.output, child.diagnostics]) where descriptor >= 0 {
            closeDescriptor(descriptor)
        }
    }

    // MARK: Control

    /// Signals the child's process group, unless it is gone.
    func signal(_ number: Int32) {
        state.withLock { state in
            if !state.isReaped { killpg(processID, number) }
        }
    }

    /// Tells a terminal child its size; nothing where it is gone.
    func resize(to size: TerminalSize) throws(SystemFailure) {
        var window = riff_window(size)
        let code = state.withLock { state in
            isTerminal && state.output >= 0 ? riff_set_window(state.output, &window) : 0
        }
        if code != 0 { throw SystemFailure("ioctl(TIOCSWINSZ)", code: code) }
    }

    /// Ends the child: its input is closed, it is signaled (SIGINT on pipes, SIGHUP on a terminal), and after the
    /// grace, or when its leader is gone, the whole process group is killed. Returns when it is reaped; not cut short
    /// by cancellation. Further calls join the first.
    func close(grace: Duration, clock: any Clock<Duration>) async {
        let task = state.withLock { state in
            if let task = state.closing { return task }
            let task = Task { await end(within: grace, clock: clock) }
            state.closing = task
            return task
        }
        await task.value
    }

    private func end(within grace: Duration, clock: any Clock<Duration>) async {
        state.withLock { state in
            state.isClosing = true
            state.wasClosed = !state.hasExited
        }
        LocalIOLoop.shared.wake()
        // Late or cancelled: it is killed.
        _ = try? await withDeadline(grace, clock: clock) { try await self.ended.cancellableValue() }
        signal(SIGKILL)
        _ = await ended.value()
    }

    /// Called by the loop when nothing is left.
    func finish(_ end: End) {
        exited.resolve(end.exit)
        onEnd(end)
        ended.resolve(end)
    }
}
