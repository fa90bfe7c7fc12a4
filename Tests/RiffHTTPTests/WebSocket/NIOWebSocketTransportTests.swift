// Riff
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import RiffCore
import RiffHTTP
import RiffTesting
import RiffTransport
import Synchronization
import TestSupport
import Testing

extension InTurn {
    @Suite(.timeLimit(.minutes(5)))
    struct NIOWebSocketTransportTests {
        private static func request(
            _ server: LoopbackWebServer,
            _ change: (inout WebSocketRequest) -> Void = { _ in }
        ) throws -> WebSocketRequest {
            var request = WebSocketRequest(try WebSocketURL("ws://127.0.0.1:\(server.port)/ws"))
            change(&request)
            return request
        }

        /// The answer that opens a connection, for servers that go on by hand.
        private static func opened(_ request: LoopbackWebServer.Request) -> [UInt8] {
            let key = request.head.headerFields[.secWebSocketKey] ?? ""
            let head =
                "HTTP/1.1 101 x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                + "Sec-WebSocket-Accept: \(WebSocketAccept.answer(to: key))\r\n\r\n"
            return Array(head.utf8)
        }

        /// A server that opens the connection by hand, sends these bytes, and gives what the client then sends.
        private static func answer(
            to bytes: [UInt8],
            _ change: (inout WebSocketRequest) -> Void = { _ in }
        ) async throws -> (messages: [WebSocketMessage], ending: WebSocketEnding, events: [WebSocketEvent]) {
            let events = EventualValue<[WebSocketEvent]>()
            return try await LoopbackWebServer.withServer { request in
                return .raw(Self.opened(request) + bytes) { connection in
                    var receiver = try WebSocketReceiver(role: .server, limits: WebSocketRequest.Limits())
                    var seen: [WebSocketEvent] = []
                    while !receiver.isClosed, let bytes = try await connection.receive() {
                        try bytes.withUnsafeBytes { try receiver.receive($0, into: &seen) }
                    }
                    events.resolve(seen)
                }
            } body: { server in
                let socket = try await NIOWebSocketTransport().connect(try request(server, change))
                var messages: [WebSocketMessage] = []
                while let message = try await socket.receive() { messages.append(message) }
                return (messages, try await socket.ending(), try await events.cancellableValue())
            }
        }

        @Test(arguments: MalformedFrames.all)
        func `malformed frames are answered with the code of the RFC`(
            name: String,
            bytes: [UInt8],
            code: WebSocketEnding.Code
        ) async throws {
            let before = WebSocketFrameEncoder.frame(.text, Array("before".utf8))
            let result = try await Self.answer(to: before + bytes) {
                $0.limits = WebSocketRequest.Limits(frameBytes: 10_000)
            }
            #expect(result.messages == [.text("before")])
            #expect(result.ending.code == code && result.ending.side == .local, "\(name)")
            guard case .close(code, _) = result.events.last else {
                Issue.record("\(name): the server got \(result.events)")
                return
            }
        }

        @Test func `malformed frames of a client are answered by the server's role too`() async throws {
            let ended = EventualValue<WebSocketEnding>()
            try await LoopbackWebServer.withServer { _ in
                .webSocket { socket in ended.resolve(try await socket.ending()) }
            } body: { server in
                let answer = try await Self.exchange(
                    server.port,
                    "GET /ws HTTP/1.1\r\nHost: h\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                        + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n",
                    then: [0x81, 0x01, 0x41]
                )
                #expect(String(decoding: answer, as: UTF8.self).contains("s3pPLMBiTxaQ9kYGzzhZRbK+xOo="))
                let frames = try #require(
                    answer.firstRange(of: Array("\r\n\r\n".utf8)).map { answer[$0.upperBound...] }
                )
                #expect(frames.first == 0x88 && Array(frames.dropFirst(2).prefix(2)) == [0x03, 0xEA])
                #expect(try await ended.cancellableValue().code == .protocolError)
            }
        }

        /// Sends a request and bytes over a socket and reads to its end.
        private static func exchange(_ port: Int, _ text: String, then bytes: [UInt8]) async throws -> [UInt8] {
            let program = try await LocalProcess.start(
                LocalCommand(
                    "python3",
                    [
                        "-c",
                        """
                        import socket, sys
                        s = socket.create_connection(('127.0.0.1', int(sys.argv[1])))
                        s.sendall(bytes.fromhex(sys.argv[2]))
                        while True:
                            b = s.recv(65536)
                            if not b: break
                            sys.stdout.buffer.write(b)
                        """,
                        "\(port)",
                        (Array(text.utf8) + bytes).map { $0 < 16 ? "0" + String($0, radix: 16) : String($0, radix: 16) }
                            .joined(),
                    ]
                )
            )
            let output = try await program.output.collect(upTo: 1 << 20)
            await program.close()
            return output
        }

