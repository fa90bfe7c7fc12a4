// Riff
// SPDX-License-Identifier: Apache-2.0

internal import NIOCore
internal import RiffCore

/// Moves bytes between a socket and two pipes, as far as either side takes them; on the socket's event loop.
final class SocketChannelHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// A request of the socket's owner.
    enum Request: Sendable {
        /// Looks again at both pipes.
        case pump
        /// Gives the socket other pipes, whose other ends belong to another party, which asks to pump when they change.
        case splice(incoming: BytePipe, outgoing: BytePipe)
        /// Closes both ways after what was written, within the grace.
        case close
    }

    /// The events that come once.
    struct Ends: Sendable {
        /// The peer sends no more, or what broke the connection.
        let ended = EventualValue<Result<ExitStatus?, TransportError>>()
        /// All that was written was handed to the system, and the end of it; or never will be.
        let flushed = EventualValue<Void>()
        /// The socket is gone, and why; `nil` if it was closed properly.
        let closed = EventualValue<TransportError?>()
    }

    /// The time that written bytes may take to leave once the channel is closed.
    private static let grace = TimeAmount.seconds(1)

    private(set) var incoming: BytePipe
    private(set) var outgoing: BytePipe
    let ends = Ends()
    private var isActive = false
    private var isOver = false
    private var hasEndedOutput = false
    /// Closes the socket after the grace; set once it is to be closed.
    private var closing: Scheduled<Void>?

    init(incoming: BytePipe, outgoing: BytePipe) {
        self.incoming = incoming
        self.outgoing = outgoing
    }

    func handlerAdded(context: ChannelHandlerContext) {
        if context.channel.isActive { channelActive(context: context) }
    }

    func channelActive(context: ChannelHandlerContext) {
        isActive = true
        pump(context)
    }

    // MARK: From the owner

    func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
        guard let request = event as? Request else {
            return context.triggerUserOutboundEvent(event, promise: promise)
        }
        switch request {
        case .pump: break
        case .splice(let incoming, let outgoing): splice(incoming, outgoing)
        case .close: close(context)
        }
        pump(context)
        promise?.succeed()
    }

    /// Connects the socket with new pipes: bytes that came before are put into the new pipe; none were written before.
    private func splice(_ incoming: BytePipe, _ outgoing: BytePipe) {
        guard !isOver else { return }
        let before = self.incoming
        self.incoming = incoming
        self.outgoing = outgoing
        while true {
            switch before.take() {
            case .bytes(let bytes): incoming.offer(bytes)
            case .empty: return
            case .ended(let error): return incoming.finish(throwing: error)
            }
        }
    }

    private func close(_ context: ChannelHandlerContext) {
        guard !isOver, closing == nil else { return }
        let channel = context.channel
        closing = context.eventLoop.scheduleTask(in: Self.grace) { channel.close(promise: nil) }
        if ends.flushed.current != nil { context.close(promise: nil) }
    }

    private func pump(_ context: ChannelHandlerContext) {
        guard isActive else { return }
        read(context)
        flush(context)
    }

    // MARK: From the socket

    /// Reads from the socket; once it is closed, incoming bytes are dropped: a peer that is not read may not read
    /// either.
    private func read(_ context: ChannelHandlerContext) {
        if closing != nil || !incoming.isPaused { context.read() }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard closing == nil else { return }
        let buffer = unwrapInboundIn(data)
        incoming.offer(Array(buffer.readableBytesView))
    }

    func channelReadComplete(context: ChannelHandlerContext) { read(context) }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard case ChannelEvent.inputClosed? = event as? ChannelEvent else { return }
        incoming.finish()
        ends.ended.resolve(.success(nil))
        // Both ways are over.
        if ends.flushed.current != nil { context.close(promise: nil) }
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
            // Whoever carries the connection resets it, and tells.
            case .ended(_?) where closing == nil: return
            case .ended: return endOutput(context)
            }
        }
    }

    /// Closes the way to the peer after what is on it, which a close would drop.
    private func endOutput(_ context: ChannelHandlerContext) {
        hasEndedOutput = true
        let promise = context.eventLoop.makePromise(of: Void.self)
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        promise.futureResult.whenSuccess {
            let (handler, context) = bound.value
            handler.ends.flushed.resolve(())
            context.close(mode: handler.closing == nil ? .output : .all, promise: nil)
        }
        context.writeAndFlush(wrapOutboundOut(ByteBuffer()), promise: promise)
    }

    // MARK: The end

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        let reason = (error as? IOError)?.localizedReason ?? "\(type(of: error))"
        finish(TransportError(.connectionLost, "The connection was lost: \(reason).", recovery: .retry, cause: error))
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) { finish(nil) }

    func handlerRemoved(context: ChannelHandlerContext) {
        finish(nil)
        closing?.cancel()
    }

    private func finish(_ error: TransportError?) {
        isActive = false
        isOver = true
        // First: whom a pipe wakes asks whether the socket is gone.
        ends.closed.resolve(error)
        incoming.finish(throwing: error)
        outgoing.finish(throwing: error ?? TransportError(.closed, "The peer has closed the connection."))
        ends.flushed.resolve(())
        ends.ended.resolve(error.map { .failure($0) } ?? .success(nil))
    }
}
