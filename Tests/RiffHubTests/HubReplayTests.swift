// Riff
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import RiffCore
import RiffHTTP
import RiffHub
import RiffTesting
import RiffTransport
import TestSupport
import Testing

/// What real hubs of three generations said, said again by a hub on loopback to whole clients over real sockets.
@Suite(.timeLimit(.minutes(10))) struct HubReplayTests {
    @Test(arguments: HubRecordingsTests.files)
    func `two clients, of which one hears everything twice and in another order, come to the same end`(
        file: String,
        generation: HubGeneration
    ) async throws {
        var random = SeededGenerator(seed: 11)
        var replayed = 0
        for connection in try HubRecordingsTests.connections(file) where connection.frames.count > 1 {
            let script = try ReplayScript(file, connection.frames)
            let other = try HubRecordingsTests.reordered(connection.frames, &random).flatMap { [$0, $0] }
            let first = try await Self.end(of: connection.frames, script)
            let second = try await Self.end(of: other, script)
            #expect(Self.settled(first.0) == Self.settled(second.0), "\(connection.name)")
            #expect(first.1 == second.1, "\(connection.name)")
            #expect(first.1 == script.texts.filter { first.1[$0.key] != nil }, "\(connection.name)")
            #expect(Set(first.1.keys) == script.voices, "\(connection.name)")
            #expect(first.0.generation == generation, "\(connection.name)")
            replayed += 1
        }
        #expect(replayed > 0)
    }

    /// All but how much is unread: what was heard twice counts twice here until the hub's own count is asked for.
    private static func settled(_ snapshot: HubSnapshot) -> String {
        String(describing: snapshot).replacing(/unread: \d+/, with: "")
    }

    /// What a client shows once it has heard these messages and knows the sessions; and what was said with each voice.
    private static func end(of frames: [String], _ script: ReplayScript) async throws -> (
        HubSnapshot, [HubVoice.ID: [String]]
    ) {
        let gate = Gate()
        return try await LoopbackWebServer.withServer { request in
            try await script.answer(request, frames, gate)
        } body: { server in
            try await withHub(
                try HubAddress("http://127.0.0.1:\(server.port)"),
                http: try AsyncHTTPTransport(),
                webSockets: try NIOWebSocketTransport()
            ) { hub in
                // The last message is there: every one before it was taken.
                await hub.shows { $0.unknownMessages.last?["type"] == "replay_over" }
                #expect(hub.current.connection == .connected && hub.current.connectionFailure == nil)
                await gate.open()
                await hub.refresh()
                await hub.shows { snapshot in
                    !snapshot.settings.json.isEmpty
                        && script.voices == Set(snapshot.cards.filter { script.isAlive($0) }.map(\.voice.id))
                }
                var snapshot = hub.current
                (snapshot.failure, snapshot.unknownFrames, snapshot.unknownMessages) = (nil, 0, [])
                var chats: [HubVoice.ID: [String]] = [:]
                for card in snapshot.cards where script.isAlive(card) {
                    let texts = script.texts[card.voice.id] ?? []
                    await hub.open(session: card.session ?? "")
                    await hub.shows { $0.open?.id == card.session && $0.open?.chat.map(\.text) == texts }
                    chats[card.voice.id] = hub.current.open?.chat.map(\.text)
                }
                return (snapshot, chats)
            }
        }
    }
}

/// What the rest of a recorded hub says at the end of a recording.
private struct ReplayScript: Sendable {
    private var settings = HubStandIn.settings
    /// The sessions that are there at the end.
    private var alive: [HubSession.ID: JSONValue] = [:]
    private var messages: [HubVoice.ID: [JSONValue]] = [:]

    init(_ file: String, _ frames: [String]) throws {
        var known: [HubSession.ID: JSONValue] = [:]
        for row in try Fixture.cases("\(file).jsonl") {
            guard let body = row["res"]?["body"], row["res"]?["status"] == 200 else { continue }
            if row["req"]?["path"] == "/api/settings", row["req"]?["method"] == "GET" { settings = body.description }
            if let id = body["session_id"]?.text, body["voice"] != nil { known[HubSession.ID(rawValue: id)] = body }
        }
        for text in frames {
            let frame = try HubFrame(text: text)
            var sessions: [HubSession] = []
            if case .sessionList(let list) = frame.message { sessions = list }
            if case .sessionSpawned(let session) = frame.message { sessions = [session] }
            for session in sessions { known[session.id] = .object(session.json) }
            for id in sessions.map(\.id) + [frame.message.session].compactMap(\.self) {
                alive[id] =
                    known[id] ?? ["session_id": .string(id.rawValue), "voice": .string("zz_\(id)"), "status": "ready"]
            }
            switch frame.message {
            case .sessionTerminated(let id): alive[id] = nil
            case .assistantText(let id, let text): note(known[id], id, "assistant", text)
            case .userText(let id, let text): note(known[id], id, "user", text)
            default: break
            }
        }
    }

    private mutating func note(_ session: JSONValue?, _ id: HubSession.ID, _ role: String, _ text: HubText) {
        guard !text.text.isEmpty else { return }
        let voice = HubVoice.ID(rawValue: session?["voice"]?.text ?? "zz_\(id)")
        let time = 1_000.5 + Double(messages.values.map(\.count).reduce(0, +))
        var json: JSONObject = ["role": .string(role), "text": .string(text.text), "ts": .number(time)]
        if let id = text.id { json["id"] = .string(id.rawValue) }
        messages[voice, default: []].append(.object(json))
    }

    /// The voices that have a session.
    var voices: Set<HubVoice.ID> {
        Set(alive.values.compactMap { $0["voice"]?.text.map(HubVoice.ID.init(rawValue:)) })
    }

    /// What was said with each of them; nothing with others.
    var texts: [HubVoice.ID: [String]] {
        var all = messages.mapValues { $0.compactMap { $0["text"]?.text } }
        for voice in voices where all[voice] == nil { all[voice] = [] }
        return all
    }

    func isAlive(_ card: HubCard) -> Bool {
        card.session.flatMap { alive[$0] }?["voice"]?.text == card.voice.id.rawValue
    }

    func answer(_ request: LoopbackWebServer.Request, _ frames: [String], _ gate: Gate) async throws
        -> LoopbackWebServer.Answer
    {
        let path = request.head.path ?? ""
        if path == "/ws" {
            return .webSocket { connection in
                for frame in frames + [#"{"type":"replay_over"}"#] { try await connection.send(.text(frame)) }
                while try await connection.receive() != nil {}
            }
        }
        // What the messages tell counts first, whatever overtakes them.
        await gate.pass()
        switch path {
        case "/api/sessions":
            return .json(JSONValue.array(alive.sorted { $0.key.rawValue < $1.key.rawValue }.map(\.value)).description)
        case "/api/settings": return .json(settings)
        case _ where path.hasPrefix("/api/history/"):
            let list = messages[HubVoice.ID(rawValue: String(path.dropFirst("/api/history/".count)))] ?? []
            return .json(JSONValue.object(["messages": .array(list)]).description)
        default: return .json("{}")
        }
    }
}

/// Lets everybody through from some moment on.
private actor Gate {
    private var isOpen = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func pass() async {
        if !isOpen { await withCheckedContinuation { waiting.append($0) } }
    }

    func open() {
        isOpen = true
        for continuation in waiting { continuation.resume() }
        waiting = []
    }
}