        /// A server that sends these bytes when the first ones of a message came, and then reads all that still comes.
        private static func interrupt(
            with bytes: [UInt8]
        ) async throws -> (ending: WebSocketEnding, events: [WebSocketEvent]) {
            let events = EventualValue<[WebSocketEvent]>()
            return try await LoopbackWebServer.withServer { request in
                return .raw(Self.opened(request)) { connection in
                    var receiver = try WebSocketReceiver(role: .server, limits: WebSocketRequest.Limits())
                    var seen: [WebSocketEvent] = []
                    var isFirst = true
                    while !receiver.isClosed, let part = try await connection.receive() {
                        if isFirst { try await connection.send(bytes) }
                        isFirst = false
                        try part.withUnsafeBytes { try receiver.receive($0, into: &seen) }
                    }
                    events.resolve(seen)
                }
            } body: { server in
                let socket = try await NIOWebSocketTransport().connect(try request(server))
                try await socket.send(.binary([UInt8](repeating: 1, count: 12 << 20)))
                return (try await socket.ending(), try await events.cancellableValue())
            }
        }

        @Test func `a close or a broken rule in the middle of a large message is answered behind it`() async throws {
            let close = try await Self.interrupt(with: WebSocketFrameEncoder.frame(.close, [0x03, 0xE8]))
            #expect(close.ending == WebSocketEnding(.normal, side: .peer))
            #expect(close.events.count == 2 && close.events.last == .close(.normal, reason: ""))
            let broken = try await Self.interrupt(with: [0xF1, 0x00])
            #expect(broken.ending.code == .protocolError && broken.ending.side == .local)
            guard case .close(.protocolError, _)? = broken.events.last, broken.events.count == 2 else {
                Issue.record("the server got \(broken.events.count) events")
                return
            }
        }

        @Test func `messages of nothing and messages that unpack to much stop the peer, too, and none is lost`()
            async throws
        {
            for (message, count) in [
                (WebSocketMessage.binary([]), 100_000), (.binary([UInt8](repeating: 0, count: 1 << 20)), 100),
            ] {
                let isSent = EventualValue<Void>()
                try await LoopbackWebServer.withServer { _ in
                    .webSocket(compression: WebSocketRequest.Compression()) { socket in
                        for _ in 0..<count { try await socket.send(message) }
                        isSent.resolve(())
                    }
                } body: { server in
                    let socket = try await NIOWebSocketTransport().connect(
                        try Self.request(server) { $0.compression = WebSocketRequest.Compression() }
                    )
                    // All of it fits between the two.
                    try await isSent.cancellableValue()
                    #expect(try await socket.receive() == message)
                    let unpacked = socket.receivedBytes
                    var received = 1
                    while let next = try await socket.receive() {
                        #expect(next == message)
                        received += 1
                    }
                    #expect(received == count)
                    #expect(unpacked < socket.receivedBytes / 2, "\(unpacked) of \(socket.receivedBytes) were unpacked")
                    #expect(try await socket.ending() == WebSocketEnding(.normal, side: .peer))
                }
            }
        }

        @Test func `what came before a loss is received, also where it was not decoded yet`() async throws {
            let frames = (0..<100_000).flatMap { _ in [0x82, 0x00] as [UInt8] }
            try await LoopbackWebServer.withServer { request in
                return .raw(Self.opened(request) + frames)
            } body: { server in
                let socket = try await NIOWebSocketTransport().connect(try Self.request(server))
                var received = 0
                while let next = try await socket.receive() {
                    #expect(next == .binary([]))
                    received += 1
                }
                #expect(received == 100_000)
                #expect(try await socket.ending().isLost)
            }
        }

        @Test func `a flood of pings is answered, the last one for certain`() async throws {
            var bytes: [UInt8] = []
            for number in 0..<5000 {
                bytes += WebSocketFrameEncoder.frame(.ping, [UInt8(number >> 8), UInt8(number & 0xFF)])
            }
            bytes += WebSocketFrameEncoder.frame(.close, [0x03, 0xE8])
            let result = try await Self.answer(to: bytes)
            let pongs = result.events.compactMap { event -> Int? in
                guard case .pong(let payload) = event else { return nil }
                return Int(payload[0]) << 8 | Int(payload[1])
            }
            #expect(pongs == pongs.sorted() && pongs.last == 4999)
            #expect(result.events.last == .close(.normal, reason: ""))
            #expect(result.ending == WebSocketEnding(.normal, side: .peer))
        }

