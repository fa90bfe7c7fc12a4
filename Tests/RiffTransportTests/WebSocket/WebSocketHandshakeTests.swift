// Riff
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import RiffCore
import RiffTesting
import RiffTransport
import TestSupport
import Testing

struct WebSocketHandshakeTests {
    private static func make(
        _ url: String = "ws://example.org:3460/chat?token=secret",
        _ change: (inout WebSocketRequest) -> Void = { _ in }
    ) throws -> WebSocketClientHandshake {
        var request = WebSocketRequest(try WebSocketURL(url))
        change(&request)
        var generator = SeededGenerator(seed: 5)
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

    @Test(arguments: ["-1", "+2", " 2 x", "99999999999999999999", ""])
    func `a length that is none says nothing`(length: String) throws {
        for chunk in [1, 7, 1000] {
            var handshake = try Self.make()
            let answer = Array("HTTP/1.1 403 No\r\nContent-Length: \(length)\r\n\r\nwhy".utf8)
            for start in stride(from: 0, to: answer.count, by: chunk) {
                let part = Array(answer[start..<min(start + chunk, answer.count)])
                #expect(try handshake.receive(part) == nil)
            }
            guard case .refused(let refusal)? = handshake.end() else { Issue.record("no refusal"); return }
            #expect(refusal.head.status.code == 403 && refusal.body == Array("why".utf8))
        }
    }

    @Test func `some interim answers may come first, and no flood of them`() throws {
        let interim = Array("HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n".utf8)
        var patient = try Self.make()
        let answer = (0..<8).flatMap { _ in interim } + (try Self.answer(to: patient))
        guard case .opened? = try patient.receive(answer) else { Issue.record("not opened"); return }
        var flooded = try Self.make()
        let error = #expect(throws: TransportError.self) {
            _ = try flooded.receive((0..<20_000).flatMap { _ in interim })
        }
        #expect(error?.code == .webSocketHandshake)
    }

    @Test
    func `an answer with any bytes changed, dropped or doubled ends in an outcome or an error, however it is cut`()
        throws
    {
        var generator = SeededGenerator(seed: 11)
        let bodies = [
            "HTTP/1.1 101 x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: KEY\r\n"
                + "Sec-WebSocket-Extensions: permessage-deflate; server_max_window_bits=12\r\n\r\n\u{81}\u{2}hi",
            "HTTP/1.1 403 No\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nwhy\r\n0\r\n\r\n",
            "HTTP/1.1 100 C\r\n\r\nHTTP/1.1 503 Busy\r\nContent-Length: 4\r\n\r\nbusy",
        ]
        for round in 0..<6000 {
            let request = try Self.make { $0.compression = WebSocketRequest.Compression(serverMaxWindowBits: 12) }
            let key = WebSocketAccept.answer(to: try Self.key(request))
            var bytes = Array(bodies[round % 3].replacing("KEY", with: key).utf8)
            for _ in 0..<Int.random(in: 0...4, using: &generator) {
                let place = Int.random(in: 0..<bytes.count, using: &generator)
                switch Int.random(in: 0...3, using: &generator) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
                case 1: bytes.remove(at: place)
                case 2: bytes.insert(contentsOf: bytes[place..<min(place + 20, bytes.count)], at: place)
                default: bytes[place] = Array("-+0;: \r\n".utf8).randomElement(using: &generator) ?? 0
                }
            }
            let whole = Self.outcome(request, [bytes])
            let place = Int.random(in: 0...bytes.count, using: &generator)
            #expect(Self.outcome(request, [Array(bytes[..<place]), Array(bytes[place...])]) == whole)
        }
    }

    private static func outcome(_ handshake: WebSocketClientHandshake, _ parts: [[UInt8]]) -> String {
        var handshake = handshake
        do {
            var rest: [[UInt8]] = parts
            while !rest.isEmpty {
                let outcome = try handshake.receive(rest.removeFirst())
                switch outcome {
                case .opened(let name, let agreement, let bytes):
                    return "opened \(name ?? "") \(agreement == nil) \(bytes + rest.flatMap(\.self))"
                case .refused(let refusal): return "refused \(refusal.head.status) \(refusal.body)"
                case nil: break
                }
            }
            guard case .refused(let refusal)? = handshake.end() else { return "nothing" }
            return "refused \(refusal.head.status) \(refusal.body)"
        } catch {
            return "\(error)"
        }
    }

    @Test func `a request has what the RFC asks for, and a fresh key`() throws {
        let handshake = try Self.make {
            $0.subprotocols = ["hub.v2", "hub"]
            $0.headers[.authorization] = "Bearer x"
            $0.compression = WebSocketRequest.Compression()
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
