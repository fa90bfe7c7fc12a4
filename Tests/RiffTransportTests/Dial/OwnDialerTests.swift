// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffTesting
import RiffTransport
import Testing

extension InTurn {
    /// The dialer of docs/guides/own-dialer.md, over sockets that stand in for a tailnet's.
    @Suite(.timeLimit(.minutes(3)))
    struct OwnDialerTests {
        @Test(arguments: HostDialerConformance.checks)
        func `the guide's dialer keeps the contract`(check: ConformanceCheck<HostDialerConformance>) async throws {
            let dialer = TailnetDialer { name, port in
                let socket = try await NetworkDialer().dial(HostAddress(name, port: port), within: .seconds(600))
                return TailnetSocket(
                    read: {
                        var iterator = socket.output.makeAsyncIterator()
                        return try await iterator.next()
                    },
                    write: { try await socket.write($0) },
                    end: { try await socket.finishWriting() },
                    close: { await socket.abort() }
                )
            }
            try await check.run(HostDialerConformance(dialer))
        }
    }
}

private struct TailnetSocket: Sendable {
    let read: @Sendable () async throws -> [UInt8]?
    let write: @Sendable ([UInt8]) async throws -> Void
    let end: @Sendable () async throws -> Void
    let close: @Sendable () async -> Void
}

private final class TailnetChannel: ByteChannel {
    let output: ByteStream
    let diagnostics: ByteStream
    private let inbound: ByteStream.Writer
    private let outbound: ByteStream.Writer
    private let socket: TailnetSocket
    private let reading: Task<Void, any Error>
    private let writing: Task<Void, Never>

    init(_ socket: TailnetSocket) {
        let (output, inbound) = ByteStream.makeStream()
        let (written, outbound) = ByteStream.makeStream()
        let (diagnostics, words) = ByteStream.makeStream()
        words.finish()
        reading = Task {
            do {
                while let bytes = try await socket.read() { try await inbound.write(bytes) }
                inbound.finish()
            } catch {
                let lost = TransportError(.connectionLost, "The tailnet lost the connection.", cause: error)
                inbound.finish(throwing: lost)
                throw lost
            }
        }
        writing = Task {
            do {
                for try await bytes in written { try await socket.write(bytes) }
                try await socket.end()
            } catch {
                outbound.finish()
            }
        }
        (self.output, self.inbound, self.diagnostics) = (output, inbound, diagnostics)
        (self.outbound, self.socket) = (outbound, socket)
    }

    func write(_ bytes: [UInt8]) async throws { try await outbound.write(bytes) }
    func finishWriting() async throws { outbound.finish() }
    func exitStatus() async throws -> RiffTransport.ExitStatus? {
        try await reading.value
        return nil
    }
    func close() async {
        outbound.finish()
        let late = Task { [self] in
            try await ContinuousClock().sleep(for: .seconds(1))
            await socket.close()
        }
        await writing.value
        late.cancel()
        await abort()
    }
    func abort() async {
        let closed = TransportError(.closed, "The connection was closed on this side.")
        inbound.finish(throwing: closed)
        outbound.finish(throwing: closed)
        await socket.close()
        writing.cancel()
        reading.cancel()
    }
}

private struct TailnetDialer: HostDialer {
    let connect: @Sendable (String, Int) async throws -> TailnetSocket

    func dial(_ address: HostAddress, within limit: Duration) async throws -> any ByteChannel {
        try await withThrowingTaskGroup(of: TailnetSocket.self) { group in
            group.addTask { try await connect(address.name, address.port) }
            group.addTask {
                try await ContinuousClock().sleep(for: limit)
                throw TransportError(.timeout, "The tailnet did not reach \(address) in \(limit).")
            }
            defer { group.cancelAll() }
            guard let socket = try await group.next() else { throw CancellationError() }
            return TailnetChannel(socket)
        }
    }
}