        @Test func `a close without a code is told as 1005`() async throws {
            let result = try await Self.answer(to: WebSocketFrameEncoder.frame(.close, []))
            #expect(result.ending == WebSocketEnding(.noCode, side: .peer))
            #expect(result.events == [.close(nil, reason: "")])
        }

        @Test func `masks differ from frame to frame`() async throws {
            let received = EventualValue<[UInt8]>()
            try await LoopbackWebServer.withServer { request in
                return .raw(Self.opened(request)) { connection in
                    var all: [UInt8] = []
                    while all.count < 50 * 10, let bytes = try await connection.receive() { all += bytes }
                    received.resolve(all)
                }
            } body: { server in
                let socket = try await NIOWebSocketTransport().connect(try Self.request(server))
                for _ in 0..<50 { try await socket.send(.binary([0, 0, 0, 0])) }
                let bytes = try await received.cancellableValue()
                // Zeros show the mask itself.
                let masks = (0..<50).map { Array(bytes[($0 * 10 + 6)..<($0 * 10 + 10)]) }
                #expect(Set(masks).count == 50)
            }
        }

        @Test func `a refusal has its status and its body`() async throws {
            try await LoopbackWebServer.withServer { _ in
                .json(#"{"detail":"no"}"#, status: .forbidden)
            } body: { server in
                let error = await #expect(throws: TransportError.self) {
                    _ = try await NIOWebSocketTransport().connect(try Self.request(server))
                }
                #expect(error?.code == .webSocketRefused)
                let refusal = try #require(error?.cause as? WebSocketRefusal)
                #expect(refusal.head.status == .forbidden)
                #expect(String(decoding: refusal.body, as: UTF8.self) == #"{"detail":"no"}"#)
            }
        }

        @Test func `a server that drops the handshake is a lost connection, and one that is none is refused`()
            async throws
        {
            for (answer, code) in [
                (LoopbackWebServer.Answer.drop, TransportError.Code.connectionLost),
                (.raw(Array("SSH-2.0-x\r\n\r\n".utf8)), .webSocketHandshake),
                // As a real one does: one line, and it hangs up.
                (.raw(Array("SSH-2.0-x\r\n".utf8)), .webSocketHandshake),
                (.raw(Array("HTTP/1.1 101 x\r\nUpgr".utf8)), .connectionLost),
            ] {
                try await LoopbackWebServer.withServer { _ in
                    answer
                } body: { server in
                    let error = await #expect(throws: TransportError.self) {
                        _ = try await NIOWebSocketTransport().connect(try Self.request(server))
                    }
                    #expect(error?.code == code)
                    if code == .webSocketHandshake { #expect(error?.message.contains("an SSH server") == true) }
                }
            }
        }

