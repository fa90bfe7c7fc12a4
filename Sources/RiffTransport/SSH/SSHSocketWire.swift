// Riff
// SPDX-License-Identifier: Apache-2.0

internal import NIOCore
internal import RiffCore

/// A TCP connection as a wire: hands what arrives to its SSH connection, on the event loop.
final class SSHSocketWire: SSHWire, ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private weak var connection: SSHConnection?
    private var channel: (any Channel)?
    /// The bytes that came before there was a connection. Nothing is asked for before, but a socket that the server
    /// closes at once hands over what it said.
    private var early: [ByteBuffer] = []
    private var hasEnded = false
    private var pacing = SSHReadPacing()
    private var context: ChannelHandlerContext?
    /// Ends a pause in reading.
    private var resumption: Scheduled<Void>?

    /// The connection this wire works for; set once, on the event loop. Nothing is read before, so that no byte of the
    /// server's greeting can come too early.
    func attach(_ connection: SSHConnection) {
        self.connection = connection
        for buffer in early { deliver(buffer) }
        early = []
        if hasEnded { return connection.assumeIsolated { $0.receiveEnd() } }
        channel?.setOption(.autoRead, value: true).whenFailure { [weak connection] _ in
            // The socket was closed in the meantime.
            connection?.assumeIsolated { $0.receiveEnd() }
        }
    }

    var isWritable: Bool { channel?.isWritable ?? false }

    func send(_ bytes: [UInt8]) {
        guard let channel else { return }
        var buffer = channel.allocator.buffer(capacity: bytes.count)
        buffer.writeBytes(bytes)
        channel.writeAndFlush(buffer, promise: nil)
        pacing.didSend()
        resumeReading()
    }

    func close() {
        channel?.close(promise: nil)
        channel = nil
        connection = nil
    }

    func abort() {
        // Keys of this connection could reach their program after those of the next one.
        channel?.reset()
        close()
    }

    // MARK: ChannelDuplexHandler

    func handlerAdded(context: ChannelHandlerContext) {
        channel = context.channel
        self.context = context
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        resumption?.cancel()
        self.context = nil
    }

    /// Asked for after each read.
    func read(context: ChannelHandlerContext) {
        let isTyping = connection?.assumeIsolated { $0.engine.isTyping } ?? true
        guard pacing.isFlooded, !isTyping else { return context.read() }
        guard resumption == nil else { return }
        let loop = context.eventLoop.assumeIsolated()
        resumption = loop.scheduleTask(in: TimeAmount(SSHReadPacing.pause)) { [weak self] in self?.resumeReading() }
    }

    private func resumeReading() {
        guard let resumption else { return }
        resumption.cancel()
        self.resumption = nil
        context?.read()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let buffer = unwrapInboundIn(data)
        pacing.didRead(buffer.readableBytes, at: NIODeadline.now().uptimeNanoseconds)
        if connection == nil, channel != nil { early.append(buffer) } else { deliver(buffer) }
    }

    private func deliver(_ buffer: ByteBuffer) {
        connection?.assumeIsolated { connection in
            buffer.withUnsafeReadableBytes { connection.receive($0) }
        }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) { connection?.assumeIsolated { $0.pump() } }

    func channelInactive(context: ChannelHandlerContext) {
        hasEnded = true
        let connection = connection
        connection?.assumeIsolated { $0.receiveEnd() }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // A reset by the peer arrives here before the channel becomes inactive; it is an end like any other.
        let connection = connection
        connection?.assumeIsolated { $0.receiveEnd() }
        context.close(promise: nil)
    }

    // MARK: Dialing

    /// Connects a socket.
    ///
    /// - Throws: `TransportError` with `hostNotFound`, `connectionRefused` or `unreachable`; `CancellationError`.
    static func connect(
        to address: HostAddress,
        on loop: any EventLoop,
        within limit: Duration,
        addresses: FixedAddresses? = nil
    ) async throws -> NIOLoopBound<SSHSocketWire> {
        do {
            return try await SocketDial(.port(address, addresses), on: loop, within: limit).connect { channel in
                let wire = SSHSocketWire()
                try channel.pipeline.syncOperations.addHandler(wire)
                return NIOLoopBound(wire, eventLoop: loop)
            }
        } catch let error as CancellationError {
            throw error
        } catch {
            throw TransportError.dialFailure(error, address: address, limit: limit)
        }
    }
}
