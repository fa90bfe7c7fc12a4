// Riff
// SPDX-License-Identifier: Apache-2.0

package import RiffCore
internal import Synchronization

/// A command on a terminal of a host, for one connection.
///
/// RiffSessions' `TerminalSession` is what a front end wants: it makes one of these for each connection.
package final class SSHTerminal: TerminalTransport {
    /// The output that the command drew.
    package let output: TerminalOutput

    private enum State {
        case new
        /// The program may end before its start is known here.
        case connecting(ended: TerminalClosure?)
        case connected(SSHChannelHandle)
        case over
    }

    private let pipe: BytePipe
    private let endsOutput: Bool
    private let drain: SSHOutputDrain
    private let command: String
    private let link: HostLink
    private let state = Mutex(State.new)
    /// The start that `connect` waits for.
    private let starting = Mutex<Task<SSHChannelHandle, any Error>?>(nil)
    private let end = EventualValue<TerminalClosure>()
    private let isDeliberate = Mutex(false)
    private let dials: Bool
    private let head = OutputHead()

    /// A terminal that starts with ``connect(size:)``.
    ///
    /// - Parameters:
    ///   - command: One line for the account's login shell.
    ///   - link: The host.
    package convenience init(_ command: String, on link: HostLink) {
        let drain = SSHOutputDrain()
        self.init(command, on: link, output: BytePipe(onDrain: { drain.pump() }), drain: drain, endsOutput: true)
    }

    /// A terminal that writes to a pipe that others have written to and will write to.
    ///
    /// - Parameters:
    ///   - command: One line for the account's login shell.
    ///   - link: The host.
    ///   - output: The pipe; its `onDrain` calls `drain`.
    ///   - drain: Told which connection feeds the pipe.
    ///   - endsOutput: Whether the pipe ends with this terminal.
    ///   - dials: Whether a link that nobody wants any more is dialed for it.
    package init(
        _ command: String,
        on link: HostLink,
        output: BytePipe,
        drain: SSHOutputDrain,
        endsOutput: Bool = false,
        dials: Bool = true
    ) {
        self.dials = dials
        self.command = command
        self.link = link
        self.drain = drain
        self.endsOutput = endsOutput
        pipe = output
        self.output = TerminalOutput(output)
    }

    /// Opens a channel with a terminal of this size and starts the command; a size that is not usable becomes 80x24.
    package func connect(size: TerminalSize) async throws {
        let isFirst = state.withLock { state in
            guard case .new = state else { return false }
            state = .connecting(ended: nil)
            return true
        }
        guard isFirst else { throw TransportError(.closed, "A terminal is connected once; make a new one.") }
        let program = SSHChannelProgram.terminal(
            command,
            type: link.configuration.terminalType,
            size: size.isUsable ? size : .standard
        )
        let handle: SSHChannelHandle
        do {
            var setup = SSHChannelState.Setup(output: pipe, endsOutput: endsOutput, outputHead: head)
            setup.onEnd = { [weak self] in self?.finish($0) }
            handle = try await start(program, setup)
        } catch {
            let isWanted = state.withLock { state in
                defer { state = .over }
                if case .connecting = state { return true }
                return false
            }
            guard isWanted else { throw wasDisconnected }
            if endsOutput { pipe.finish() }
            end.resolve(TerminalClosure(failing: error))
            throw error
        }
        drain.attach(handle.connection)
        let (isWanted, ended) = state.withLock { state -> (Bool, TerminalClosure?) in
            guard case .connecting(let ended) = state else { return (false, nil) }
            state = .connected(handle)
            return (true, ended)
        }
        guard isWanted else {
            await handle.close()
            throw wasDisconnected
        }
        if let ended { end.resolve(ended) }
    }

    private var wasDisconnected: TransportError {
        TransportError(.closed, "The terminal was disconnected while it was being connected.")
    }

    /// Starts the command, and gives it up when the terminal is disconnected: a link that is away may not come back
    /// soon.
    private func start(
        _ program: SSHChannelProgram,
        _ setup: SSHChannelState.Setup
    ) async throws -> SSHChannelHandle {
        let task = Task { [link, dials] in try await link.start(program, setup, dials: dials) }
        starting.withLock { $0 = task }
        defer { starting.withLock { $0 = nil } }
        let isWanted = state.withLock { if case .connecting = $0 { true } else { false } }
        if !isWanted { task.cancel() }
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }

    /// Queues keys, and suspends while 256 KiB wait to be taken by the host.
    package func write(_ bytes: [UInt8]) async throws { try await handle().state.input.send(bytes) }

    /// Queues keys if fewer than 256 KiB wait to be taken by the host.
    package func writeAtOnce(_ bytes: [UInt8]) -> Bool {
        guard case .connected(let handle) = state.withLock({ $0 }) else { return false }
        return handle.state.input.offerIfOpen(bytes)
    }

    /// Asks the host for a sign of life, which it gives after it has read the keys; a connection that gives none within
    /// `operationTimeout` is taken for dead: a network that stalls for some seconds costs no session.
    package func confirm() async throws {
        let handle = try handle()
        try await handle.connection.probe(within: link.configuration.operationTimeout)
        // A program that does not read leaves them here.
        guard handle.state.input.heldBytes == 0, end.current == nil else {
            throw TransportError(.timeout, "The terminal on \(link.configuration.address) has not taken all keys yet.")
        }
    }

    /// Tells the command a new size. A size that is not usable is ignored.
    package func resize(to size: TerminalSize) async throws {
        let handle = try handle()
        guard size.isUsable else { return }
        try await handle.connection.resize(handle, to: size, within: link.configuration.operationTimeout)
    }

    /// Closes the channel; the command gets a hang-up. Returns when the closing was asked for.
    package func disconnect() async {
        isDeliberate.withLock { $0 = true }
        let handle: SSHChannelHandle? = state.withLock { state in
            defer { state = .over }
            if case .connected(let handle) = state { return handle }
            return nil
        }
        starting.withLock(\.self)?.cancel()
        if let handle { await handle.close() }
        if endsOutput { pipe.finish() }
        end.resolve(TerminalClosure(.disconnected))
    }

    /// Suspends until the end, also in a cancelled task.
    package func closure() async -> TerminalClosure { await end.value() }

    private func handle() throws -> SSHChannelHandle {
        guard case .connected(let handle) = state.withLock({ $0 }), end.current == nil else {
            throw TransportError(.closed, "The terminal on \(link.configuration.address) is not connected.")
        }
        return handle
    }

    private func finish(_ result: Result<ExitStatus?, TransportError>) {
        let closure = closure(of: result)
        let isRunning = state.withLock { state in
            guard case .connecting = state else { return true }
            state = .connecting(ended: closure)
            return false
        }
        // While it is being connected, only `connect` knows whether this is an end of the program or of the attempt.
        if isRunning { end.resolve(closure) }
    }

    private func closure(of result: Result<ExitStatus?, TransportError>) -> TerminalClosure {
        if isDeliberate.withLock({ $0 }) { return TerminalClosure(.disconnected) }
        switch result {
        case .failure(let error): return TerminalClosure(.lost, error: error)
        case .success(let exit):
            let output = String(decoding: head.bytes, as: UTF8.self)
            let error = exit.flatMap { $0.reasonNotToStart(output: output, host: "\(link.configuration.address)") }
            return TerminalClosure(.exited, exit: exit, error: error)
        }
    }
}

/// Which connection feeds a pipe now: pumped when the pipe has room again.
package final class SSHOutputDrain: Sendable {
    private struct Feeder { weak var connection: SSHConnection? }

    private let feeder = Mutex(Feeder())

    package init() {}

    func attach(_ connection: SSHConnection) {
        feeder.withLock { $0.connection = connection }
        connection.schedulePump()
    }

    package func pump() { feeder.withLock(\.connection)?.schedulePump() }
}
