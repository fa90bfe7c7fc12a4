// Riff
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import RiffCore
import RiffGateway
import RiffHTTP
import RiffTesting
import RiffTransport
import Synchronization
import TestSupport
import Testing

/// A gateway over sockets of this machine.
@Suite(.timeLimit(.minutes(5))) struct GatewaySocketTests {
    private static func with(
        _ script: [RawHTTPServer.Step],
        _ body: @Sendable (RawHTTPServer, ChatGateway) async throws -> Void
    ) async throws {
        try await AsyncHTTPTransport.withTransport { (http) async throws in
            try await RawHTTPServer.withServer(script) { (server) async throws in
                let address = try HTTPBaseURL("http://127.0.0.1:\(server.port)")
                try await body(
                    server,
                    ChatGateway(GatewayConfiguration(server: address, token: Secret("t0ken")), http: http)
                )
            }
        }
    }

    private static let question = ChatRequest(model: "m", messages: [.user("hello there")])

    @Test func `a recorded stream comes over a socket in pieces, and its connection is closed`() async throws {
        let stream = try #require(try Fixture.cases("gateway/streams.jsonl").first { $0["name"] == "stream_utf8" })
        let bytes = Array((stream["body"]?.text ?? "").utf8)
        let head =
            "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; charset=utf-8\r\nTransfer-Encoding: chunked\r\n\r\n"
        var script: [RawHTTPServer.Step] = [.readHead, .send(head)]
        for start in stride(from: 0, to: bytes.count, by: 7) {
            let piece = Array(bytes[start..<min(start + 7, bytes.count)])
            script.append(.send(Array("\(String(piece.count, radix: 16))\r\n".utf8) + piece + [13, 10]))
        }
        // It does not end: `[DONE]` does.
        script.append(.awaitClose)
        try await Self.with(script) { (server, gateway) async throws in
            let pieces = Mutex<[String]>([])
            let outcome = await gateway.reply(to: Self.question) { delta in
                if case .content(let text, choice: 0) = delta { pieces.withLock { $0.append(text) } }
            }
            guard case .complete(let reply) = outcome else {
                Issue.record("\(outcome)")
                return
            }
            #expect(reply.content == "snowman \u{2603} flag \u{1F1E9}\u{1F1F0} done")
            #expect(pieces.withLock { $0.count > 1 && $0.joined() == reply.content })
            try await server.closed()
            let asked = String(decoding: server.received(), as: UTF8.self).lowercased()
            #expect(asked.contains("authorization: bearer t0ken") && asked.contains("post /v1/chat/completions"))
        }
    }

    @Test func `a redirect is not followed, so that the token goes nowhere else`() async throws {
        try await RawHTTPServer.withServer([.readHead, .awaitClose]) { other in
            let port = other.port
            let redirect = "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:\(port)/\r\nContent-Length: 0\r\n\r\n"
            try await Self.with([.readHead, .send(redirect), .awaitClose]) { (server, gateway) async throws in
                let outcome = await gateway.reply(to: Self.question)
                #expect(outcome.error?.code == .requestRefused && outcome.error?.status == 302)
            }
            for ask in [
                { _ = try await $0.providers() }, { _ = try await $0.health() },
                { _ = try await $0.pair(password: Secret("pass")) },
            ] as [@Sendable (ChatGateway) async throws -> Void] {
                try await Self.with([.readHead, .send(redirect), .awaitClose]) { (_, gateway) async throws in
                    let error = await #expect(throws: GatewayError.self) { try await ask(gateway) }
                    #expect(error?.code == .requestRefused)
                }
            }
            #expect(other.connectionCount == 0)
        }
    }

    @Test(arguments: [
        ("SSH-2.0-OpenSSH_9.6\r\n", "an SSH server (\u{201C}SSH-2.0-OpenSSH_9.6\u{201D})"),
        ("220 \u{1B}[31mmail\r\n", "is a mail or file server, and no gateway"),
        ("hello\r\n", "does not speak HTTP (\u{201C}hello\u{201D})"),
    ])
    func `a port of something else says what answered there`(greeting: String, words: String) async throws {
        for ask in [
            { _ = try await $0.health() }, { _ = try await $0.models() },
            { if let error = await $0.reply(to: Self.question).error { throw error } },
        ] as [@Sendable (ChatGateway) async throws -> Void] {
            try await Self.with([.readHead, .send(greeting), .awaitClose]) { (server, gateway) async throws in
                let error = await #expect(throws: GatewayError.self) { try await ask(gateway) }
                let port = server.port
                #expect(error?.code == .notChat && error?.recovery == .openSettings(.gatewayURL))
                #expect(error?.message.contains("What answers at http://127.0.0.1:\(port) is") == true)
                #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
                #expect(error?.message.unicodeScalars.allSatisfy { $0.value >= 0x20 } == true)
            }
        }
    }

    @Test func `health is up, wants a token, or is down`() async throws {
        func answer(_ status: String) -> RawHTTPServer.Step {
            .send("HTTP/1.1 \(status)\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}")
        }
        try await Self.with([.readHead, answer("200 OK"), .awaitClose]) { (server, gateway) async throws in
            #expect(try await gateway.health() == .service)
            #expect(!String(decoding: server.received(), as: UTF8.self).contains("t0ken"))
        }
        let refusal = answer("401 Unauthorized")
        try await Self.with([.readHead, refusal, .readHead, refusal, .awaitClose]) { (_, gateway) async throws in
            let error = await #expect(throws: GatewayError.self) { try await gateway.health() }
            #expect(error?.code == .unauthorized && error?.status == 401)
        }
        try await AsyncHTTPTransport.withTransport { (http) async throws in
            let port = try await RawHTTPServer.withServer([]) { $0.port }
            let address = try HTTPBaseURL("http://127.0.0.1:\(port)")
            let error = await #expect(throws: GatewayError.self) {
                try await ChatGateway(GatewayConfiguration(server: address), http: http).health()
            }
            #expect(error?.code == .unreachable)
        }
    }
}
