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
        /// It has ended; what still comes is dropped until the channel is closed.
        case over
    }

    /// How long a peer has to close the connection after the close handshake, before we do.
    private static let grace = TimeAmount.seconds(1)
    /// How much is written in one turn of the event loop before others have theirs.
    private static let turn = 1 << 20

    private let link: WebSocketLink
    private let role: WebSocketRole
    private let limits: WebSocketLimits
    private var receiver: WebSocketReceiver
    private var outbound: WebSocketOutbound
    private var phase = Phase.open
    private var context: ChannelHandlerContext?
    private var events: [WebSocketEvent] = []
    /// Only the last ping needs an answer (RFC 6455 section 5.5.3), so that a flood of them takes no memory.
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
        self.limits = limits
        receiver = try WebSocketReceiver(role: role, limits: limits, agreement: agreement)
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
        link.finish(.lost("its channel is gone"))
    }

    // MARK: From the peer

    /// Takes bytes that came with the opening handshake.
    package func receive(_ bytes: [UInt8]) {
        guard let context, !bytes.isEmpty else { return }
        bytes.withUnsafeBytes { take($0, context) }
    }

    /// The channel had ended before this was put onto it.
    package func end() { lose("the peer closed the connection") }

    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        unwrapInboundIn(data).withUnsafeReadableBytes { take($0, context) }
    }

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

    private func take(_ bytes: UnsafeRawBufferPointer, _ context: ChannelHandlerContext) {
        if case .over = phase { return }
        var violation: WebSocketViolation?
        do { try receiver.receive(bytes, into: &events) } catch { violation = error }
        defer { events.removeAll(keepingCapacity: true) }
        var messages: [WebSocketMessage] = []
        var close: (code: WebSocketCloseCode?, reason: String)?
        var answered: [UInt64] = []
        for event in events {
            switch event {
            case .message(let message): messages.append(message)
            case .ping(let payload): pong = payload
            case .pong(let payload):
                guard payload.count == 8 else { continue }
                answered.append(payload.reduce(0) { $0 << 8 | UInt64($1) })
            case .close(let code, let reason): close = (code, reason)
            }
        }
        let mayRead = link.deliver(messages, frames: receiver.frames)
        // Behind the frames' count, which whoever waited may look at.
        for number in answered { link.pong(number) }
        if let violation { return refuse(violation, context) }
        if let close { return closed(close.code, close.reason, context) }
        if !mayRead { setReading(false, context) }
    }

    // MARK: To the peer

    /// Does what the link asks for; called on the loop whenever there is something.
    private func serve() {
        let work = link.takeWork()
        guard let context else { return }
        pings += work.pings
        if let close = work.close, case .open = phase {
            closeRequest = close
            let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
            deadline = context.eventLoop.scheduleTask(in: TimeAmount(webSocket: limits.close)) { bound.value.giveUp() }
        }
        if work.mayRead { setReading(true, context) }
        flush()
    }

    private func flush() {
        guard let context, !isFlushing, case .open = phase else { return }
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
                if case .closing = phase { break }
            }
            guard buffer.readableBytes > 0 else { break }
            written += buffer.readableBytes
            wroteAny = true
            context.write(wrapOutboundOut(buffer), promise: nil)
            if isIdle { break }
            if case .closing = phase { break }
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

    /// Appends what is to be written next; `false` when there is nothing.
    private func writeNext(to buffer: inout ByteBuffer) throws(TransportError) -> Bool {
        if outbound.isBetweenFrames {
            if let payload = pong {
                pong = nil
                outbound.writeControl(.pong, payload, to: &buffer)
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
    private func closed(_ code: WebSocketCloseCode?, _ reason: String, _ context: ChannelHandlerContext) {
        switch phase {
        case .over: return
        case .closing(let ending): link.finish(ending)
        case .open:
            // A frame that is half written cannot be ended any more; the connection is closed all the same.
            if outbound.isBetweenFrames {
                // A ping that came before it is still owed an answer.
                if let payload = pong { writeControl(.pong, payload, context) }
                writeControl(.close, WebSocketFrameEncoder.closePayload(code, ""), context)
            }
            link.finish(WebSocketEnding(code ?? .noCode, reason: reason, side: .peer))
        }
        leave(context)
    }

    /// The peer broke a rule.
    private func refuse(_ violation: WebSocketViolation, _ context: ChannelHandlerContext) {
        if case .open = phase, outbound.isBetweenFrames {
            writeControl(.close, WebSocketFrameEncoder.closePayload(violation.code, violation.reason), context)
        }
        let ending = WebSocketEnding(violation.code, reason: violation.reason, side: .local)
        if case .closing(let ours) = phase { link.finish(ours) } else { link.finish(ending) }
        // What still comes is read and dropped for a while: with unread bytes the system would reset the connection, and
        // our close frame could be lost.
        leave(context, atOnce: false)
    }

    private func writeControl(_ opcode: WebSocketOpcode, _ payload: [UInt8], _ context: ChannelHandlerContext) {
        var buffer = context.channel.allocator.buffer(capacity: 256)
        outbound.writeControl(opcode, payload, to: &buffer)
        context.writeAndFlush(wrapOutboundOut(buffer), promise: nil)
    }

    /// Closes the channel: the server at once, the client when the server has had its time (RFC 6455 section 7.1.1).
    private func leave(_ context: ChannelHandlerContext, atOnce: Bool? = nil) {
        phase = .over
        deadline?.cancel()
        guard !(atOnce ?? (role == .server)) else { return context.close(promise: nil) }
        setReading(true, context)
        let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
        deadline = context.eventLoop.scheduleTask(in: Self.grace) { bound.value.close(promise: nil) }
    }

    /// A close took longer than it may.
    private func giveUp() {
        guard let context else { return }
        switch phase {
        case .over: return
        case .closing(let ending): link.finish(ending)
        case .open:
            let request = closeRequest ?? (.normal, "")
            link.finish(WebSocketEnding(request.code, reason: request.reason, side: .local))
        }
        phase = .over
        context.close(promise: nil)
    }

    private func lose(_ reason: String) {
        switch phase {
        case .over: return
        case .closing(let ending): link.finish(ending)
        case .open: link.finish(.lost(reason))
        }
        phase = .over
        deadline?.cancel()
    }

    private func setReading(_ isReading: Bool, _ context: ChannelHandlerContext) {
        guard isReading != self.isReading else { return }
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
