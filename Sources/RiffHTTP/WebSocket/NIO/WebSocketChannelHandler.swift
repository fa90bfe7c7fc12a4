// Riff
// SPDX-License-Identifier: Apache-2.0

package import NIOCore
package import RiffTransport

/// A WebSocket on a channel, once it is open: bytes to messages and back, pings answered, the close handshake.
///
/// It lives on the channel's event loop. Time here (the limits of a close) is the event loop's.
package final class WebSocketChannelHandler: ChannelInboundHandler {
    package typealias InboundIn = ByteBuffer
    package typealias OutboundOut = ByteBuffer

    enum Phase {
        case open
        /// Our close frame went out; the peer's is waited for.
        case closing(WebSocketEnding)
        /// The end is decided. A frame that is half written goes on to its end, and then this close frame follows.
        case finishing(close: [UInt8], atOnce: Bool)
        /// It has ended; what still comes is dropped until the channel is closed.
        case over
    }

    let link: WebSocketLink
    let role: WebSocketRole
    let closeLimit: TimeAmount
    var inbound: WebSocketInbound
    var outbound: WebSocketOutbound
    var phase = Phase.open
    var context: ChannelHandlerContext?
    /// Why the connection was lost, while what came before is not all decoded.
    var loss: String?
    var pong: [UInt8]?
    var pings: [UInt64] = []
    var closeRequest: (code: WebSocketEnding.Code, reason: String)?
    var deadline: Scheduled<Void>?
    var isFlushing = false
    private var isReading = true

    /// - Throws: `TransportError` with `deflateUnavailable`.
    package init(
        _ link: WebSocketLink,
        role: WebSocketRole,
        limits: WebSocketRequest.Limits,
        agreement: WebSocketDeflateAgreement?,
        generator: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
    ) throws(TransportError) {
        self.link = link
        self.role = role
        closeLimit = TimeAmount(webSocket: limits.close)
        inbound = try WebSocketInbound(role: role, limits: limits, agreement: agreement)
        outbound = try WebSocketOutbound(role: role, limits: limits, agreement: agreement, generator: generator)
    }

    package func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        let (bound, loop) = (NIOLoopBound(self, eventLoop: context.eventLoop), context.eventLoop)
        link.attach { loop.execute { bound.value.serve() } }
    }

    package func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        deadline?.cancel()
        lose("its channel is gone")
    }

    // MARK: From the peer

    /// Takes bytes that came with the opening handshake.
    package func receive(_ bytes: [UInt8]) {
        guard !bytes.isEmpty else { return }
        take(ByteBuffer(bytes: bytes))
    }

    /// The channel had ended before this was put onto it.
    package func end() { lose("the peer closed the connection") }

    package func channelRead(context: ChannelHandlerContext, data: NIOAny) { take(unwrapInboundIn(data)) }

    package func channelReadComplete(context: ChannelHandlerContext) {
        if pong != nil { flush() }
        context.fireChannelReadComplete()
    }

    package func channelInactive(context: ChannelHandlerContext) {
        lose("the peer closed the connection")
        context.fireChannelInactive()
    }

    package func errorCaught(context: ChannelHandlerContext, error: any Error) {
        lose((error as? IOError).map { "system error \($0.errnoCode)" } ?? "\(type(of: error))")
        context.close(promise: nil)
    }

    package func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable { flush() }
        context.fireChannelWritabilityChanged()
    }

    private func take(_ bytes: ByteBuffer) {
        // Behind what waits for the reader.
        let mustWait = !inbound.isEmpty
        inbound.add(bytes)
        if !mustWait { decode() }
    }

    /// Decodes what came, as far as the reader keeps up.
    func decode() {
        var mayRead = true
        while mayRead, !inbound.isEmpty {
            switch phase {
            case .open, .closing: mayRead = deliver(inbound.next())
            case .finishing, .over: inbound.drop()
            }
        }
        if case .open = phase { setReading(mayRead) } else { setReading(true) }
        if inbound.isEmpty, let loss { lose(loss) }
    }

    /// Whether more may be read.
    private func deliver(_ batch: WebSocketInbound.Batch) -> Bool {
        if let ping = batch.ping { pong = ping }
        let mayRead = link.deliver(batch.messages, receivedBytes: inbound.receivedBytes)
        // Behind the bytes' count, which whoever waited may look at.
        for number in batch.pongs { link.pong(number) }
        if let violation = batch.violation { refuse(violation) }
        if let close = batch.close { closed(close.code, close.reason) }
        return mayRead
    }

    func setReading(_ isReading: Bool) {
        guard let context, isReading != self.isReading else { return }
        self.isReading = isReading
        // It fails only on a channel that is closed, which reads nothing any more.
        context.channel.setOption(.autoRead, value: isReading).whenFailure { _ in }
        if isReading { context.read() }
    }
}
