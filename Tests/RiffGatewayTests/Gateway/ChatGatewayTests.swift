// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import RiffCore
import RiffGateway
import RiffTesting
import RiffTransport
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct ChatGatewayTests {
    private static func code<Value>(_ body: () async throws -> Value) async -> GatewayError.Code? {
        do {
            _ = try await body()
            return nil
        } catch { return (error as? GatewayError)?.code }
    }

    @Test func `health is a service, a page, something unknown, or what failed; the token is not sent`() async throws {
        let (page, http) = try GatewayFixtures.gateway(["health"])
        #expect(try await page.health() == .page)
        #expect(http.requests.first?.head.headerFields[.authorization] == nil)
        #expect(http.requests.first?.deadlines.total == .seconds(3))
        let newer = ScriptedHTTPTransport([
            .response(HTTPResponse(status: .notFound), chunks: [[]]), .json(#"{"ok":true,"status":"live"}"#),
        ])
        #expect(try await GatewayFixtures.gateway(newer).health() == .service)
        #expect(newer.requests.map(\.head.path) == ["/health", "/healthz"])
        let absent = HTTPResponse(status: .notFound, headerFields: [.contentType: "text/plain"])
        let unknown = ScriptedHTTPTransport(
            Array(repeating: .response(absent, chunks: [Array("Not Found".utf8)]), count: 2)
        )
        #expect(try await GatewayFixtures.gateway(unknown).health() == .unknown)
        for (failure, code) in [
            (TransportError.Code.httpNeverConnected, GatewayError.Code.unreachable), (.timeout, .timedOut),
            (.connectionLost, .connectionLost),
        ] {
            let http = ScriptedHTTPTransport([.failure(TransportError(failure, "x"))])
            #expect(await Self.code { try await GatewayFixtures.gateway(http).health() } == code)
        }
    }

    @Test(arguments: ["http://h:1", "http://h:1/", "http://h:1/v1", "http://h:1/v1/", "http://h:1/v1/chat/completions"])
    func `an address ends with the version or not, and a message says the whole path`(address: String) async throws {
        let head = HTTPResponse(status: .notFound, headerFields: [.contentType: "text/plain"])
        let http = ScriptedHTTPTransport(Array(repeating: .response(head, chunks: []), count: 4))
        let configuration = try GatewayConfiguration.resolved(typed: .init(address: address))
        let gateway = ChatGateway(configuration, http: http)
        let outcome = await gateway.reply(to: ChatRequest(model: "m", messages: [.user("hi")]))
        #expect(outcome.error?.code == .unsupported)
        #expect(outcome.error?.message.contains("POST http://h:1/v1/chat/completions (404)") == true)
        #expect(try await gateway.health() == .unknown)
        let error = await #expect(throws: GatewayError.self) { try await gateway.probe("m") }
        #expect(error?.message.contains("POST http://h:1/v1/chat/completions (404)") == true)
        #expect(
            http.requests.map(\.head.path) == ["/v1/chat/completions", "/health", "/healthz", "/v1/chat/completions"]
        )
    }

    @Test func `who asks for the token before health gets it, and says whether it is the right one`() async throws {
        let refusal = ScriptedHTTPTransport.Reply.json(#"{"error":"who?"}"#, status: .unauthorized)
        let proxy = ScriptedHTTPTransport([refusal, .json("{}")])
        #expect(try await GatewayFixtures.gateway(proxy).health() == .service)
        #expect(proxy.requests.map { $0.head.headerFields[.authorization] } == [nil, "Bearer t0ken"])
        let wrong = ScriptedHTTPTransport([refusal, refusal])
        #expect(await Self.code { try await GatewayFixtures.gateway(wrong).health() } == .unauthorized)
        let none = ScriptedHTTPTransport([refusal])
        let error = await #expect(throws: GatewayError.self) {
            try await GatewayFixtures.gateway(none, token: nil).health()
        }
        #expect(error?.code == .unauthorized && error?.message.contains("wants a token") == true)
        #expect(none.requests.count == 1)
    }

    @Test func `every request has the token, and the agent under both names`() async throws {
        let (gateway, http) = try GatewayFixtures.gateway(["get /api/providers"])
        _ = try await gateway.providers()
        let fields = try #require(http.requests.first?.head.headerFields)
        #expect(fields[.authorization] == "Bearer t0ken")
        for name in ["x-moltbot-agent-id", "x-openclaw-agent-id"] {
            #expect(fields[try #require(HTTPField.Name(name))] == "remoteclaw")
        }
        let bad = try GatewayFixtures.gateway(ScriptedHTTPTransport(), token: "a\r\nx: y")
        #expect(await Self.code { try await bad.providers() } == .unauthorized)
    }

    /// What a gateway is asked that has an answer to one question, whatever that is.
    private static let questions: [@Sendable (ChatGateway) async throws -> Bool] = [
        { try await $0.models().isEmpty }, { try await $0.providers().isEmpty },
        { try await $0.rateLimits(of: "anthropic").isEmpty }, { try await $0.costs(days: 7) == CostUsage(total: nil) },
        { try await $0.voice() == VoiceOffer() },
    ]

    private static func answer(_ status: Int, _ type: String?, _ text: String) -> ScriptedHTTPTransport.Reply {
        var head = HTTPResponse(status: .init(code: status))
        head.headerFields[.contentType] = type
        return .response(head, chunks: text.isEmpty ? [] : [Array(text.utf8)])
    }

    @Test(
        arguments: [
            (200, "text/html; charset=utf-8", "<!doctype html>"), (200, "text/plain", "404"), (200, "text/html", "{}"),
            (200, nil, "{}"), (204, nil, ""), (404, "text/plain", "Not Found"),
            (405, "text/plain", "Method Not Allowed"),
            (501, nil, ""),
        ] as [(Int, String?, String)]
    )
    func `who does not know a question has nothing, whatever it answers instead`(
        status: Int,
        type: String?,
        text: String
    ) async throws {
        let reply = Self.answer(status, type, text)
        for question in Self.questions {
            #expect(try await question(GatewayFixtures.gateway(ScriptedHTTPTransport([reply, reply]))))
        }
    }

    @Test(
        arguments: [
            (200, "application/json", #"{"providers":[{"id":"#, .answerMalformed),
            (200, "application/json; charset=utf-8", "404", .answerMalformed),
            (200, "application/problem+json", "", .answerMalformed),
            (401, "application/json", "{}", .unauthorized), (429, nil, "", .rateLimited),
            (500, nil, "", .gatewayFailed),
            (302, nil, "", .requestRefused),
        ] as [(Int, String?, String, GatewayError.Code)]
    )
    func `what says to be JSON and is none, and what is refused, is an error`(
        status: Int,
        type: String?,
        text: String,
        code: GatewayError.Code
    ) async throws {
        for question in Self.questions {
            let http = ScriptedHTTPTransport([Self.answer(status, type, text)])
            #expect(await Self.code { try await question(GatewayFixtures.gateway(http)) } == code)
        }
    }

    @Test(arguments: ["/api/providers", "/api/rate-limits", "/api/voice/capabilities"])
    func `who has no token is told so`(_ path: String) async throws {
        func ask(_ gateway: ChatGateway) async throws {
            switch path {
            case "/api/providers": _ = try await gateway.providers()
            case "/api/rate-limits": _ = try await gateway.rateLimits()
            default: _ = try await gateway.voice()
            }
        }
        for name in ["noauth", "wrongauth"] {
            let (gateway, _) = try GatewayFixtures.gateway(["\(name) \(path)"])
            let error = await #expect(throws: GatewayError.self) { try await ask(gateway) }
            #expect(error?.code == .unauthorized && error?.answer?.message == "Unauthorized")
        }
    }

    @Test func `models come from either list, each once`() async throws {
        let list = #"{"object":"list","data":[{"id":"openclaw/main","owned_by":"openclaw"},{"id":"b"},{"id":"b"},{}]}"#
        let http = ScriptedHTTPTransport([.response(HTTPResponse(status: .notFound), chunks: [[]]), .json(list)])
        let models = try await GatewayFixtures.gateway(http).models()
        #expect(models == [GatewayModel(id: "openclaw/main", owner: "openclaw"), GatewayModel(id: "b")])
        #expect(http.requests.map(\.head.path) == ["/api/models", "/v1/models"])
        let own = ScriptedHTTPTransport([.json(#"["a","b"]"#)])
        #expect(try await GatewayFixtures.gateway(own).models().map(\.id) == ["a", "b"])
    }

    @Test func `providers are paid by use or by the month`() async throws {
        let (gateway, _) = try GatewayFixtures.gateway(["get /api/providers"])
        let providers = try await gateway.providers()
        #expect(providers.map(\.id) == ["acme", "anthropic", "deepseek", "openai"])
        #expect(providers[1].billing == .subscription(plan: "Max Pro", monthlyPrice: 200))
        #expect(providers[0].billing == .usage)
    }

    @Test func `a model is changed by the host's tool where there is no path for it`() async throws {
        let session = GatewaySession(key: try RiffIdentifier("remoteclaw-1"))
        let (gateway, http) = try GatewayFixtures.gateway(["model_override_absent", "override_ok"])
        try await gateway.use(model: "anthropic/claude-opus-4-5", in: session)
        #expect(http.requests.map(\.head.path) == ["/api/model-override", "/tools/invoke"])
        let body = try JSONValue(parsing: try #require(http.requests.last?.body))
        #expect(body["tool"] == "session_status" && body["args"]?["model"] == "anthropic/claude-opus-4-5")
        #expect(body["sessionKey"] == "remoteclaw-1")
        let (unknown, _) = try GatewayFixtures.gateway(["model_override_absent", "override_unknown"])
        let error = await #expect(throws: GatewayError.self) { try await unknown.use(model: "zz/none", in: session) }
        #expect(error?.code == .requestRefused && error?.answer?.message == "Unrecognized model \"zz/none\".")
        let (absent, _) = try GatewayFixtures.gateway(["model_override_absent", "tool_absent"])
        #expect(await Self.code { try await absent.use(model: "x", in: session) } == .unsupported)
    }

    @Test(
        arguments: [(204, nil, ""), (200, nil, ""), (200, "application/json", ""), (200, "application/json", "{}")]
            as [(Int, String?, String)]
    )
    func `a change of the model that is done without a word is not asked for twice`(
        status: Int,
        type: String?,
        text: String
    ) async throws {
        let http = ScriptedHTTPTransport([Self.answer(status, type, text)])
        try await GatewayFixtures.gateway(http).use(model: "m", in: .random())
        #expect(http.requests.map(\.head.path) == ["/api/model-override"])
    }

    @Test func `a page is no change of the model`() async throws {
        let page = Self.answer(200, "text/html", "<html>")
        let http = ScriptedHTTPTransport([page, page])
        #expect(
            await Self.code { try await GatewayFixtures.gateway(http).use(model: "m", in: .random()) } == .unsupported
        )
        #expect(http.requests.count == 2)
    }

    @Test(arguments: [
        (#"{"error":{"message":"no such model"}}"#, GatewayError.Code.chatFailed),
        (#"{"error":"no such model"}"#, .chatFailed), (#"{"detail":"no such model"}"#, .chatFailed),
        (
            #"{"model":"m","choices":[{"message":{"content":"Error: no such model"},"finish_reason":"stop"}]}"#,
            .chatFailed
        ),
        (#"{"model":"m","choices":[{"finish_reason":"error"}]}"#, .chatFailed), ("{}", .notChat), ("<html>", .notChat),
        ("", .chatTruncated),
    ])
    func `a probe is not good because its status is 200`(text: String, code: GatewayError.Code) async throws {
        let http = ScriptedHTTPTransport([.json(text)])
        let error = await #expect(throws: GatewayError.self) { try await GatewayFixtures.gateway(http).probe("m") }
        #expect(error?.code == code)
        if code == .chatFailed, text.contains("no such") { #expect(error?.message.contains("no such model") == true) }
    }

    @Test func `a probe tells who answers`() async throws {
        let (gateway, http) = try GatewayFixtures.gateway(["chat_nonstream"])
        let probe = try await gateway.probe("anthropic/claude")
        #expect(probe == GatewayModel.Probe(asked: "anthropic/claude", answered: "deepseek/deepseek-chat"))
        #expect(probe.isMismatch && !GatewayModel.Probe(asked: "a", answered: nil).isMismatch)
        let body = try JSONValue(parsing: try #require(http.requests.first?.body))
        #expect(body["max_tokens"] == 1 && body["stream"] == false)
    }
}
