// Riff
// SPDX-License-Identifier: Apache-2.0

internal import NIOCore
internal import RiffTransport

/// The end of a connection: the close handshake (RFC 6455 section 7.1), broken rules, and losses.
extension WebSocketChannelHandler {
    /// The time that a peer has to close the connection after the close handshake, before we do.
    private static let grace = TimeAmount.seconds(1)

    /// The peer's close frame came.
    func closed(_ code: WebSocketEnding.Code?, _ reason: String) {
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

    /// The peer broke a rule. What still comes is read and dropped for a while: with unread bytes the system would
    /// reset the connection, and our close frame could be lost.
    func refuse(_ violation: WebSocketViolation) {
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
    func leave(atOnce: Bool) {
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

    func giveUp(after limit: TimeAmount) {
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

    func lose(_ reason: String) {
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
}

extension TimeAmount {
    /// A duration, at most what fits.
    init(webSocket duration: Duration) {
        let (seconds, attoseconds) = duration.components
        self = .nanoseconds(min(seconds, 1 << 32) * 1_000_000_000 + attoseconds / 1_000_000_000)
    }
}
