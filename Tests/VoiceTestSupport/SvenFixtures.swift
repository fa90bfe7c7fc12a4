// Riff
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
package import HTTPTypes
package import RiffCore
package import RiffServer
package import RiffTesting
package import RiffTransport
package import RiffVoice
internal import TestSupport
internal import Testing

/// The files of `Fixtures/sven`, and what the suites of this folder make their clients and servers with.
package enum SvenFixtures {
    package struct Exchange: Sendable, CustomStringConvertible {
        package let name: String
        package let request: JSONValue
        package let response: JSONValue

        package var description: String { name }
        package var method: String { request["method"]?.text ?? "" }
        package var path: String { request["path"]?.text ?? "" }
        package var status: Int { Int(response["status"]?.integer ?? 0) }
        package var body: JSONValue { response["body"] ?? .null }

        /// What the recording answered, for a scripted transport. Of speech it only tells the length and the first
        /// bytes.
        package var reply: ScriptedHTTPTransport.Reply {
            let type = response["content_type"]?.text ?? ""
            let head = HTTPResponse(status: .init(code: status), headerFields: [.contentType: type])
            guard let length = body["bytes"]?.integer else { return .response(head, chunks: [body.bytes()]) }
            let start = Array((body["head"]?.text ?? "").utf8)
            return .response(head, chunks: [start, [UInt8](repeating: 0, count: Int(length) - start.count)])
        }
    }

    package static let files = ["server_055d8c3.jsonl", "server_2dba590_messages_audio.jsonl"]
    package static let tokenText = "11111111-2222-4333-8444-555555555555"
    package static let otherText = "22222222-aaaa-4bbb-8ccc-dddddddddddd"
    package static let token = Secret(tokenText)
    package static let other = Secret(otherText)

    package static func lines(_ file: String) throws -> [JSONValue] {
        try Fixture.text("sven/\(file)").split(separator: "\n").dropFirst().map {
            try JSONValue(parsing: String($0))
        }
    }

    package static func exchanges(_ file: String) throws -> [Exchange] {
        try lines(file).compactMap { line in
            guard let request = line["request"], let response = line["response"] else { return nil }
            return Exchange(name: line["name"]?.text ?? "", request: request, response: response)
        }
    }

    package static func client(
        _ http: any HTTPTransport,
        token: Secret = token,
        attestation: (any AttestationProvider)? = nil,
        clock: any Clock<Duration> = ManualClock()
    ) throws -> SvenClient {
        let server = try HTTPBaseURL("http://127.0.0.1:8080")
        return SvenClient(server: server, token: token, http: http, attestation: attestation, clock: clock)
    }

    /// A ledger that knows both tokens.
    package static func ledger() async throws -> DeviceLedger {
        let ledger = DeviceLedger(InMemoryKeyValueStore())
        try await ledger.add(token, name: "phone")
        try await ledger.add(other, name: "tablet")
        return ledger
    }

    /// A request as a framework hands it on.
    package static func request(
        _ method: HTTPRequest.Method,
        _ target: String,
        _ json: JSONValue? = nil,
        type: String? = "application/json"
    ) -> ServerRequest {
        var fields = HTTPFields()
        if json != nil { fields[.contentType] = type }
        let body = BodyChunks(chunks: json.map { [$0.bytes()] } ?? [])
        return ServerRequest(method, target, headerFields: fields, body: body)
    }

    package static func prompt(_ text: String, token: String = tokenText, id: String? = nil) -> ServerRequest {
        var object: JSONObject = ["transcript": .string(text), "token": .string(token)]
        object["message_id"] = id.map { .string($0) }
        return request(.post, "/prompt", .object(object))
    }
}

extension ServerResponse {
    /// The body as JSON.
    package var json: JSONValue { get throws { try JSONValue(parsing: body) } }
    /// `{"detail": "..."}`.
    package var detail: String? { get throws { try json["detail"]?.text } }
}
