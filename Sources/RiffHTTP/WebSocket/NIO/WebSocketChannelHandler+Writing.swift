// Riff
// SPDX-License-Identifier: Apache-2.0

internal import NIOCore
internal import RiffCore
internal import RiffTransport

/// To the peer: what the link asks for, in the order in which it is written.
extension WebSocketChannelHandler {
    /// The number of bytes that are written in one turn of the event loop before others have theirs.
    private static let turn = 1 << 20

    /// Does what the link asks for; called on the loop whenever there is something.
    func serve() {
        let work = link.takeWork()
        pings += work.pings
        if let close = work.close, case .open = phase {
            closeRequest = close
            giveUp(after: closeLimit)
        }
        if work.mayRead { decode() }
        flush()
    }

    func flush() {
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
}
