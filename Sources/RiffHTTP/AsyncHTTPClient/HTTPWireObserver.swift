// Riff
// SPDX-License-Identifier: Apache-2.0

#if HTTPClient
internal import NIOCore
internal import NIOHTTP1
internal import NIOHTTP2
internal import RiffTransport
internal import Synchronization

/// Tells an exchange when its head goes onto a connection, when bytes move, and when the connection ends inside the
/// answer.
///
/// AsyncHTTPClient does not say whether a request that failed was ever written. A private field names the exchange;
/// this handler, next to the codec, takes the field away before the wire and knows for certain.
///
/// It also drops what it has not handed over yet when an error ends an answer, but not when the answer ends. So an
/// answer that is cut off ends here, and the exchange is told why.
final class HTTPWireObserver: ChannelDuplexHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias InboundOut = HTTPClientResponsePart
    typealias OutboundIn = HTTPClientRequestPart
    typealias OutboundOut = HTTPClientRequestPart

    static let marker = "Riff-Exchange"

    private let table: HTTPExchangeTable
    private let beginning: HTTPWireBeginning
    private var exchange: HTTPExchange?
    /// An answer that waits for pieces of the body; see ``HTTPUploadWindow``.
    private var held: [NIOAny]?
    /// Between an answer's head and its end.
    private var isAnswering = false

    init(table: HTTPExchangeTable, beginning: HTTPWireBeginning) {
        (self.table, self.beginning) = (table, beginning)
    }

    /// Puts an observer behind the codec of a new connection.
    static func install(in channel: any Channel, table: HTTPExchangeTable) -> EventLoopFuture<Void> {
        channel.eventLoop.submit {
            let pipeline = channel.pipeline.syncOperations
            let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPResponseDecoder>.self)
            let beginning = HTTPWireBeginning()
            try pipeline.addHandler(beginning, position: .before(decoder))
            let observer = HTTPWireObserver(table: table, beginning: beginning)
            try pipeline.addHandler(observer, position: .after(decoder))
        }
    }

    /// Puts an observer behind the codec of a stream of HTTP/2, which carries one exchange.
    static func install(inStream channel: any Channel, table: HTTPExchangeTable) -> EventLoopFuture<Void> {
        channel.eventLoop.submit {
            let pipeline = channel.pipeline.syncOperations
            let codec = try pipeline.handler(type: HTTP2FramePayloadToHTTP1ClientCodec.self)
            let observer = HTTPWireObserver(table: table, beginning: HTTPWireBeginning())
            try pipeline.addHandler(observer, position: .after(codec))
        }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let part = unwrapOutboundIn(data)
        guard case .head(var head) = part else {
            let written = promise ?? context.eventLoop.makePromise()
            var count = 0
            if case .body(let bytes) = part { count = bytes.readableBytes }
            if let exchange {
                written.futureResult.whenSuccess { [count] in
                    exchange.active()
                    exchange.window.wrote(count)
                }
            }
            context.write(data, promise: written)
            if case .body = part { exchange?.window.arrived() }
            return release(context)
        }
        exchange = head.headers.first(name: Self.marker).flatMap(UInt64.init).flatMap(table.exchange(_:))
        head.headers.remove(name: Self.marker)
        exchange?.connected()
        context.write(wrapOutboundOut(.head(head)), promise: promise)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        exchange?.active()
        if case .head(let head) = unwrapInboundIn(data), head.status.code >= 300, let window = exchange?.window {
            window.hold()
            if window.isHandingOver { held = [] }
        }
        if held != nil { held?.append(data) } else { pass(data, context) }
    }

    func channelInactive(context: ChannelHandlerContext) {
        tellGreeting()
        release(context, isOver: true)
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        tellGreeting()
        // A system call that fails ends the connection; the codec's and TLS's errors come behind its end, or leave it.
        guard error is IOError || !context.channel.isActive else { return context.fireErrorCaught(error) }
        release(context, isOver: true)
        guard isAnswering else { return context.fireErrorCaught(error) }
        exchange?.cutOff(by: error)
        // With nothing of a read left to come, the client takes the end for the connection's and does not use it again.
        context.fireChannelReadComplete()
        pass(wrapInboundOut(.end(nil)), context)
    }

    private func tellGreeting() {
        if let greeting = PeerGreeting(beginning.bytes) { exchange?.greeted(greeting) }
    }

    private func release(_ context: ChannelHandlerContext, isOver: Bool = false) {
        guard let parts = held, isOver || exchange?.window.isHandingOver != true else { return }
        held = nil
        for part in parts { pass(part, context) }
        context.fireChannelReadComplete()
    }

    private func pass(_ data: NIOAny, _ context: ChannelHandlerContext) {
        switch unwrapInboundIn(data) {
        case .head(let head): isAnswering = head.status.code >= 200 || head.status == .switchingProtocols
        case .body: break
        case .end:
            // The codec ends an answer without a length with the connection, also one that is over by an error of TLS.
            guard isAnswering else { return }
            isAnswering = false
            exchange = nil
        }
        context.fireChannelRead(data)
    }
}

/// Keeps the first bytes of a connection: what is no HTTP says by them what it is.
final class HTTPWireBeginning: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private(set) var bytes: [UInt8] = []

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if bytes.count < PeerGreeting.limitBytes {
            bytes += unwrapInboundIn(data).readableBytesView.prefix(PeerGreeting.limitBytes - bytes.count)
        }
        context.fireChannelRead(data)
    }
}

/// The exchanges under way, by number.
final class HTTPExchangeTable: Sendable {
    private let state = Mutex((exchanges: [UInt64: HTTPExchange](), last: UInt64(0)))

    /// A number that was not given before.
    func nextID() -> UInt64 {
        state.withLock { state in
            state.last += 1
            return state.last
        }
    }

    func insert(_ exchange: HTTPExchange) { state.withLock { $0.exchanges[exchange.id] = exchange } }
    func remove(_ id: UInt64) { state.withLock { _ = $0.exchanges.removeValue(forKey: id) } }
    func exchange(_ id: UInt64) -> HTTPExchange? { state.withLock { $0.exchanges[id] } }
    var all: [HTTPExchange] { state.withLock { Array($0.exchanges.values) } }
}
#endif
