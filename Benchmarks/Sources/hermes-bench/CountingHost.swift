// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffTransport
import Synchronization

/// Counts the bytes of every channel, both ways.
final class CountingHost: HostSession {
    private let base: SSHHost
    private let count = Mutex(0)

    init(_ base: SSHHost) { self.base = base }

    var bytes: Int { count.withLock { $0 } }
    func add(_ bytes: Int) { count.withLock { $0 += bytes } }

    func openChannel(_ command: String) async throws -> any ByteChannel {
        add(command.utf8.count)
        return CountingChannel(try await base.openChannel(command), self)
    }

    func run(_ command: String, input: [UInt8], outputLimit: Int, timeout: Duration) async throws -> CommandResult {
        let result = try await base.run(command, input: input, outputLimit: outputLimit, timeout: timeout)
        add(command.utf8.count + input.count + result.output.count + result.diagnostics.count)
        return result
    }

    func status(of path: String) async throws -> FileStatus? { try await base.status(of: path) }
    func list(_ path: String) async throws -> [DirectoryEntry] { try await base.list(path) }
    func read(_ path: String, from offset: UInt64, count: Int) async throws -> [UInt8] {
        let bytes = try await base.read(path, from: offset, count: count)
        add(bytes.count)
        return bytes
    }
    func write(_ bytes: [UInt8], to path: String, permissions: UInt16?) async throws {
        try await base.write(bytes, to: path, permissions: permissions)
    }
    func rename(_ path: String, to newPath: String) async throws { try await base.rename(path, to: newPath) }
    func remove(_ path: String) async throws { try await base.remove(path) }
    func makeDirectory(_ path: String, permissions: UInt16) async throws {
        try await base.makeDirectory(path, permissions: permissions)
    }
}

private final class CountingChannel: ByteChannel {
    let output: ByteStream
    private let base: any ByteChannel
    private let host: CountingHost
    private let pump: Task<Void, Never>

    init(_ base: any ByteChannel, _ host: CountingHost) {
        let (stream, writer) = ByteStream.makeStream()
        output = stream
        self.base = base
        self.host = host
        pump = Task {
            do {
                for try await bytes in base.output {
                    host.add(bytes.count)
                    try await writer.write(bytes)
                }
                writer.finish()
            } catch { writer.finish(throwing: error) }
        }
    }

    var diagnostics: ByteStream { base.diagnostics }
    func write(_ bytes: [UInt8]) async throws {
        host.add(bytes.count)
        try await base.write(bytes)
    }
    func finishWriting() async throws { try await base.finishWriting() }
    func close() async {
        await base.close()
        pump.cancel()
        await pump.value
    }
    func exitStatus() async throws -> ExitStatus? { try await base.exitStatus() }
}
