// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffTesting
import RiffTransport
import Synchronization

/// Another host whose channels are lost after so many bytes, as a broken connection loses them.
struct CuttingHost: ForwardingHostSession {
    let base: any HostSession
    /// `connectionLost`, or `closed` as where what attaches ends while something is written to it.
    var loss = TransportError.Code.connectionLost
    /// After how many bytes each further channel is lost, by its number from 0; `nil` never.
    let limit: @Sendable (Int) -> Int?
    let opened = Counter()

    final class Counter: Sendable {
        private let number = Mutex(0)
        var count: Int { number.withLock(\.self) }
        func next() -> Int {
            number.withLock { number in
                defer { number += 1 }
                return number
            }
        }
    }

    func openChannel(_ command: String) async throws -> any ByteChannel {
        let limit = limit(opened.next())
        let channel = try await base.openChannel(command)
        return limit.map { CutChannel(channel, after: $0, loss) } ?? channel
    }
}

/// A channel that is lost after so many bytes either way.
private final class CutChannel: ByteChannel {
    let output: ByteStream
    private let base: any ByteChannel
    private let loss: TransportError
    private let left: Mutex<Int>
    private let writer: ByteStream.Writer
    private let pump = Mutex<Task<Void, Never>?>(nil)

    init(_ base: any ByteChannel, after bytes: Int, _ loss: TransportError.Code) {
        self.base = base
        self.loss = TransportError(loss, "cut by the test")
        left = Mutex(bytes)
        (output, writer) = ByteStream.makeStream()
        pump.withLock { [self] in $0 = Task { await passOn() } }
    }

    private func passOn() async {
        do {
            for try await chunk in base.output {
                let part = take(chunk)
                if !part.isEmpty { try await writer.write(part) }
                if part.count < chunk.count { throw loss }
            }
            writer.finish()
        } catch {
            writer.finish(throwing: error)
            await base.close()
        }
    }

    /// As much of a chunk as still passes.
    private func take(_ chunk: [UInt8]) -> [UInt8] {
        left.withLock { left in
            let part = Array(chunk.prefix(left))
            left -= part.count
            return part
        }
    }

    var diagnostics: ByteStream { base.diagnostics }

    func write(_ bytes: [UInt8]) async throws {
        let part = take(bytes)
        if !part.isEmpty { try await base.write(part) }
        guard part.count == bytes.count else {
            writer.finish(throwing: loss)
            await base.close()
            throw loss
        }
    }

    func finishWriting() async throws { try await base.finishWriting() }

    func close() async {
        await base.close()
        let pump = pump.withLock(\.self)
        pump?.cancel()
        await pump?.value
    }

    func exitStatus() async throws -> ExitStatus? { try await base.exitStatus() }
}
