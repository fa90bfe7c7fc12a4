// Riff
// SPDX-License-Identifier: Apache-2.0

internal import NIOCore
internal import RiffTransport

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// Plays one script of a ``RawHTTPServer`` on one connection.
struct RawHTTPConnection: Sendable {
    /// A whole number of rounds, so that any number of these follow on each other.
    private static let pattern = (0..<251 * 256).map { UInt8($0 % 251) }

    let number: Int
    let channel: any Channel
    let log: RawHTTPLog
    let inbound: BytePipe

    init(number: Int, channel: any Channel, log: RawHTTPLog) {
        self.number = number
        self.channel = channel
        self.log = log
        inbound = BytePipe(onDrain: { _ = channel.setOption(.autoRead, value: true) })
    }

    func run(_ script: [RawHTTPServer.Step]) async {
        var unread: [UInt8] = []
        do {
            // A write towards a client that does not read ends only with the connection.
            try await withTaskCancellationHandler {
                for (index, step) in script.enumerated() {
                    log.update(number) { $0.step = index }
                    guard try await play(step, &unread) else { break }
                }
            } onCancel: {
                channel.close(promise: nil)
            }
        } catch {
            // What breaks the connection is the test's own doing; that it is closed is what the log tells.
        }
        // Closing what the peer closed already is no failure.
        try? await channel.close().get()
        log.update(number) { entry in
            entry.step = .max
            entry.isClosed = true
        }
    }

    /// Plays a step, and returns whether the script continues.
    private func play(_ step: RawHTTPServer.Step, _ unread: inout [UInt8]) async throws -> Bool {
        switch step {
        case .readHead:
            return try await read(&unread) { Self.end(of: Array("\r\n\r\n".utf8), in: $0) }
        case .readBody(let count):
            return try await read(&unread) { $0.count >= count ? count : nil }
        case .readChunkedBody:
            return try await read(&unread) { bytes in
                if bytes.starts(with: Array("0\r\n\r\n".utf8)) { return 5 }
                return Self.end(of: Array("\r\n0\r\n\r\n".utf8), in: bytes)
            }
        case .send(let bytes):
            try await channel.writeAndFlush(ByteBuffer(bytes: bytes)).get()
        case .sendPattern(let count):
            try await sendPattern(count)
        case .stopReading:
            // The pipe fills and stops the channel. Ends with the server's scope.
            try await ContinuousClock().sleep(for: .seconds(600))
        case .awaitClose:
            while try await inbound.next() != nil {}
            return false
        case .close:
            return false
        case .reset:
            try await (channel as? any SocketOptionProvider)?.setSoLinger(linger(l_onoff: 1, l_linger: 0)).get()
            return false
        }
        return true
    }

    private func sendPattern(_ count: Int) async throws {
        var sent = 0
        while sent < count {
            let size = min(Self.pattern.count, count - sent)
            try await channel.writeAndFlush(ByteBuffer(bytes: Self.pattern.prefix(size))).get()
            sent += size
            log.update(number) { $0.patternBytes = sent }
        }
        log.update(number) { $0.isPatternSent = true }
    }

    /// Reads until `found` says how many bytes belong to the step; they are taken away.
    private func read(_ unread: inout [UInt8], until found: ([UInt8]) -> Int?) async throws -> Bool {
        while true {
            if let count = found(unread) {
                unread.removeFirst(count)
                return true
            }
            guard let chunk = try await inbound.next() else { return false }
            unread += chunk
        }
    }

    private static func end(of marker: [UInt8], in bytes: [UInt8]) -> Int? {
        guard bytes.count >= marker.count else { return nil }
        return (0...bytes.count - marker.count).first { bytes[$0...].starts(with: marker) }.map { $0 + marker.count }
    }
}

/// Brings what arrives to the connection's script, and notes it.
final class RawHTTPFeed: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let connection: RawHTTPConnection

    init(_ connection: RawHTTPConnection) { self.connection = connection }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = Array(unwrapInboundIn(data).readableBytesView)
        connection.log.update(connection.number) { $0.received += bytes }
        if !connection.inbound.offer(bytes) { _ = context.channel.setOption(.autoRead, value: false) }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed = event { connection.inbound.finish() }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        connection.inbound.finish()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        connection.inbound.finish(throwing: error)
        context.close(promise: nil)
    }
}
