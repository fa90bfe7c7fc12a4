// Riff
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import RiffTesting
import RiffTransport
import Synchronization
import TestSupport

/// A byte channel to a child process whose standard input and output are one socket pair.
final class ServerProcessChannel: ByteChannel {
    struct Broken: Error { let number: Int32 }

    /// Whether the process was waited for, after which its number may be another's.
    private final class Ended: Sendable { let value = Mutex(false) }

    static let server = "/usr/lib/openssh/sftp-server"
    static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: server) }

    let output: ByteStream
    let diagnostics: ByteStream
    private let pipe: BytePipe
    private let process: SpawnedProgram
    private let hasEnded: Ended
    private let descriptor: Int32
    private let writing = DispatchQueue(label: "riff.test.sftp.write")
    private let reading = DispatchGroup()

    init(_ program: String = server, _ arguments: [String] = []) throws {
        var pair: [Int32] = [0, 0]
        guard socketpair(AF_UNIX, LoopbackSocket.stream, 0, &pair) == 0 else { throw Broken(number: errno) }
        _ = fcntl(pair[0], F_SETFD, FD_CLOEXEC)
        descriptor = pair[0]
        let theirs = FileHandle(fileDescriptor: pair[1], closeOnDealloc: true)
        let drained = DispatchSemaphore(value: 0)
        pipe = BytePipe(onDrain: { drained.signal() })
        output = ByteStream(pipe)
        let (none, writer) = ByteStream.makeStream()
        writer.finish()
        diagnostics = none
        let hasEnded = Ended()
        self.hasEnded = hasEnded
        process = try SpawnedProgram(
            program,
            arguments,
            input: theirs,
            output: theirs,
            diagnostics: FileHandle(forWritingAtPath: "/dev/null"),
            onExit: { _ in hasEnded.value.withLock { $0 = true } }
        )
        try theirs.close()
        let (pipe, descriptor, reading) = (pipe, descriptor, reading)
        reading.enter()
        Thread.detachNewThread {
            var chunk = [UInt8](repeating: 0, count: 256 * 1024)
            while case let count = recv(descriptor, &chunk, chunk.count, 0), count > 0 {
                if !pipe.offer(Array(chunk.prefix(count))) { drained.wait() }
            }
            pipe.finish()
            reading.leave()
        }
    }

    var processID: pid_t { process.processID }

    func write(_ bytes: [UInt8]) async throws {
        try Task.checkCancellation()
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            writing.async { [descriptor] in
                var sent = 0
                while sent < bytes.count {
                    let count = bytes[sent...].withUnsafeBytes {
                        send(descriptor, $0.baseAddress, $0.count, LoopbackSocket.noSignal)
                    }
                    if count < 0 { return continuation.resume(throwing: Broken(number: errno)) }
                    sent += count
                }
                continuation.resume()
            }
        }
    }

    func finishWriting() async throws { shutdown(descriptor, Int32(SHUT_WR)) }

    func close() async {
        shutdown(descriptor, Int32(SHUT_RDWR))
        pipe.finish()
        while case .bytes = pipe.take() {}
        await withCheckedContinuation { done in reading.notify(queue: .global()) { done.resume() } }
    }

    func exitStatus() async throws -> ExitStatus? { nil }

    deinit {
        hasEnded.value.withLock { if !$0 { _ = kill(process.processID, SIGKILL) } }
        Foundation.close(descriptor)
    }
}
