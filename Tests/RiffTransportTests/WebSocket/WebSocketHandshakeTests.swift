// Riff
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import RiffTransport
import Testing

struct WebSocketHandshakeTests {
    private static func make(
        _ url: String = "ws://example.org:3460/chat?token=secret",
        _ change: (inout WebSocketRequest) -> Void = { _ in }
    ) throws -> WebSocketClientHandshake {
        var request = WebSocketRequest(try WebSocketURL(url))
        change(&request)
        var generator = Chunking.Generator(state: 5)
        return try WebSocketClientHandshake(request, using: &generator)
    }

    private static func key(_ handshake: WebSocketClientHandshake) throws -> String {
        let text = String(decoding: handshake.request, as: UTF8.self)
        let line = try #require(text.split(separator: "\r\n").first { $0.hasPrefix("Sec-WebSocket-Key: ") })
        return String(line.dropFirst(19))
    }

    private static func answer(
        to handshake: WebSocketClientHandshake,
        without: String? = nil,
        _ more: String...
    ) throws -> [UInt8] {
        var lines = [
            "HTTP/1.1 101 Switching Protocols", "upgrade: WebSocket", "Connection: keep-alive, Upgrade",
            "Sec-WebSocket-Accept: \(WebSocketAccept.answer(to: try key(handshake)))",
        ]
        lines.removeAll { line in without.map { line.hasPrefix($0) } ?? false }
        return Array(((lines + more).joined(separator: "\r\n") + "\r\n\r\n").utf8)
    }

    @Test func `the key's answer is the one of RFC 6455 section 1_3`() {
        #expect(WebSocketAccept.answer(to: "dGhlIHNhbXBsZSBub25jZQ==") == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
    }

