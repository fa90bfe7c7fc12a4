// Riff
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import RiffCore
import RiffHTTP
import RiffHub
import RiffTesting
import RiffTransport

/// A hub over real sockets that does what a test scripts: it tells what it has, and says what it is told to say.
actor ScriptedHub {
    private var sessions: [String]
    private var history: [JSONValue] = []
    /// How many times the history is told empty from now on.
    private var emptyTells = 0
    private(set) var historyReads = 0
    private var connection: (any WebSocketConnection)?
    private var take: @Sendable (ScriptedHub, JSONValue) async throws -> Void = { _, _ in }
    private var spawn: @Sendable (ScriptedHub) async throws -> (HTTPResponse.Status, String) = { _ in
        (.internalServerError, #"{"error":"x"}"#)
    }

    /// A hub with these sessions.
    init(_ sessions: [String]) { self.sessions = sessions }

    /// Does this with each command of a client.
    func takes(_ take: @escaping @Sendable (ScriptedHub, JSONValue) async throws -> Void) { self.take = take }

    /// Answers so who wants a new session.
    func spawns(_ spawn: @escaping @Sendable (ScriptedHub) async throws -> (HTTPResponse.Status, String)) {
        self.spawn = spawn
    }

    /// Has these sessions from now on.
    func has(_ sessions: [String]) { self.sessions = sessions }

    /// Keeps a message in the history.
    func keep(_ role: String, _ text: String) {
        let time = 1_000.5 + Double(history.count)
        history.append(["role": .string(role), "text": .string(text), "ts": .number(time)])
    }

    /// Tells the history empty so many times, as one whose file is being written.
    func blur(_ count: Int) { emptyTells = count }

    /// Says something about a session.
    func tell(_ type: String, _ members: JSONObject = [:], in session: HubSession.ID) async throws {
        var json: JSONObject = ["type": .string(type), "session_id": .string(session.rawValue)]
        for member in members { json[member.key] = member.value }
        try await connection?.send(.text(JSONValue.object(json).description))
    }

    /// Ends the connection as a process that dies does.
    func die() async {
        let dying = connection
        connection = nil
        await dying?.close()
    }

    func answer(_ request: LoopbackWebServer.Request) async throws -> LoopbackWebServer.Answer {
        switch (request.head.method, request.head.path ?? "") {
        case (_, "/ws"): return .webSocket { try await self.serve($0) }
        case (.post, "/api/sessions"):
            let (status, text) = try await spawn(self)
            return .json(text, status: status)
        case (_, "/api/sessions"): return .json("[\(sessions.joined(separator: ","))]")
        case (_, "/api/settings"): return .json(HubStandIn.settings)
        case (_, let path) where path.hasPrefix("/api/history/"):
            historyReads += 1
            let isEmpty = emptyTells > 0
            if isEmpty { emptyTells -= 1 }
            return .json(JSONValue.object(["messages": .array(isEmpty ? [] : history)]).description)
        default: return .json("{}")
        }
    }

    private func serve(_ connection: any WebSocketConnection) async throws {
        self.connection = connection
        try await connection.send(.text(#"{"type":"session_list","sessions":[\#(sessions.joined(separator: ","))]}"#))
        while case .text(let text)? = try await connection.receive() {
            try await take(self, try JSONValue(parsing: text))
        }
    }

    /// Uses a client of a hub over real sockets.
    static func withClient(_ hub: ScriptedHub, _ body: (HubClient) async throws -> Void) async throws {
        try await LoopbackWebServer.withServer { request in
            try await hub.answer(request)
        } body: { server in
            var configuration = HubClient.Configuration()
            configuration.reconnect = ReconnectPolicy(delays: [.milliseconds(2)])
            try await withHub(
                try HubAddress("http://127.0.0.1:\(server.port)"),
                http: try AsyncHTTPTransport(),
                webSockets: try NIOWebSocketTransport(),
                configuration: configuration
            ) { client in
                await client.shows { $0.areSessionsKnown }
                try await body(client)
            }
        }
    }
}
