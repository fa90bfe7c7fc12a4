// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import RiffCore
import RiffServer
import RiffTesting
import RiffTransport
import RiffVoice
import Testing

/// The files of `Fixtures/sven`, and what the suites of this folder make their clients and servers with.
enum SvenFixtures {
    struct Exchange: Sendable, CustomStringConvertible {
        let name: String
        let request: JSONValue
        let response: JSONValue

        var description: String { name }
        var method: String { request["method"]?.text ?? "" }
        var path: String { request["path"]?.text ?? "" }
        var status: Int { Int(response["status"]?.integer ?? 0) }
        var body: JSONValue { response["body"] ?? .null }

        /// What the recording answered, for a scripted transport. Of speech it only tells the length and the first
        /// bytes.
        var reply: ScriptedHTTPTransport.Reply {
            let type = response["content_type"]?.text ?? ""
            let head = HTTPResponse(status: .init(code: status), headerFields: [.contentType: type])
            guard let length = body["bytes"]?.integer else { return .response(head, chunks: [body.bytes()]) }
            let start = Array((body["head"]?.text ?? "").utf8)
            return .response(head, chunks: [start, [UInt8](repeating: 0, count: Int(length) - start.count)])
        }
    }

    static let files = ["server_055d8c3.jsonl", "server_2dba590_messages_audio.jsonl"]
    static let tokenText = "11111111-2222-4333-8444-555555555555"
    static let otherText = "22222222-aaaa-4bbb-8ccc-dddddddddddd"
    static let token = Secret(tokenText)
    static let other = Secret(otherText)

    static func lines(_ file: String) throws -> [JSONValue] {
        let url = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Fixtures/sven/\(file)")
        return try String(contentsOf: url, encoding: .utf8).split(separator: "\n").dropFirst().map {
            try JSONValue(parsing: String($0))
        }
    }

    static func exchanges(_ file: String) throws -> [Exchange] {
        try lines(file).compactMap { line in
            guard let request = line["request"], let response = line["response"] else { return nil }
            return Exchange(name: line["name"]?.text ?? "", request: request, response: response)
        }
    }

    static func client(
        _ http: any HTTPTransport,
        token: Secret = token,
        attestation: (any AttestationProvider)? = nil,
        clock: any Clock<Duration> = ManualClock()
    ) throws -> SvenClient {
        let server = try HTTPBaseURL("http://127.0.0.1:8080")
        return SvenClient(server: server, token: token, http: http, attestation: attestation, clock: clock)
    }

    /// A ledger that knows both tokens.
    static func ledger() async throws -> DeviceLedger {
        let ledger = DeviceLedger(InMemoryKeyValueStore())
        try await ledger.add(token, name: "phone")
        try await ledger.add(other, name: "tablet")
        return ledger
    }

    /// A request as a framework hands it on.
    static func request(
        _ method: HTTPRequest.Method,
        _ target: String,
        _ json: JSONValue? = nil,
        type: String? = "application/json"
    ) -> ServerRequest {
        var fields = HTTPFields()
        if json != nil { fields[.contentType] = type }
        let body = InTurn.VoiceServerTests.Bytes(chunks: json.map { [$0.bytes()] } ?? [])
        return ServerRequest(method, target, headerFields: fields, body: body)
    }

    static func prompt(_ text: String, token: String = tokenText, id: String? = nil) -> ServerRequest {
        var object: JSONObject = ["transcript": .string(text), "token": .string(token)]
        object["message_id"] = id.map { .string($0) }
        return request(.post, "/prompt", .object(object))
    }
}

extension ServerResponse {
    /// The body as JSON.
    var json: JSONValue { get throws { try JSONValue(parsing: body) } }
    /// `{"detail": "..."}`.
    var detail: String? { get throws { try json["detail"]?.text } }
}

/// The server as a transport: client and server without a socket.
struct SvenBridge: HTTPTransport {
    let server: SvenServer

    func send(_ request: HTTPRequest, body: HTTPBody, deadlines: HTTPDeadlines) async throws -> HTTPReply {
        try request.validate()
        var fields = request.headerFields
        var chunks: [[UInt8]] = []
        if case .bytes(let bytes) = body {
            fields[.contentLength] = String(bytes.count)
            chunks = bytes.map { [$0] }
        }
        let stream = InTurn.VoiceServerTests.Bytes(chunks: chunks)
        let inbound = ServerRequest(request.method, request.path ?? "", headerFields: fields, body: stream)
        let answer = try await server.respond(to: inbound)
        let (reply, writer) = ByteStream.makeStream(bufferedBytes: .max)
        try await writer.write(answer.body)
        writer.finish()
        return HTTPReply(head: HTTPResponse(status: answer.status, headerFields: answer.headerFields), body: reply)
    }
}
