// Riff
// SPDX-License-Identifier: Apache-2.0

internal import HTTPTypes
internal import NIOCore
internal import RiffCore
internal import RiffHTTP
internal import RiffTransport

/// One connection of a ``LoopbackWebServer``: requests one after the other, until it becomes a WebSocket.
struct LoopbackWebConnection {
    private let channel: any Channel
    private let pipe: BytePipe
    private let server: LoopbackWebServer.SharedState

    init(_ channel: any Channel, _ pipe: BytePipe, _ server: LoopbackWebServer.SharedState) {
        self.channel = channel
        self.pipe = pipe
        self.server = server
    }

    /// Runs until the connection ends; what goes wrong ends it, which its client sees.
    func run() async {
        var unread: [UInt8] = []
        do {
            while let (head, request) = try await request(&unread) {
                server.note(request)
                let answer = try await server.handler(request)
                guard try await give(answer, to: head, request, unread) else { break }
            }
        } catch {
            // Nobody is left to tell but the peer, whose connection ends here.
        }
        channel.close(promise: nil)
    }

    /// The next request with its body; `nil` at the end.
    private func request(
        _ unread: inout [UInt8]
    ) async throws -> (HTTPHeadReader.Head, LoopbackWebServer.Request)? {
        var reader = HTTPHeadReader()
        var found = try reader.receive(unread)
        while found == nil {
            guard let bytes = try await pipe.next() else { return nil }
            found = try reader.receive(bytes)
        }
        guard let found else { return nil }
        let head = found.head
        let length = head.fields[.contentLength].flatMap { Int($0) } ?? 0
        unread = found.rest
        var body: [UInt8] = []
        if head.tokens(.transferEncoding).contains("chunked") {
            body = try await chunks(&unread)
        } else {
            try await fill(&unread, length)
            body = Array(unread.prefix(length))
            unread.removeFirst(length)
        }
        let parts = head.line.split(separator: " ")
        let target = parts.count > 1 ? String(parts[1]) : "/"
        let request = HTTPRequest(
            method: HTTPRequest.Method(rawValue: parts.first.map(String.init) ?? "") ?? .get,
            scheme: "http",
            authority: HTTPField.Name("Host").flatMap { head.fields[$0] } ?? "",
            path: target,
            headerFields: head.fields
        )
        let offered = head.fields[values: .secWebSocketProtocol].flatMap { $0.split(separator: ",") }.map {
            String($0.filter { $0 != " " })
        }
        let isWebSocket = WebSocketServerHandshake.isAsked(by: head)
        return (
            head,
            LoopbackWebServer.Request(head: request, body: body, asksForWebSocket: isWebSocket, subprotocols: offered)
        )
    }

    private func fill(_ unread: inout [UInt8], _ count: Int) async throws {
        while unread.count < count {
            guard let bytes = try await pipe.next() else {
                throw TestingError(.programFailed, "A request ended inside its body.")
            }
            unread += bytes
        }
    }

    /// RFC 9112 section 7.1.
    private func chunks(_ unread: inout [UInt8]) async throws -> [UInt8] {
        var body: [UInt8] = []
        while true {
            while !unread.contains(10) { try await fill(&unread, unread.count + 1) }
            let end = unread.firstIndex(of: 10) ?? 0
            let line = String(decoding: unread[..<end], as: UTF8.self).prefix { $0.isHexDigit }
            let count = Int(line, radix: 16) ?? 0
            unread.removeFirst(end + 1)
            try await fill(&unread, count + 2)
            body += unread.prefix(count)
            unread.removeFirst(count + 2)
            if count == 0 { return body }
        }
    }

    /// Whether further requests may come.
    private func give(
        _ answer: LoopbackWebServer.Answer,
        to head: HTTPHeadReader.Head,
        _ request: LoopbackWebServer.Request,
        _ unread: [UInt8]
    ) async throws -> Bool {
        switch answer {
        case .response(var response, let body):
            let hasBody = request.head.method != .head && response.status.code != 204 && response.status.code != 304
            if hasBody, response.headerFields[.contentLength] == nil {
                response.headerFields[.contentLength] = String(body.count)
            }
            try await write(Self.bytes(response) + (hasBody ? body : []))
            return response.headerFields[.connection]?.lowercased() != "close"
        case .webSocket(let subprotocol, let compression, let limits, let play):
            guard let handshake = WebSocketServerHandshake(head, subprotocol: subprotocol, compression: compression)
            else {
                try await write(Self.bytes(HTTPResponse(status: .badRequest, headerFields: [.contentLength: "0"])))
                return true
            }
            try await upgrade(handshake, limits, unread, play)
            return false
        case .raw(let bytes, let script):
            try await write(bytes)
            try await script(RawWebConnection(channel: channel, pipe: pipe))
            return false
        case .drop:
            return false
        }
    }

    private func upgrade(
        _ handshake: WebSocketServerHandshake,
        _ limits: WebSocketRequest.Limits,
        _ unread: [UInt8],
        _ play: @Sendable (any WebSocketConnection) async throws -> Void
    ) async throws {
        try await write(Self.bytes(handshake.response))
        let link = WebSocketLink(limits: limits)
        let (channel, pipe, agreement) = (channel, pipe, handshake.agreement)
        try await channel.eventLoop.submit {
            let pipeline = channel.pipeline.syncOperations
            let feed = try pipeline.handler(type: LoopbackWebFeed.self)
            let handler = try WebSocketChannelHandler(link, role: .server, limits: limits, agreement: agreement)
            try pipeline.addHandler(handler, position: .after(feed))
            feed.passOn()
            handler.receive(unread)
            // On the loop nothing can come in between.
            while case .bytes(let bytes) = pipe.take() { handler.receive(bytes) }
            if feed.hasEnded { handler.end() }
        }.get()
        let socket = NIOWebSocketConnection(link, subprotocol: handshake.subprotocol)
        do {
            try await play(socket)
            await socket.close()
            // The client may still be closing; the channel ends with it, or after a while by itself.
            try await channel.closeFuture.get()
        } catch {
            channel.close(promise: nil)
        }
    }

    private func write(_ bytes: [UInt8]) async throws {
        try await channel.writeAndFlush(ByteBuffer(bytes: bytes)).get()
    }

    private static func bytes(_ response: HTTPResponse) -> [UInt8] {
        var lines = ["HTTP/1.1 \(response.status.code) \(response.status.reasonPhrase)"]
        for field in response.headerFields { lines.append("\(field.name.rawName): \(field.value)") }
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
    }
}

/// Brings what arrives to the connection's task, until it passes everything on to a WebSocket.
final class LoopbackWebFeed: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let pipe: BytePipe
    private var isPassingOn = false
    private(set) var hasEnded = false

    init(_ pipe: BytePipe) { self.pipe = pipe }

    func passOn() { isPassingOn = true }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isPassingOn else { return context.fireChannelRead(data) }
        let mayGoOn = pipe.offer(Array(unwrapInboundIn(data).readableBytesView))
        if !mayGoOn { context.channel.setOption(.autoRead, value: false).whenFailure { _ in } }
    }

    func channelInactive(context: ChannelHandlerContext) {
        hasEnded = true
        pipe.finish()
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard !isPassingOn else { return context.fireErrorCaught(error) }
        pipe.finish(throwing: error)
        context.close(promise: nil)
    }
}
