// Riff
// SPDX-License-Identifier: Apache-2.0

internal import NIOCore
internal import RiffCore

/// Moves bytes between a socket and two pipes, as far as either side takes them; on the socket's event loop.
final class ForwardSocketHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// Asks to look again at both pipes.
    struct Pump: Sendable {}

    /// Gives the socket other pipes, whose other ends somebody else has, who asks for a ``Pump`` when they change.
    struct Splice: Sendable {
        let incoming: BytePipe
        let outgoing: BytePipe
    }

    private(set) var incoming: BytePipe
    private(set) var outgoing: BytePipe
    /// Why the socket is gone; `nil` if it was closed properly.
    let end = EventualValue<TransportError?>()
    let flushed = EventualValue<Void>()
    private var hasEndedOutput = false
    private var isActive = false
    private var isOver = false

    init(incoming: BytePipe, outgoing: BytePipe) {
        self.incoming = incoming
        self.outgoing = outgoing
    }

    func handlerAdded(context: ChannelHandlerContext) {
        guard context.channel.isActive else { return }
        isActive = true
        pump(context)
    }

    func channelActive(context: ChannelHandlerContext) {
        isActive = true
        pump(context)
    }

    func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
        switch event {
        case is Pump: break
        case let splice as Splice: take(splice)
        default: return context.triggerUserOutboundEvent(event, promise: promise)
        }
        pump(context)
        promise?.succeed()
    }

    /// What came before goes into the new pipe; nothing was written before.
    private func take(_ splice: Splice) {
        guard !isOver else { return }
        let before = incoming
        incoming = splice.incoming
        outgoing = splice.outgoing
        while true {
            switch before.take() {
            case .bytes(let bytes): incoming.offer(bytes)
            case .empty: return
            case .ended(let error): return incoming.finish(throwing: error)
            }
        }
    }

    private func pump(_ context: ChannelHandlerContext) {
        guard isActive else { return }
        if !incoming.isPaused { context.read() }
        flush(context)
    }

    // MARK: From the socket

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let buffer = unwrapInboundIn(data)
        incoming.offer(Array(buffer.readableBytesView))
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        if !incoming.isPaused { context.read() }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed? = event as? ChannelEvent { incoming.finish() }
    }

    // MARK: To the socket

    func channelWritabilityChanged(context: ChannelHandlerContext) { flush(context) }

    private func flush(_ context: ChannelHandlerContext) {
        guard isActive, !hasEndedOutput else { return }
        while context.channel.isWritable {
            switch outgoing.take(upTo: 256 * 1024) {
            case .bytes(let bytes):
                context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: bytes)), promise: nil)
            case .empty: return
            case .ended(nil): return endOutput(context)
            // Whoever carries the connection resets it, and tells.
            case .ended: return
            }
        }
    }

    /// Closes the way to the peer after what is on it, which a close would drop.
    private func endOutput(_ context: ChannelHandlerContext) {
        hasEndedOutput = true
        let promise = context.eventLoop.makePromise(of: Void.self)
        let bound = NIOLoopBound((context, flushed), eventLoop: context.eventLoop)
        promise.futureResult.whenSuccess {
            let (context, flushed) = bound.value
            context.close(mode: .output, promise: nil)
            flushed.resolve(())
        }
        context.writeAndFlush(wrapOutboundOut(ByteBuffer()), promise: promise)
    }

    // MARK: The end

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        finish(TransportError(.connectionLost, "The connection was reset.", cause: error))
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) { finish(nil) }

    func handlerRemoved(context: ChannelHandlerContext) { finish(nil) }

    private func finish(_ error: TransportError?) {
        isActive = false
        isOver = true
        incoming.finish(throwing: error)
        outgoing.finish(throwing: error ?? TransportError(.closed, "The connection was closed."))
        flushed.resolve(())
        end.resolve(error)
    }
}
