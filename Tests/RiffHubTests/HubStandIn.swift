// Riff
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import RiffCore
import RiffHub
import RiffTesting
import RiffTransport
import Synchronization

/// A hub's REST interface in memory: it answers by a closure, and keeps what it was asked.
final class HubStandIn: HTTPTransport {
    typealias Answer = @Sendable (_ method: String, _ path: String, _ body: JSONValue?) async throws -> (Int, String)?

    static let settings = #"{"model":"opus","auto_record":false,"auto_end":true,"auto_interrupt":false}"#

    private let own: Answer
    private let asked = Mutex<[String]>([])

    /// A stand-in; what the closure does not answer is answered as an empty first hub does.
    init(_ own: @escaping Answer = { _, _, _ in nil }) { self.own = own }

    /// Every request as `GET /path`, in order.
    var requests: [String] { asked.withLock { $0 } }

    func send(_ request: HTTPRequest, body: HTTPBody, deadlines: HTTPDeadlines) async throws -> HTTPReply {
        let path = request.path ?? ""
        asked.withLock { $0.append("\(request.method) \(path)") }
        var json: JSONValue?
        if case .bytes(let bytes) = body { json = try JSONValue(parsing: bytes) }
        let (status, text) = try await own(request.method.rawValue, path, json) ?? Self.standard(path)
        let head = HTTPResponse(
            status: HTTPResponse.Status(code: status),
            headerFields: [.contentType: "application/json"]
        )
        let (stream, writer) = ByteStream.makeStream(bufferedBytes: .max)
        try await writer.write(Array(text.utf8))
        writer.finish()
        return HTTPReply(head: head, body: stream)
    }

    private static func standard(_ path: String) -> (Int, String) {
        switch path {
        case "/api/sessions": (200, "[\(Stage.session("voice-1-a", "af_sky"))]")
        case "/api/settings": (200, settings)
        case _ where path.hasPrefix("/api/history/"): (200, #"{"voice_id":"af_sky","messages":[]}"#)
        default: (404, #"{"detail":"Not Found"}"#)
        }
    }
}

extension HubClient {
    /// Waits until it shows something.
    func shows(_ condition: (HubSnapshot) -> Bool) async {
        for await snapshot in updates() where condition(snapshot) { return }
    }
}

extension InMemoryWebSocket {
    /// Says what a hub says.
    func say(_ type: String, _ members: String = "", session: HubSession.ID = "voice-1-a") async throws {
        let more = members.isEmpty ? "" : "," + members
        try await send(.text(#"{"type":"\#(type)","session_id":"\#(session)"\#(more)}"#))
    }

    func list(_ sessions: [String] = [Stage.session("voice-1-a", "af_sky")]) async throws {
        try await send(.text(#"{"type":"session_list","sessions":[\#(sessions.joined(separator: ","))]}"#))
    }

    /// The next command of the client.
    func command() async throws -> JSONValue? {
        guard case .text(let text) = try await receive() else { return nil }
        return try JSONValue(parsing: text)
    }
}
