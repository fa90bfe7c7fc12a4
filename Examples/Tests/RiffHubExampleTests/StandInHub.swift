// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import RiffCore
import RiffTesting
import RiffTransport
import Synchronization

/// A hub that behaves as ClawMux 43321fe was recorded to, on loopback. Its agents say back what they are told, and what
/// it recognizes is always the same. It stays what it is when its server is stopped and started again.
final class StandInHub: Sendable {
    private struct Session {
        let voice: String
        let label: String
        var unread = 0
        var isListening = false
        var statusText = ""
        var history: [(role: String, text: String)] = []
    }

    private struct State {
        var sessions: [String: Session] = [:]
        var settings: JSONObject = [
            "model": "opus", "auto_record": false, "auto_end": true, "auto_interrupt": false, "thinking_sounds": true,
            "audio_cues": true, "voice_responses": true,
        ]
        var changes: [JSONValue] = []
        var heard: [JSONValue] = []
        var ended: [String] = []
        var recognized = 0
        var isFull = false
        var sockets: [Int: any WebSocketConnection] = [:]
        var lastSocket = 0
    }

    private let state = Mutex(State())
    private let sound: [UInt8]
    /// New sessions wait until this ends.
    private let gate = AsyncStream.makeStream(of: Never.self)

    /// A hub whose agents speak with a recording.
    init(sound: [UInt8]) { self.sound = sound }

    /// What clients said over their WebSockets, oldest first.
    var heard: [JSONValue] { state.withLock { $0.heard } }
    /// The bodies with which settings were changed.
    var changes: [JSONValue] { state.withLock { $0.changes } }
    /// The sessions that were ended.
    var ended: [String] { state.withLock { $0.ended } }

    /// What was said of one type.
    func heard(_ type: String) -> [JSONValue] { heard.filter { $0["type"]?.text == type } }

    /// The sounds that were sent as answers; those that are empty, too.
    var clips: [[UInt8]] { heard("audio").map { Array(Data(base64Encoded: $0["data"]?.text ?? "") ?? Data()) } }

    /// Lets new sessions come up.
    func letSpawn() { gate.continuation.finish() }

    /// From now on there is no room for a new session.
    func fill() { state.withLock { $0.isFull = true } }

    /// A session that was there before any client.
    func add(_ id: String, voice: String, label: String, unread: Int) {
        state.withLock {
            $0.sessions[id] = Session(voice: voice, label: label, unread: unread, isListening: true)
        }
    }

    /// A session that says such words wherever it says anything, and a setting that has them.
    func addSpeaker(of words: String, _ id: String, voice: String) {
        state.withLock {
            $0.sessions[id] = Session(
                voice: voice,
                label: words,
                isListening: true,
                statusText: words,
                history: [("assistant", words), ("user", words), (words, words)]
            )
            $0.settings[words] = .string(words)
        }
    }

    /// A session's messages from before any client.
    func remember(_ count: Int, in id: String) {
        state.withLock { state in
            for number in 1...count { state.sessions[id]?.history.append(("assistant", "message \(number)")) }
        }
    }

    /// Starts its server, on a free port or on the one that it had.
    func serve(port: Int = 0) async throws -> LoopbackWebServer {
        try await LoopbackWebServer.start(port: port) { [self] in try await answer($0) }
    }

    // MARK: REST

