// Riff
// SPDX-License-Identifier: Apache-2.0

internal import NIOCore
internal import NIOPosix
internal import RiffCore

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// A socket's half of a byte channel: between the socket and two bounded pipes, on the event loop.
final class SocketChannelHandler: SocketEnd, ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private struct Reference {
        weak var handler: SocketChannelHandler?
    }

    /// How long what was written may take to leave once the channel is closed.
    private static let grace = TimeAmount.seconds(1)

    /// What the peer wrote.
    let incoming: BytePipe
    /// What is written to it.
    let outgoing: BytePipe
    /// The peer's end, or what broke the connection.
    let ended = EventualValue<Result<ExitStatus?, TransportError>>()
    /// The socket is closed.
    let closed = EventualValue<Void>()
    private var channel: (any Channel)?
    private var isClosing = false
    private var hasSentEnd = false

    /// Called on the loop.
    init(on loop: any EventLoop) {
        let reference = NIOLoopBoundBox<Reference>.makeBoxSendingValue(Reference(), eventLoop: loop)
        incoming = BytePipe(onDrain: { loop.execute { reference.value.handler?.setReading(true) } })
        outgoing = BytePipe(onReadable: { loop.execute { reference.value.handler?.flush() } })
        reference.value.handler = self
    }

    // MARK: From the owner

    /// Closes both directions after what was written; not later than a second from now.
    func close() {
        guard !isClosing, let channel else { return }
        isClosing = true
        let failure = TransportError(.closed, "The connection was closed on this side.")
        incoming.finish(throwing: failure)
        outgoing.finish(throwing: failure)
        channel.eventLoop.scheduleTask(in: Self.grace) { channel.close(promise: nil) }
        setReading(true)
        flush()
    }

    /// Closes, and drops what the peer has not acknowledged.
    func abort() {
        guard let channel else { return }
        isClosing = true
        let failure = TransportError(.closed, "The connection was given up on this side.")
        incoming.finish(throwing: failure)
        outgoing.finish(throwing: failure)
        // A socket that is closed already has nothing to send: socket(7), SO_LINGER.
        (channel as? any SocketOptionProvider)?.setSoLinger(linger(l_onoff: 1, l_linger: 0)).whenFailure { _ in }
        channel.close(promise: nil)
    }

    private func setReading(_ isReading: Bool) {
        // It fails only on a channel that is closed, which reads nothing any more.
        channel?.setOption(.autoRead, value: isReading).whenFailure { _ in }
    }

    private func flush() {
        guard let channel, !hasSentEnd else { return }
        var wrote = false
        while channel.isWritable {
            switch outgoing.take() {
            case .bytes(let bytes):
                channel.write(ByteBuffer(bytes: bytes), promise: nil)
                wrote = true
                if !channel.isWritable { channel.flush() }
            case .empty:
                if wrote { channel.flush() }
                return
            case .ended:
                return sendEnd(channel)
            }
        }
        if wrote { channel.flush() }
    }

    private func sendEnd(_ channel: any Channel) {
        hasSentEnd = true
        // Where the peer has ended as well, there is nothing left of it.
        let mode: CloseMode = isClosing || ended.current != nil ? .all : .output
        // Closing drops what has not left yet.
        channel.writeAndFlush(ByteBuffer()).whenComplete { _ in channel.close(mode: mode, promise: nil) }
    }

    // MARK: ChannelDuplexHandler

    func handlerAdded(context: ChannelHandlerContext) { channel = context.channel }

    func handlerRemoved(context: ChannelHandlerContext) {
        finish(nil)
        channel = nil
        closed.resolve(())
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isClosing else { return }
        var buffer = unwrapInboundIn(data)
        let bytes = buffer.readBytes(length: buffer.readableBytes) ?? []
        if !incoming.offer(bytes) { setReading(false) }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) { flush() }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed? = event as? ChannelEvent {
            incoming.finish()
            ended.resolve(.success(nil))
            // Both ways are over.
            if hasSentEnd { context.close(promise: nil) }
        }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        finish(nil)
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        let reason = (error as? IOError).map { String(cString: strerror($0.errnoCode)) } ?? "\(type(of: error))"
        finish(TransportError(.connectionLost, "The connection was lost: \(reason).", recovery: .retry, cause: error))
        context.close(promise: nil)
    }

    private func finish(_ failure: TransportError?) {
        incoming.finish(throwing: failure)
        outgoing.finish(throwing: failure ?? TransportError(.closed, "The peer has closed the connection."))
        ended.resolve(failure.map { .failure($0) } ?? .success(nil))
    }
}
