// Riff
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import RiffCore
internal import Synchronization

/// A child `sh` that owns a server process: it outlives neither this object nor this process.
package final class ServerSupervisor: Sendable {
    let folder: String
    let log = ServerLog()
    private let name: String
    private let readiness: String
    private let deadline: Duration
    private let port: Int
    /// The port while the server is halted.
    private let held = Mutex<HeldPort?>(nil)
    /// The write end of the supervisor's standard input; its closing is the order to end.
    private let orders: Mutex<FileHandle?>

    /// Starts a server and returns once it listens.
    ///
    /// - Parameters:
    ///   - name: The server's name in errors.
    ///   - command: The absolute path of the program, and its arguments.
    ///   - port: The port of 127.0.0.1 on which it listens.
    ///   - folder: The server's private folder; removed at the end, also when this throws.
    ///   - isInOwnNamespace: Whether it runs in a mount namespace of its own, with the folder's `passwd` over the
    ///     system's.
    ///   - readiness: What the server's log says once it listens.
    ///   - deadline: How long each start and stop may take.
    /// - Throws: ``TestingError`` with `serverEnded` or `serverSilent`.
    init(
        _ name: String,
        command: [String],
        port: Int,
        folder: String,
        isInOwnNamespace: Bool = false,
        readiness: String,
        deadline: Duration
    ) async throws {
        self.name = name
        self.folder = folder
        self.readiness = readiness
        self.deadline = deadline
        self.port = port
        let shell = ["/bin/sh", "-c", Self.script, "riff-server", folder] + command
        let line = isInOwnNamespace ? [try SystemProgram.required("unshare"), "-m"] + shell : shell
        let input = Pipe()
        let output = Pipe()
        orders = Mutex(input.fileHandleForWriting)
        let log = log
        do {
            _ = try SpawnedProgram(
                line[0],
                Array(line.dropFirst()),
                input: input.fileHandleForReading,
                output: output.fileHandleForWriting
            ) { _ in log.end() }
            try input.fileHandleForReading.close()
            try output.fileHandleForWriting.close()
        } catch {
            try? FileManager.default.removeItem(atPath: folder)  // Cleanup; the spawn's own error is the one to show.
            throw error
        }
        let reading = output.fileHandleForReading
        Thread.detachNewThread {
            // Until the last process that can write to the log is gone.
            while case let data = reading.availableData, !data.isEmpty { log.append(Array(data)) }
        }
        do {
            try await waitUntilListening(from: 0)
        } catch {
            await stop()
            throw error
        }
    }

    /// Kills the server and all its connections. Its port refuses connections until `start`; no other program gets it.
    func halt() async throws {
        let mark = log.lineCount
        try order("halt")
        _ = try await log.line(containing: ["riff: halted"], from: mark, of: name, within: deadline)
        try held.withLock { if $0 == nil { $0 = try HeldPort(port) } }
    }

    /// Starts the server again, with the same command.
    func start() async throws {
        let mark = log.lineCount
        held.withLock { $0 = nil }
        try order("start")
        try await waitUntilListening(from: mark)
    }

    /// Kills the server and all it started, and removes the folder. Returns when that is done; may be called twice.
    func stop() async {
        let handle = orders.withLock { orders in
            defer { orders = nil }
            return orders
        }
        try? handle?.close()  // Nothing to do about a pipe that does not close; the end is awaited below.
        // Not `line(containing:)`: a cancelled test still waits for its server's end.
        await log.waitForEnd()
    }

    private func waitUntilListening(from mark: Int) async throws {
        let ended = "riff: server ended"
        let line = try await log.line(containing: [readiness, ended], from: mark, of: name, within: deadline)
        if line.contains(ended) {
            throw TestingError(.serverEnded, "\(name) ended instead of listening. Its log:\n\(log.text)")
        }
    }

    private func order(_ word: String) throws {
        try orders.withLock { orders in
            guard let orders else { throw TestingError(.serverEnded, "\(name) was already stopped.") }
            try orders.write(contentsOf: Data("\(word)\n".utf8))
        }
    }
}