    @Test func `a request has what the RFC asks for, and a fresh key`() throws {
        let handshake = try Self.make {
            $0.subprotocols = ["hub.v2", "hub"]
            $0.headers[.authorization] = "Bearer x"
            $0.compression = WebSocketCompression()
        }
        let text = String(decoding: handshake.request, as: UTF8.self)
        #expect(text.hasPrefix("GET /chat?token=secret HTTP/1.1\r\nHost: example.org:3460\r\n"))
        for line in [
            "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13",
            "Sec-WebSocket-Protocol: hub.v2, hub", "Authorization: Bearer x",
            "Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits",
        ] { #expect(text.contains("\r\n\(line)\r\n")) }
        var generator = SystemRandomNumberGenerator()
        let request = WebSocketRequest(try WebSocketURL("ws://h/"))
        let keys = try (0..<8).map { _ in try Self.key(WebSocketClientHandshake(request, using: &generator)) }
        #expect(Set(keys).count == 8 && keys.allSatisfy { $0.utf8.count == 24 })
    }

    @Test func `an answer is read at every split, with the frames behind it`() throws {
        let handshake = try Self.make { $0.subprotocols = ["hub"] }
        let bytes = try Self.answer(to: handshake, "Sec-WebSocket-Protocol: hub") + [0x81, 0x00]
        for parts in Chunking.all(bytes, random: 10) {
            var handshake = handshake
            var rest: [UInt8] = []
            var chosen: String?
            var isOpen = false
            for part in parts {
                if isOpen {
                    rest += part
                } else if case .opened(let name, nil, let more) = try handshake.receive(part) {
                    (isOpen, chosen, rest) = (true, name, more)
                }
            }
            #expect(isOpen && chosen == "hub" && rest == [0x81, 0x00])
        }
    }

    @Test func `a wrong answer is refused`() throws {
        let handshake = try Self.make { $0.subprotocols = ["hub"] }
        var wrong = [
            try Self.answer(to: handshake, without: "upgrade"), try Self.answer(to: handshake, without: "Connection"),
            try Self.answer(to: handshake, without: "Sec-WebSocket-Accept"),
            try Self.answer(to: handshake, without: "upgrade", "Upgrade: h2c"),
            try Self.answer(to: handshake, "Sec-WebSocket-Protocol: other"),
            try Self.answer(to: handshake, "Sec-WebSocket-Protocol: hub", "Sec-WebSocket-Protocol: hub"),
            try Self.answer(to: handshake, "Sec-WebSocket-Extensions: permessage-deflate"),
            try Self.answer(
                to: try Self.make { $0.headers[.accept] = "x" },
                without: "Sec-WebSocket-Accept",
                "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo="
            ),
            Array("SSH-2.0-OpenSSH_9.2\r\n\r\n".utf8), Array("HTTP/2 101 x\r\n\r\n".utf8),
            Array("HTTP/1.1 101 Switching\r\nbad field\r\n\r\n".utf8),
        ]
        wrong.append([UInt8](repeating: 65, count: 70_000))
        for bytes in wrong {
            var handshake = handshake
            let error = #expect(throws: TransportError.self) { try handshake.receive(bytes) }
            #expect(error?.code == .webSocketHandshake)
            #expect(error?.message.contains("secret") == false)
        }
    }

    static let refusals: [(String, Int, String)] = [
        ("HTTP/1.1 403 Forbidden\r\nContent-Length: 6\r\n\r\ndeniedXX", 403, "denied"),
        ("HTTP/1.1 404 Not Found\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n", 404, "abcde"),
        ("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 302 Found\r\nLocation: /x\r\nContent-Length: 0\r\n\r\n", 302, ""),
        ("HTTP/1.0 200 OK\r\n\r\n<html>", 200, "<html>"),
    ]

    @Test(arguments: refusals)
    func `another status is a refusal with its body`(text: String, status: Int, body: String) throws {
        for parts in Chunking.all(Array(text.utf8), random: 10) {
            var handshake = try Self.make()
            var outcome: WebSocketClientHandshake.Outcome?
            for part in parts where outcome == nil { outcome = try handshake.receive(part) }
            guard case .refused(let refusal) = outcome ?? handshake.end() else {
                Issue.record("no refusal")
                return
            }
            #expect(refusal.head.status.code == status && String(decoding: refusal.body, as: UTF8.self) == body)
            let error = WebSocketClientHandshake.error(refusal, try WebSocketURL("ws://h/x?token=secret"))
            #expect(error.code == .webSocketRefused && error.message.contains("\(status)"))
            #expect(!error.message.contains("secret") && error.cause is WebSocketRefusal)
        }
    }

    @Test func `a refusal's body is kept up to 64 KiB`() throws {
        var handshake = try Self.make()
        _ = try handshake.receive(Array("HTTP/1.1 500 x\r\n\r\n".utf8))
        var outcome: WebSocketClientHandshake.Outcome?
        for _ in 0..<100 where outcome == nil {
            outcome = try handshake.receive([UInt8](repeating: 65, count: 10_000))
        }
        guard case .refused(let refusal) = outcome else {
            Issue.record("no refusal")
            return
        }
        #expect(refusal.body.count == 65_536)
    }

    @Test func `what could say something else on the wire is never sent`() throws {
        let changes: [(inout WebSocketRequest) -> Void] = [
            { $0.headers[.authorization] = "a\r\nX-Evil: 1" }, { $0.headers[.cookie] = "a\u{0}" },
            { $0.headers[.secWebSocketKey] = "x" },
            { $0.headers[.connection] = "close" }, { $0.headers[.contentLength] = "5" },
            { $0.subprotocols = ["a b"] }, { $0.subprotocols = [""] }, { $0.subprotocols = ["a\r\nX: 1"] },
            { $0.subprotocols = ["a", "a"] }, { $0.subprotocols = ["a,b"] },
        ]
        for (number, change) in changes.enumerated() {
            // HTTPTypes makes blanks of some control characters; then there is nothing to refuse.
            if number < 2 {
                var request = WebSocketRequest(try WebSocketURL("ws://h/"))
                change(&request)
                if (try? request.validate()) != nil {
                    let text = String(decoding: try Self.make("ws://h/", change).request, as: UTF8.self)
                    #expect(!text.contains("\r\nX-Evil") && !text.contains("\u{0}"))
                    continue
                }
            }
            let error = #expect(throws: TransportError.self) { try Self.make("ws://h/", change) }
            #expect(error?.code == .webSocketInvalidRequest, "change \(number)")
        }
    }

    @Test func `addresses are read, and shown without their query`() throws {
        let cases: [(String, Bool, String, Int, String)] = [
            ("ws://h/ws", false, "h", 80, "/ws"), ("wss://h", true, "h", 443, "/"),
            ("https://h:8443/a?b=c", true, "h", 8443, "/a?b=c"), ("http://[::1]:3460/ws", false, "::1", 3460, "/ws"),
            ("WS://Host?x", false, "host", 80, "/?x"), ("ws://[::1]", false, "::1", 80, "/"),
        ]
        for (text, isSecure, host, port, target) in cases {
            let url = try WebSocketURL(text)
            #expect(url.isSecure == isSecure && url.endpoint.host == host && url.endpoint.port == port)
            #expect(url.target == target && !url.description.contains("?"))
        }
        for text in [
            "h/ws", "ftp://h/", "ws://", "ws://u:p@h/", "ws://h/a b", "ws://h/#f", "ws://h:0/", "ws://h/\r\n",
            "ws://h:x/",
        ] {
            let error = #expect(throws: TransportError.self) { try WebSocketURL(text) }
            #expect(error?.code == .webSocketInvalidRequest, "\(text)")
        }
    }
}