        @Test func `who is not there, or never answers, is told apart`() async throws {
            try await LoopbackPort.withRefusing { port in
                let nobody = WebSocketRequest(try WebSocketURL("ws://127.0.0.1:\(port)/"))
                let refused = await #expect(throws: TransportError.self) {
                    _ = try await NIOWebSocketTransport().connect(nobody)
                }
                #expect(refused?.code == .webSocketNeverConnected)
            }
            try await LoopbackPort.withFullBacklog { port in
                var request = WebSocketRequest(try WebSocketURL("ws://127.0.0.1:\(port)/"))
                request.connectDeadline = .milliseconds(300)
                let error = await #expect(throws: TransportError.self) {
                    _ = try await NIOWebSocketTransport().connect(request)
                }
                #expect(error?.code == .webSocketNeverConnected)
            }
            try await LoopbackWebServer.withServer { _ in
                .raw([]) { connection in while try await connection.receive() != nil {} }
            } body: { server in
                let error = await #expect(throws: TransportError.self) {
                    _ = try await NIOWebSocketTransport().connect(
                        // Not before the connection itself is there.
                        try Self.request(server) { $0.connectDeadline = .seconds(2) }
                    )
                }
                #expect(error?.code == .timeout)
            }
        }

        @Test func `cancelling a connect closes what there is, at every stage`() async throws {
            try await LoopbackPort.withFullBacklog { port in
                let request = WebSocketRequest(try WebSocketURL("ws://127.0.0.1:\(port)/"), connectDeadline: nil)
                let connecting = Task { try await NIOWebSocketTransport().connect(request).subprotocol }
                connecting.cancel()
                await #expect(throws: CancellationError.self) { try await connecting.value }
            }
            let (asked, ended) = (EventualValue<Void>(), EventualValue<Void>())
            try await LoopbackWebServer.withServer { _ in
                .raw([]) { connection in
                    // However it ends, and not before it is listened to: a connection that is gone earlier plays
                    // nothing.
                    defer { ended.resolve(()) }
                    asked.resolve(())
                    while try await connection.receive() != nil {}
                }
            } body: { server in
                let request = try Self.request(server) { $0.connectDeadline = nil }
                let connecting = Task { try await NIOWebSocketTransport().connect(request).subprotocol }
                try await asked.cancellableValue()
                connecting.cancel()
                await #expect(throws: CancellationError.self) { try await connecting.value }
                try await ended.cancellableValue()
            }
        }

        @Test func `a peer that dies anywhere in a message loses the connection, and nothing of before`() async throws {
            let first = WebSocketFrameEncoder.frame(.text, Array("first".utf8))
            let second = WebSocketFrameEncoder.frame(.text, Array("second".utf8))
            for count in 0..<second.count {
                try await LoopbackWebServer.withServer { request in
                    return .raw(Self.opened(request) + first + second.prefix(count))
                } body: { server in
                    let socket = try await NIOWebSocketTransport().connect(try Self.request(server))
                    #expect(try await socket.receive() == .text("first"))
                    #expect(try await socket.receive() == nil)
                    #expect(try await socket.ending().isLost)
                }
            }
        }

        @Test func `a peer that does not answer a close is left behind in time`() async throws {
            try await LoopbackWebServer.withServer { request in
                return .raw(Self.opened(request)) { connection in while try await connection.receive() != nil {} }
            } body: { server in
                let socket = try await NIOWebSocketTransport().connect(
                    try Self.request(server) { $0.limits.close = .milliseconds(300) }
                )
                await socket.close(.goingAway, reason: "")
                #expect(try await socket.ending() == WebSocketEnding(.goingAway, side: .local))
            }
        }

        @Test func `a reader that stops stops the peer`() async throws {
            let sent = Mutex(0)
            try await LoopbackWebServer.withServer { _ in
                .webSocket { socket in
                    let block = [UInt8](repeating: 1, count: 100_000)
                    for _ in 0..<1000 {
                        try await socket.send(.binary(block))
                        sent.withLock { $0 += 1 }
                    }
                }
            } body: { server in
                let socket = try await NIOWebSocketTransport().connect(try Self.request(server))
                // Read nothing until nothing moves any more.
                var before = -1
                while before != sent.withLock(\.self) || before == 0 {
                    before = sent.withLock(\.self)
                    try await ContinuousClock().sleep(for: .milliseconds(400))
                }
                #expect(before < 300, "\(before) messages of 100 KB were taken although nobody reads")
                var count = 0
                while try await socket.receive() != nil { count += 1 }
                #expect(count == 1000)
                #expect(try await socket.ending().code == .normal)
            }
        }

        @Test func `plain requests and WebSockets share a port`() async throws {
            try await LoopbackWebServer.withServer { request in
                switch request.head.path {
                case "/api/sessions": .json("[]")
                case "/ws": .webSocket { socket in try await socket.send(.text("hello")) }
                default: .json(#"{"detail":"Not Found"}"#, status: .notFound)
                }
            } body: { server in
                let socket = try await NIOWebSocketTransport().connect(try Self.request(server))
                #expect(try await socket.receive() == .text("hello"))
                #if HTTPClient
                let base = try HTTPBaseURL("http://127.0.0.1:\(server.port)")
                try await AsyncHTTPTransport.withTransport { http in
                    for (path, status, body) in [("/api/sessions", 200, "[]"), ("/x", 404, #"{"detail":"Not Found"}"#)]
                    {
                        let reply = try await http.send(
                            base.request(.post, path),
                            body: .bytes(Array("{}".utf8)),
                            deadlines: HTTPDeadlines()
                        )
                        #expect(reply.head.status.code == status)
                        #expect(String(decoding: try await reply.body.collect(upTo: 1000), as: UTF8.self) == body)
                    }
                }
                #expect(server.requests.map(\.body) == [[], Array("{}".utf8), Array("{}".utf8)])
                #endif
            }
        }
    }
}
