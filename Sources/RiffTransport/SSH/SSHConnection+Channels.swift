// Riff
// SPDX-License-Identifier: Apache-2.0

internal import NIOCore
internal import RiffCore

/// What is started on a session channel.
enum SSHChannelProgram: Sendable {
    /// A command for the login shell, with standard error apart, and an ``SSHCommandGate`` before it where the server
    /// needs one; `report` is written to standard error first, and `isBulk` where it is read to its end at once.
    case command(String, report: String? = nil, isBulk: Bool = false)
    /// A command on a terminal, with standard error merged.
    case terminal(String, type: String, size: TerminalSize)
    /// A subsystem, such as `sftp`.
    case subsystem(String)

    /// The receive window in bytes. It decides how much arrives in one round trip (2.5 MB/s at 100 ms where people and
    /// agents talk), and how much of one channel's flood lies in front of another's echo; where people and agents talk
    /// it is smaller while somebody types.
    var window: Int {
        switch self {
        case .terminal, .command(_, _, isBulk: false): 256 * 1024
        case .command(_, _, isBulk: true), .subsystem: 2 * 1024 * 1024
        }
    }
}

extension SSHConnection {
    /// Opens a session channel for a program. Nothing has been started when this throws.
    ///
    /// - Throws: `channelRefused` when the server opens no more channels (MaxSessions), `timeout`, `connectionLost`,
    ///   `CancellationError`.
    func openSession(
        for program: SSHChannelProgram,
        _ setup: SSHChannelState.Setup,
        within limit: Duration
    ) async throws -> SSHChannelHandle {
        var isTerminal = false
        if case .terminal = program { isTerminal = true }
        return try await open(
            .session(window: program.window, mergesDiagnostics: isTerminal),
            window: program.window,
            takesKeys: isTerminal,
            setup,
            within: limit
        )
    }

    /// Starts a program on its channel. When this throws `CancellationError`, `timeout` or `closedUnanswered`, it may
    /// run all the same, until its channel is closed; a gated command does not.
    ///
    /// - Throws: `channelRequestRefused` when the server does not start it, `closedUnanswered`, `timeout`,
    ///   `connectionLost`, `CancellationError`.
    func start(_ program: SSHChannelProgram, on handle: SSHChannelHandle, within limit: Duration) async throws {
        for request in program.requests(isGated: gatesCommands) {
            do {
                try await ask(request, of: handle, within: limit)
            } catch let error as TransportError where error.code == .channelRequestRefused {
                guard case .terminal = request else { throw error }
                let message =
                    "The server gives no terminal, which sessions need: its sshd_config says PermitTTY no, or no-pty or "
                    + "restrict stands before the key in ~/.ssh/authorized_keys."
                throw TransportError(.channelRequestRefused, message, cause: error)
            }
        }
        if gatesCommands, case .command = program { handle.state.input.offer(SSHCommandGate.opening) }
    }

    /// Opens a connection from the server to a target.
    ///
    /// - Parameters:
    ///   - target: The target, as the server sees it.
    ///   - window: The receive window in bytes; `nil` for the wire of another connection.
    ///   - setup: Where its bytes go.
    ///   - limit: The time that the server has for its answer.
    ///   - endsConnectionWhenLate: Whether a late answer is taken for a dead connection.
    /// - Returns: The open channel.
    /// - Throws: `forwardingProhibited`, `forwardingFailed`, `channelRefused`, `timeout`, `connectionLost`;
    ///   `CancellationError`.
    func openTunnel(
        to target: SSHTunnelTarget,
        window: Int? = nil,
        _ setup: SSHChannelState.Setup,
        within limit: Duration,
        endsConnectionWhenLate: Bool = true
    ) async throws -> SSHChannelHandle {
        try await open(
            .tunnel(to: target, window: window),
            window: window ?? 256 * 1024,
            takesKeys: false,
            setup,
            within: limit,
            endsConnectionWhenLate: endsConnectionWhenLate
        )
    }

    private func open(
        _ kind: SSHChannelKind,
        window: Int,
        takesKeys: Bool,
        _ setup: SSHChannelState.Setup,
        within limit: Duration,
        endsConnectionWhenLate: Bool = true
    ) async throws -> SSHChannelHandle {
        let pump: @Sendable () -> Void = { [weak self] in self?.schedulePump() }
        let sendKeys: @Sendable () -> Void = { [weak self] in self?.scheduleKeys() }
        let state = SSHChannelState(setup, window: window, onInput: takesKeys ? sendKeys : pump, pump: pump)
        let engine = engine
        do {
            let id = try await perform(
                "Opening a channel",
                within: limit,
                endsConnectionWhenLate: endsConnectionWhenLate,
                // The caller has gone: the channel is closed as soon as it is there.
                discard: { engine.close($0) },
                begin: { engine, done in engine.open(kind, port: state, completion: done) }
            )
            state.opened()
            return SSHChannelHandle(id: id, state: state, connection: self)
        } catch {
            state.disown()
            throw error
        }
    }

    private func ask(_ request: SSHChannelRequest, of handle: SSHChannelHandle, within limit: Duration) async throws {
        try await perform(
            "Starting the program",
            within: limit,
            endsConnectionWhenLate: false,
            begin: { (engine, done: @escaping (Result<Void, TransportError>) -> Void) in
                engine.request(request, of: handle.id, completion: done)
            }
        )
    }

    func resize(_ handle: SSHChannelHandle, to size: TerminalSize, within limit: Duration) async throws {
        try await ask(.resize(size), of: handle, within: limit)
    }

    func closeChannel(_ handle: SSHChannelHandle) {
        engine.close(handle.id)
        pump()
        let (id, state) = (handle.id, handle.state)
        guard state.end.current == nil else { return }
        // A peer that never agrees to the close must not keep the channel's place for ever.
        loop.scheduleTask(in: TimeAmount(SSHConnection.closeLimit)) { [weak self] in
            guard state.end.current == nil else { return }
            self?.assumeIsolated { connection in
                connection.engine.abandon(id)
                connection.pump()
            }
        }
    }

    /// The time that a peer has to agree that a channel is closed.
    private static var closeLimit: Duration { .seconds(5) }
}

extension SSHChannelProgram {
    fileprivate func requests(isGated: Bool) -> [SSHChannelRequest] {
        switch self {
        case .command(let line, let report, _): [.exec(SSHCommandGate.line(line, report: report, isGated: isGated))]
        case .terminal(let line, let type, let size): [.terminal(type: type, size: size), .exec(line)]
        case .subsystem(let name): [.subsystem(name)]
        }
    }
}

/// An open channel, from anywhere.
struct SSHChannelHandle: Sendable {
    let id: SSHChannelID
    let state: SSHChannelState
    let connection: SSHConnection

    /// Closes the channel; its end is reported when the peer agreed, or after a short while without it.
    func close() async {
        state.abandon()
        await connection.closeChannel(self)
    }
}
