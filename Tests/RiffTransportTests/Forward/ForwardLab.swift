// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffTransport
import Synchronization
import TestSupport
import Testing

/// How many bytes were sent.
final class Progress: Sendable {
    private let count = Atomic(0)

    var value: Int { count.load(ordering: .relaxed) }

    func add(_ more: Int) { count.add(more, ordering: .relaxed) }
}

/// What tests of forwards share.
enum ForwardLab {
    static func loopback(_ port: Int) throws -> HostAddress { try HostAddress("127.0.0.1", port: port) }

    static func withEcho(_ body: (EchoServer) async throws -> Void) async throws {
        let echo = try EchoServer()
        let result: Result<Void, any Error>
        do { result = .success(try await body(echo)) } catch { result = .failure(error) }
        await echo.stop()
        try result.get()
    }

    /// Bytes that differ at each place, within a period that no buffer's size divides.
    private static let pattern = (0..<1_000_003).map { UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761) >> 11) }

    static func send(_ count: Int, through client: LoopbackClient, _ progress: Progress = Progress()) async throws {
        var sent = 0
        while sent < count {
            let start = sent % pattern.count
            let part = Array(pattern[start..<min(pattern.count, start + min(256 * 1024, count - sent))])
            try await client.write(part)
            sent += part.count
            progress.add(part.count)
        }
    }

    /// Reads so many bytes and compares each of them.
    static func expect(_ count: Int, from client: LoopbackClient) async throws {
        var got = 0
        while got < count {
            let bytes = try await client.readSome()
            try #require(!bytes.isEmpty, "the connection ended after \(got) bytes")
            var offset = 0
            while offset < bytes.count {
                let start = (got + offset) % pattern.count
                let length = min(bytes.count - offset, pattern.count - start)
                try #require(
                    bytes[offset..<offset + length].elementsEqual(pattern[start..<start + length]),
                    "a byte is wrong among the \(length) from \(got + offset) on"
                )
                offset += length
            }
            got += bytes.count
        }
        try #require(got == count)
    }

    /// Whether bytes pass.
    static func passes(from one: LoopbackClient, to other: LoopbackClient) async throws -> Bool {
        try await one.write([7])
        return try await other.read(1) == [7]
    }
}

extension PortForward {
    /// The first state that meets a condition.
    func state(where condition: (PortForwardState) -> Bool) async throws -> PortForwardState {
        for await state in updates() where condition(state) { return state }
        throw CancellationError()
    }
}
