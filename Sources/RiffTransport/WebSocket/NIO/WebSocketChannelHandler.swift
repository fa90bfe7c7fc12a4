// Riff
// SPDX-License-Identifier: Apache-2.0

package import NIOCore

/// A WebSocket on a channel, once it is open: bytes to messages and back, pings answered, the close handshake.
///
/// It lives on the channel's event loop. Time here (the limits of a close) is the event loop's.
package final class WebSocketChannelHandler: ChannelInboundHandler {
    package typealias InboundIn = ByteBuffer
    package typealias OutboundOut = ByteBuffer

    private enum Phase {
        case open
        /// Our close frame went out; the peer's is waited for.
        case closing(WebSocketEnding)
        /// The end is decided. A frame that is half written goes on to its end, and then this close frame follows.
        case finishing(close: [UInt8], atOnce: Bool)
        /// It has ended; what still comes is dropped until the channel is closed.
        case over
    }

    /// How long a peer has to close the connection after the close handshake, before we do.
    private static let grace = TimeAmount.seconds(1)
    /// How much is written in one turn of the event loop before others have theirs.
    private static let turn = 1 << 20

    private let link: WebSocketLink
    private let role: WebSocketRole
    private let closeLimit: TimeAmount
    private var inbound: WebSocketInbound
    private var outbound: WebSocketOutbound
    private var phase = Phase.open
    private var context: ChannelHandlerContext?
    /// Why the connection was lost, while what came before is not all decoded.
    private var loss: String?
    private var pong: [UInt8]?
    private var pings: [UInt64] = []
    private var closeRequest: (code: WebSocketCloseCode, reason: String)?
    private var deadline: Scheduled<Void>?
    private var isFlushing = false
    private var isReading = true

    /// - Throws: `TransportError` with `deflateUnavailable`.
    package init(
        _ link: WebSocketLink,
        role: WebSocketRole,
        limits: WebSocketLimits,
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
    private func decode() {
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
        let mayRead = link.deliver(batch.messages, decodedBytes: inbound.decodedBytes)
        // Behind the bytes' count, which whoever waited may look at.
        for number in batch.pongs { link.pong(number) }
        if let violation = batch.violation { refuse(violation) }
        if let close = batch.close { closed(close.code, close.reason) }
        return mayRead
    }

    // MARK: To the peer

    /// Does what the link asks for; called on the loop whenever there is something.
    private func serve() {
        let work = link.takeWork()
        pings += work.pings
        if let close = work.close, case .open = phase {
            closeRequest = close
            giveUp(after: closeLimit)
        }
        if work.mayRead { decode() }
        flush()
    }

    private func flush() {
        guard let context, !isFlushing, mayWrite else { return }
        isFlushing = true
        defer { isFlushing = false }
        var written = 0
        var wroteAny = false
        while context.channel.isWritable {
            var buffer = context.channel.allocator.buffer(capacity: 4096)
            var isIdle = false
            while buffer.readableBytes < WebSocketOutbound.piece {
                do {
                    guard try writeNext(to: &buffer) else {
                        isIdle = true
                        break
                    }
                } catch {
                    lose(error.message)
                    return context.close(promise: nil)
                }
                if !mayWrite { break }
            }
            guard buffer.readableBytes > 0 else { break }
            written += buffer.readableBytes
            wroteAny = true
            context.write(wrapOutboundOut(buffer), promise: nil)
            if isIdle || !mayWrite { break }
            if written >= Self.turn {
                let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
                context.eventLoop.execute { bound.value.flush() }
                break
            }
            // Only what is flushed can make room again.
            if !context.channel.isWritable { context.flush() }
        }
        if wroteAny { context.flush() }
    }

    private var mayWrite: Bool {
        switch phase {
        case .open, .finishing: true
        case .closing, .over: false
        }
    }

    /// Appends what is to be written next; `false` when there is nothing.
    private func writeNext(to buffer: inout ByteBuffer) throws(TransportError) -> Bool {
        if outbound.isBetweenFrames {
            if let payload = pong {
                // A ping that came before a close is owed an answer, too.
                pong = nil
                outbound.writeControl(.pong, payload, to: &buffer)
                return true
            }
            if case .finishing(let payload, let isLeaving) = phase {
                outbound.writeControl(.close, payload, to: &buffer)
                leave(atOnce: isLeaving)
                return true
            }
            if !pings.isEmpty {
                let number = pings.removeFirst()
                let payload = stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> $0) }
                outbound.writeControl(.ping, payload, to: &buffer)
                return true
            }
        }
        if outbound.isBusy {
            if let sent = try outbound.write(to: &buffer) { link.sent(sent) }
            return true
        }
        if let next = link.nextOutgoing() {
            outbound.begin(next)
            return true
        }
        guard let request = closeRequest else { return false }
        closeRequest = nil
        let ending = WebSocketEnding(request.code, reason: request.reason, side: .local)
        outbound.writeControl(
            .close,
            WebSocketFrameEncoder.closePayload(request.code, request.reason),
            to: &buffer
        )
        phase = .closing(ending)
        return true
    }

    // MARK: The end

    /// The peer's close frame came.
    private func closed(_ code: WebSocketCloseCode?, _ reason: String) {
        switch phase {
        case .finishing, .over: return
        case .closing(let ending):
            link.finish(ending)
            leave(atOnce: role == .server)
        case .open:
            link.finish(WebSocketEnding(code ?? .noCode, reason: reason, side: .peer))
            finish(WebSocketFrameEncoder.closePayload(code, ""), atOnce: role == .server)
        }
    }

    /// The peer broke a rule. What still comes is read and dropped for a while: with unread bytes the system would reset
    /// the connection, and our close frame could be lost.
    private func refuse(_ violation: WebSocketViolation) {
        switch phase {
        case .finishing, .over: return
        case .closing(let ending):
            link.finish(ending)
            leave(atOnce: false)
        case .open:
            link.finish(WebSocketEnding(violation.code, reason: violation.reason, side: .local))
            finish(WebSocketFrameEncoder.closePayload(violation.code, violation.reason), atOnce: false)
        }
    }

    /// Writes a close frame behind the frame that is under way, and leaves.
    private func finish(_ close: [UInt8], atOnce: Bool) {
        phase = .finishing(close: close, atOnce: atOnce)
        deadline?.cancel()
        giveUp(after: closeLimit)
        setReading(true)
        flush()
    }

    /// Closes the channel: the server when all is written, the client when the server has had its time (RFC 6455
    /// section 7.1.1).
    private func leave(atOnce: Bool) {
        phase = .over
        deadline?.cancel()
        guard let context else { return }
        setReading(true)
        giveUp(after: atOnce ? closeLimit : Self.grace)
        guard atOnce else { return }
        // What is in the channel's own buffer would be dropped with it.
        let channel = context.channel
        channel.eventLoop.execute {
            channel.writeAndFlush(ByteBuffer()).whenComplete { _ in channel.close(promise: nil) }
        }
    }

    private func giveUp(after limit: TimeAmount) {
        guard let context else { return }
        let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
        deadline = context.eventLoop.scheduleTask(in: limit) { bound.value.giveUp() }
    }

    /// An end took longer than it may.
    private func giveUp() {
        switch phase {
        case .finishing, .over: break
        case .closing(let ending): link.finish(ending)
        case .open:
            let request = closeRequest ?? (.normal, "")
            link.finish(WebSocketEnding(request.code, reason: request.reason, side: .local))
        }
        phase = .over
        context?.close(promise: nil)
    }

    private func lose(_ reason: String) {
        if case .open = phase, !inbound.isEmpty {
            // What came before is still received.
            loss = loss ?? reason
            return
        }
        switch phase {
        case .finishing, .over: break
        case .closing(let ending): link.finish(ending)
        case .open: link.finish(.lost(reason))
        }
        phase = .over
        deadline?.cancel()
    }

    private func setReading(_ isReading: Bool) {
        guard let context, isReading != self.isReading else { return }
        self.isReading = isReading
        // It fails only on a channel that is closed, which reads nothing any more.
        context.channel.setOption(.autoRead, value: isReading).whenFailure { _ in }
        if isReading { context.read() }
    }
}

extension TimeAmount {
    /// A duration, at most what fits.
    init(webSocket duration: Duration) {
        let (seconds, attoseconds) = duration.components
        self = .nanoseconds(min(seconds, 1 << 32) * 1_000_000_000 + attoseconds / 1_000_000_000)
    }
}
