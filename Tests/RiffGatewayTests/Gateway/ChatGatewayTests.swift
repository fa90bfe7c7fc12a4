// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import RiffCore
import RiffGateway
import RiffTesting
import RiffTransport
import Testing

@Suite(.timeLimit(.minutes(5))) struct ChatGatewayTests {
    private static func code<Value>(_ body: () async throws -> Value) async -> GatewayError.Code? {
        do {
            _ = try await body()
            return nil
        } catch { return (error as? GatewayError)?.code }
    }

    @Test func `health is a service, a page, or what failed; the token is not sent`() async throws {
        let (page, http) = try GatewayFixtures.gateway(["health"])
        #expect(try await page.health() == .page)
        #expect(http.requests.first?.head.headerFields[.authorization] == nil)
        #expect(http.requests.first?.deadlines.total == .seconds(3))
        let newer = ScriptedHTTPTransport([
            .response(HTTPResponse(status: .notFound), chunks: [[]]), .json(#"{"ok":true,"status":"live"}"#),
        ])
        #expect(try await GatewayFixtures.gateway(newer).health() == .service)
        #expect(newer.requests.map(\.head.path) == ["/health", "/healthz"])
        for (failure, code) in [
            (TransportError.Code.httpNeverConnected, GatewayError.Code.unreachable), (.timeout, .timedOut),
            (.connectionLost, .connectionLost),
        ] {
            let http = ScriptedHTTPTransport([.failure(TransportError(failure, "x"))])
            #expect(await Self.code { try await GatewayFixtures.gateway(http).health() } == code)
        }
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

    @Test func `what a host does not have is unsupported, whatever it answers instead`() async throws {
        for names in [["api_models_absent", "models_v1"], ["cost_usage_absent"]] {
            let (gateway, http) = try GatewayFixtures.gateway(names)
            let code = await Self.code {
                if names.count == 2 { _ = try await gateway.models() } else { _ = try await gateway.costs(days: 1) }
            }
            #expect(code == .unsupported)
            #expect(http.requests.count == names.count)
        }
        let text = ScriptedHTTPTransport([
            .response(HTTPResponse(status: .notFound, headerFields: [.contentType: "text/plain"]), chunks: [[0x4E]])
        ])
        #expect(await Self.code { try await GatewayFixtures.gateway(text).providers() } == .unsupported)
    }

    @Test(arguments: ["/api/providers", "/api/rate-limits", "/api/voice/capabilities"])
    func `who has no token is told so, and another method is unsupported`(_ path: String) async throws {
        func ask(_ gateway: ChatGateway) async throws {
            switch path {
            case "/api/providers": _ = try await gateway.providers()
            case "/api/rate-limits": _ = try await gateway.rateLimits()
            default: _ = try await gateway.voice()
            }
        }
        for (name, code) in [
            ("noauth", GatewayError.Code.unauthorized), ("wrongauth", .unauthorized), ("wrong_method", .unsupported),
        ] {
            let (gateway, _) = try GatewayFixtures.gateway(["\(name) \(path)"])
            let error = await #expect(throws: GatewayError.self) { try await ask(gateway) }
            #expect(error?.code == code)
            if code == .unauthorized { #expect(error?.answer?.message == "Unauthorized") }
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

    @Test func `a probe tells who answers`() async throws {
        let (gateway, http) = try GatewayFixtures.gateway(["chat_nonstream"])
        let probe = try await gateway.probe("anthropic/claude")
        #expect(probe == ModelProbe(asked: "anthropic/claude", answered: "deepseek/deepseek-chat"))
        #expect(probe.isMismatch && !ModelProbe(asked: "a", answered: nil).isMismatch)
        let body = try JSONValue(parsing: try #require(http.requests.first?.body))
        #expect(body["max_tokens"] == 1 && body["stream"] == false)
    }
}
