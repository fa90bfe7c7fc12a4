// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffTransport
import Synchronization

/// This machine over a connection that a test cuts and mends, as a front end would write one: it has nothing but the
/// seam.
final class CuttableHost: TerminalHost {
    private let machine = LocalHostSession(shell: "/bin/sh")
    private let states = StateSource(HostLinkState(connection: .connected))
    private let terminals = Mutex<[CuttableTerminal]>([])
    let name = "me@cuttable"

    var current: HostLinkState { states.current }
    func updates() -> AsyncStream<HostLinkState> { states.updates() }

    func cut() async {
        states.update(HostLinkState(connection: .reconnecting(attempt: 1, delay: nil)))
        for terminal in terminals.withLock({ $0 }) { await terminal.lose() }
    }

    func mend() { states.update(HostLinkState(connection: .connected)) }

    func makeTerminal(_ command: String) -> any TerminalTransport {
        let terminal = CuttableTerminal(machine.makeTerminal(command))
        terminals.withLock { $0.append(terminal) }
        return terminal
    }

    func run(_ command: String, input: [UInt8], outputLimit: Int, timeout: Duration) async throws -> CommandResult {
        guard current.connection == .connected else { throw TransportError(.notConnected, "\(name) is cut off.") }
        return try await machine.run(command, input: input, outputLimit: outputLimit, timeout: timeout)
    }

    func openChannel(_ command: String) async throws -> any ByteChannel { try await machine.openChannel(command) }
    func status(of path: String) async throws -> FileStatus? { try await machine.status(of: path) }
    func list(_ path: String) async throws -> [DirectoryEntry] { try await machine.list(path) }
    func read(_ path: String, from offset: UInt64, count: Int) async throws -> [UInt8] {
        try await machine.read(path, from: offset, count: count)
    }
    func write(_ bytes: [UInt8], to path: String, permissions: UInt16?) async throws {
        try await machine.write(bytes, to: path, permissions: permissions)
    }
    func rename(_ path: String, to newPath: String) async throws { try await machine.rename(path, to: newPath) }
    func remove(_ path: String) async throws { try await machine.remove(path) }
    func makeDirectory(_ path: String, permissions: UInt16) async throws {
        try await machine.makeDirectory(path, permissions: permissions)
    }
    func fingerprints(of paths: [String]) async throws -> [String: FileFingerprint] {
        try await machine.fingerprints(of: paths)
    }
    func watch(_ paths: [String], every interval: Duration, clock: any Clock<Duration>) async throws -> FileWatch {
        try await machine.watch(paths, every: interval, clock: clock)
    }
    func withoutWaking() async throws -> any HostSession { self }
}

/// A terminal that can be lost.
private final class CuttableTerminal: TerminalTransport {
    private let terminal: any TerminalTransport
    private let isLost = Mutex(false)

    init(_ terminal: any TerminalTransport) { self.terminal = terminal }

    var output: TerminalOutput { terminal.output }
    func connect(size: TerminalSize) async throws { try await terminal.connect(size: size) }
    func write(_ bytes: [UInt8]) async throws { try await terminal.write(bytes) }
    func resize(to size: TerminalSize) async throws { try await terminal.resize(to: size) }
    func disconnect() async { await terminal.disconnect() }

    func lose() async {
        isLost.withLock { $0 = true }
        await terminal.disconnect()
    }

    func closure() async -> TerminalClosure {
        let closure = await terminal.closure()
        guard isLost.withLock({ $0 }) else { return closure }
        return TerminalClosure(.lost, error: TransportError(.connectionLost, "The connection was cut."))
    }
}
