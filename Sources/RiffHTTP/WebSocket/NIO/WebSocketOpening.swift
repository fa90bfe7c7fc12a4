// Riff
// SPDX-License-Identifier: Apache-2.0

internal import NIOCore
internal import RiffCore
internal import RiffTransport

/// The client's opening handshake on a channel; when it is done, it puts the open WebSocket in its place.
final class WebSocketOpening: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let request: WebSocketRequest
    private let outcome: EventualValue<Result<NIOWebSocketConnection, any Error>>
    private var handshake: WebSocketClientHandshake
    private let deadline: NIODeadline?
    private var timer: Scheduled<Void>?
    private var isOver = false

    init(
        _ request: WebSocketRequest,
        deadline: NIODeadline?,
        _ outcome: EventualValue<Result<NIOWebSocketConnection, any Error>>
    ) throws(TransportError) {
        self.request = request
        self.deadline = deadline
        self.outcome = outcome
        var generator = SystemRandomNumberGenerator()
        handshake = try WebSocketClientHandshake(request, using: &generator)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        if context.channel.isActive { begin(context) }
    }

    func channelActive(context: ChannelHandlerContext) {
        begin(context)
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isOver else { return }
        do {
            if let result = try handshake.receive(Array(unwrapInboundIn(data).readableBytesView)) {
                try settle(result, context)
            }
        } catch {
            fail(error, context)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        end(context)
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        fail(TransportError(webSocket: error, request.url), context)
    }

    /// No more bytes come, or none are waited for any more.
    func end(_ context: ChannelHandlerContext, _ error: TransportError? = nil) {
        guard !isOver else { return }
        do {
            if let result = handshake.end() { return try settle(result, context) }
            let message = "\(request.url): the connection ended inside the WebSocket handshake."
            let lost = TransportError(.connectionLost, message, recovery: .retry)
            fail(handshake.stranger ?? error ?? lost, context)
        } catch {
            fail(error, context)
        }
    }

    private func begin(_ context: ChannelHandlerContext) {
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: handshake.request)), promise: nil)
        guard let deadline, let limit = request.connectDeadline else { return }
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        let url = request.url
        timer = context.eventLoop.scheduleTask(deadline: deadline) {
            let (handler, context) = bound.value
            let message = "\(url): no answer to the WebSocket handshake within \(limit)."
            handler.end(context, TransportError(.timeout, message, recovery: .retry))
        }
    }

    private func settle(_ result: WebSocketClientHandshake.Outcome, _ context: ChannelHandlerContext) throws {
        switch result {
        case .refused(let refusal): fail(WebSocketClientHandshake.error(refusal, request.url), context)
        case .opened(let subprotocol, let agreement, let rest):
            let link = WebSocketLink(limits: request.limits)
            let handler = try WebSocketChannelHandler(
                link,
                role: .client,
                limits: request.limits,
                agreement: agreement
            )
            try context.pipeline.syncOperations.addHandler(handler, position: .after(self))
            isOver = true
            timer?.cancel()
            handler.receive(rest)
            context.pipeline.syncOperations.removeHandler(self, promise: nil)
            // Where nobody waits any more, the connection closes with its last holder.
            outcome.resolve(.success(NIOWebSocketConnection(link, subprotocol: subprotocol)))
        }
    }

    private func fail(_ error: any Error, _ context: ChannelHandlerContext) {
        guard !isOver else { return }
        isOver = true
        timer?.cancel()
        outcome.resolve(.failure(error))
        context.close(promise: nil)
    }
}
