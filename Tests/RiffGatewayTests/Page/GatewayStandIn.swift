// Riff
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import RiffCore
import RiffGateway
import RiffHTTP
import RiffServer
import RiffTransport
import Synchronization
import VoiceTestSupport

/// A gateway on a real socket whose answers a test sets, and which counts who asked for what.
final class GatewayStandIn: Sendable {
    struct State: Sendable {
        var answers: [String: ServerResponse] = [:]
        var asked: [String: Int] = [:]
        var bodies: [String: [UInt8]] = [:]
        var types: [String: String] = [:]
    }

    private let state = Mutex(State())

    var total: Int { state.withLock { $0.asked.values.reduce(0, +) } }
    func count(_ path: String) -> Int { state.withLock { $0.asked[path] ?? 0 } }
    func body(_ path: String) -> [UInt8] { state.withLock { $0.bodies[path] ?? [] } }
    func type(_ path: String) -> String { state.withLock { $0.types[path] ?? "" } }

    func set(_ path: String, _ json: JSONValue, status: Int = 200) {
        set(path, json.bytes(), type: "application/json", status: status)
    }

    func set(_ path: String, _ body: [UInt8], type: String, status: Int = 200) {
        let response = ServerResponse(
            status: HTTPResponse.Status(code: status),
            headerFields: [.contentType: type],
            body: body
        )
        state.withLock { $0.answers[path] = response }
    }

    func answer(to request: ServerRequest) async throws -> ServerResponse {
        var body: [UInt8] = []
        for try await chunk in request.body { body += chunk }
        let target = request.query.map { "\(request.path)?\($0)" } ?? request.path
        return state.withLock { [body] state in
            state.asked[request.path, default: 0] += 1
            state.bodies[request.path] = body
            state.types[request.path] = request.headerFields[.contentType]
            return state.answers[target] ?? state.answers[request.path]
                ?? ServerResponse(status: .notFound, headerFields: [.contentType: "text/plain"])
        }
    }

    /// The gateway for the time of `body`, with answers to everything.
    static func with<Value: Sendable>(
        _ body: @Sendable (GatewayStandIn, ChatGateway) async throws -> Value
    ) async throws -> Value {
        let gateway = GatewayStandIn()
        gateway.set("/health", ["status": "ok"])
        gateway.set("/api/models", ["models": [["id": "acme/large-4"], ["id": "acme/small", "aliases": ["s"]]]])
        gateway.set("/api/providers", ["providers": [["id": "acme", "billing": ["mode": "api"]]]])
        gateway.set(
            "/api/rate-limits",
            ["provider": "acme", "session": ["used": 45, "limit": 100], "weekly": ["used": 100, "limit": 100]]
        )
        gateway.set("/api/cost-usage?days=1", ["totals": ["totalCost": 2]])
        gateway.set("/api/cost-usage?days=7", ["totals": ["totalCost": 7]])
        gateway.set(
            "/api/voice/capabilities",
            ["stt": ["available": true, "model": "w"], "tts": ["available": true, "voices": ["nova"]]]
        )
        gateway.set("/api/model-override", ["ok": true])
        gateway.set("/v1/chat/completions", reply(by: "large-4"))
        return try await SocketServer.withServer({ try await gateway.answer(to: $0) }) { server in
            try await AsyncHTTPTransport.withTransport { http in
                let address = try HTTPBaseURL("http://127.0.0.1:\(server.port)")
                let configuration = GatewayConfiguration(server: address, token: Secret("t0ken"))
                return try await body(gateway, ChatGateway(configuration, http: http))
            }
        }
    }

    static func reply(by model: String) -> JSONValue {
        [
            "object": "chat.completion", "model": .string(model),
            "choices": [
                ["index": 0, "message": ["role": "assistant", "content": "o"], "finish_reason": "length"]
            ],
        ]
    }
}