    private func answer(_ request: LoopbackWebServer.Request) async throws -> LoopbackWebServer.Answer {
        let parts = (request.head.path ?? "").split(separator: "/").map(String.init)
        switch (request.head.method, parts.first, parts.dropFirst().first, parts.count) {
        case (.get, "ws", nil, _): return .webSocket { [self] in try await talk($0) }
        case (.get, "api", "settings", 2): return Self.json(.object(state.withLock { $0.settings }))
        case (.put, "api", "settings", 2): return Self.json(try change(request.body))
        case (.get, "api", "sessions", 2): return Self.json(.array(state.withLock { Self.list($0) }))
        case (.post, "api", "sessions", 2): return try await spawn(request.body)
        case (.delete, "api", "sessions", 3):
            state.withLock { state in
                state.sessions[parts[2]] = nil
                state.ended.append(parts[2])
            }
            await tell(["type": "session_terminated", "session_id": .string(parts[2])])
            return Self.json(["status": "terminated"])
        case (.get, "api", "history", 3): return Self.json(history(of: parts[2]))
        case (.post, "api", "sessions", 4):
            if parts[3] == "mark-read" { state.withLock { $0.sessions[parts[2]]?.unread = 0 } }
            return Self.json(["session_id": .string(parts[2])])
        default: return .json(#"{"detail":"Not Found"}"#, status: .notFound)
        }
    }

    private func change(_ body: [UInt8]) throws -> JSONValue {
        let json = try JSONValue(parsing: body)
        return state.withLock { state in
            state.changes.append(json)
            for member in json.object ?? [:] { state.settings[member.key] = member.value }
            return .object(state.settings)
        }
    }

    private func spawn(_ body: [UInt8]) async throws -> LoopbackWebServer.Answer {
        let voice = try JSONValue(parsing: body)["voice"]?.text ?? ""
        let label = voice.split(separator: "_").last.map(String.init) ?? ""
        let id = "voice-\(label)"
        guard !state.withLock({ $0.isFull || $0.sessions[id] != nil }) else {
            return .json(#"{"error":"Voice \#(voice) already has an active session"}"#, status: .serviceUnavailable)
        }
        for await _ in gate.stream {}
        state.withLock { $0.sessions[id] = Session(voice: voice, label: label.capitalized) }
        await tell(["type": "session_status", "session_id": .string(id), "status": "ready"])
        await say("Hi, I'm \(label.capitalized)! How can I help?", in: id)
        return Self.json(state.withLock { $0.sessions[id].map { Self.json(id, $0) } } ?? .null)
    }

    private func history(of voice: String) -> JSONValue {
        let said = state.withLock { $0.sessions.values.first { $0.voice == voice }?.history ?? [] }
        let messages = said.enumerated().map { place, message -> JSONValue in
            [
                "role": .string(message.role), "text": .string(message.text),
                "ts": .number(1_795_230_000 + Double(place)),
            ]
        }
        return ["voice_id": .string(voice), "messages": .array(messages)]
    }

    private static func list(_ state: State) -> [JSONValue] {
        state.sessions.sorted { $0.key < $1.key }.map { json($0.key, $0.value) }
    }

    private static func json(_ id: String, _ session: Session) -> JSONValue {
        [
            "session_id": .string(id), "tmux_session": .string(id), "status": "ready", "label": .string(session.label),
            "voice": .string(session.voice), "speed": 1.0, "mcp_connected": true,
            "status_text": .string(session.statusText), "model": .string(session.statusText),
            "unread_count": .integer(Int64(session.unread)),
        ]
    }

    private static func json(_ value: JSONValue) -> LoopbackWebServer.Answer {
        .json(String(decoding: value.bytes(), as: UTF8.self))
    }

    // MARK: The WebSocket

    private func talk(_ socket: any WebSocketConnection) async throws {
        let (number, list) = state.withLock { state in
            state.lastSocket += 1
            state.sockets[state.lastSocket] = socket
            return (state.lastSocket, Self.list(state))
        }
        defer { state.withLock { _ = $0.sockets.removeValue(forKey: number) } }
        try await socket.send(.text(Self.text(["type": "session_list", "sessions": .array(list)])))
        for id in state.withLock({ $0.sessions.filter(\.value.isListening).keys.sorted() }) { await listen(in: id) }
        while let message = try await socket.receive() {
            guard case .text(let text) = message else { continue }
            try await take(try JSONValue(parsing: text))
        }
    }

    private func take(_ json: JSONValue) async throws {
        state.withLock { $0.heard.append(json) }
        let id = json["session_id"]?.text ?? ""
        let isListening = state.withLock { $0.sessions[id]?.isListening ?? false }
        switch json["type"]?.text {
        case "playback_done": await listen(in: id)
        // Before it listens, a clip is thrown away.
        case "audio" where isListening && json["data"] == "": await listen(in: id)
        case "audio" where isListening:
            await tell(["session_id": .string(id), "type": "status", "text": "Transcribing..."])
            let count = state.withLock { state in
                state.recognized += 1
                return state.recognized
            }
            await turn("recognized \(count)", in: id)
        case "text" where isListening: await turn(json["text"]?.text ?? "", in: id)
        default: break
        }
    }

    /// A turn of the person's, and the agent's after it.
    private func turn(_ words: String, in id: String) async {
        state.withLock { state in
            state.sessions[id]?.isListening = false
            state.sessions[id]?.history.append(("user", words))
        }
        await tell(["session_id": .string(id), "type": "user_text", "text": .string(words)])
        await tell(["session_id": .string(id), "type": "done", "processing": true])
        await tell(["session_id": .string(id), "type": "thinking"])
        // As where recognition fails: nothing comes of what it transcribes.
        if words == "mishear" { await tell(["session_id": .string(id), "type": "status", "text": "Transcribing..."]) }
        await say("You said: \(words)", in: id)
    }

    /// Lets an agent speak.
    func say(_ words: String, in id: String) async {
        state.withLock { state in
            state.sessions[id]?.isListening = false
            state.sessions[id]?.unread += 1
            state.sessions[id]?.history.append(("assistant", words))
        }
        await tell(["session_id": .string(id), "type": "assistant_text", "text": .string(words)])
        await tell(["session_id": .string(id), "type": "status", "text": "Speaking..."])
        await tell(["session_id": .string(id), "type": "audio", "data": .string(Data(sound).base64EncodedString())])
    }

    private func listen(in id: String) async {
        state.withLock { $0.sessions[id]?.isListening = true }
        await tell(["session_id": .string(id), "type": "listening"])
    }

    private func tell(_ json: JSONValue) async {
        for socket in state.withLock({ Array($0.sockets.values) }) {
            // A client that is gone hears nothing; it asks for everything when it is back.
            try? await socket.send(.text(Self.text(json)))
        }
    }

    private static func text(_ json: JSONValue) -> String { String(decoding: json.bytes(), as: UTF8.self) }
}
