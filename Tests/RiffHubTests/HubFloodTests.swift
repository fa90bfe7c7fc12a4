// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffHub
import Testing

/// Hubs that are broken, or mean it: whatever they say, sessions, requests and cards stay few.
@Suite struct HubFloodTests {
    private static let id: HubSession.ID = "voice-1-a"
    private static let own = Stage.session(id, "af_sky")

    private static func read(_ sessions: [String]) throws -> [HubSession] {
        try sessions.map { try #require(HubSession(json: try JSONValue(parsing: $0))) }
    }

    private static func many(_ count: Int, _ name: String) -> [String] {
        (0..<count).map {
            Stage.session(HubSession.ID(rawValue: "\(name)-\($0)"), HubVoice.ID(rawValue: "\(name)\($0)"))
        }
    }

    @Test(arguments: [
        ("listening", ""), ("thinking", ""), ("assistant_text", #""text":"Hi""#),
        ("session_status", #""status":"ready""#),
    ])
    func `64 sessions that no list has told are there, and one request at a time asks for them`(
        type: String,
        members: String
    ) throws {
        var stage = try Stage.connected()
        for number in 1...200 { try stage.hear(type, members, in: HubSession.ID(rawValue: "s\(number)")) }
        #expect(stage.shown.cards.count == 7 + 64 && stage.effects.sessionRequests.count == 1)
        // Those that came behind the request may be in the next list, which is asked for.
        stage.send(.sessions(request: try #require(stage.effects.sessionRequests.last), try Self.read([Self.own])))
        #expect(stage.shown.cards.count == 7 + 63 && stage.effects.sessionRequests.count == 2)
        stage.send(.sessions(request: try #require(stage.effects.sessionRequests.last), try Self.read([Self.own])))
        #expect(stage.shown.cards.count == 7 && stage.effects.sessionRequests.count == 2)
        try stage.hear(type, members, in: "s200")
        #expect(stage.shown.cards.count == 7 + 1 && stage.effects.sessionRequests.count == 3)
    }

    @Test func `a request that fails is not made again at once`() throws {
        var stage = try Stage.connected()
        for number in 1...3 { try stage.hear("listening", in: HubSession.ID(rawValue: "s\(number)")) }
        let request = try #require(stage.effects.sessionRequests.last)
        stage.send(.sessionsFailed(request: request, Problem(HubError(.hubFailed, "It has died."))))
        #expect(stage.effects.sessionRequests.count == 1)
        try stage.hear("listening", in: "s4")
        #expect(stage.effects.sessionRequests.count == 2)
    }

    @Test func `sessions that the hub says it has made count as well, until a list tells them`() throws {
        var stage = try Stage.connected()
        for session in Self.many(200, "a") {
            try stage.hear(json: #"{"type":"session_spawned","session":\#(session)}"#)
        }
        #expect(stage.shown.cards.count == 7 + 64)
        try stage.list([Self.own] + Self.many(200, "a"))
        #expect(stage.shown.cards.count == 7 + 200)
        try stage.hear(json: #"{"type":"session_spawned","session":\#(Self.many(1, "b")[0])}"#)
        #expect(stage.shown.cards.count == 7 + 201)
    }

    @Test(arguments: [true, false])
    func `1024 sessions of a list are taken, of each list anew, and the rest is told`(isAsked: Bool) throws {
        var stage = try Stage.connected(open: nil)
        for name in ["a", "b"] {
            let sessions = Self.many(1_100, name)
            if isAsked {
                let request = try #require(stage.send(.refresh).sessionRequests.last)
                stage.send(.sessions(request: request, try Self.read(sessions)))
            } else {
                try stage.list(sessions)
            }
            let snapshot = stage.shown
            #expect(snapshot.cards.count == 7 + 1_024 && snapshot.failure?.code == "hub.sessionsFull")
            #expect(snapshot.card(HubVoice.ID(rawValue: "\(name)1023")) != nil)
        }
        stage.send(.refresh)
        try stage.list([Self.own])
        #expect(stage.shown.cards.count == 7 && stage.shown.failure == nil)
    }

    @Test func `64 sessions that ended unheard are kept, the newest ones and the one that is open`() throws {
        var stage = try Stage.connected()
        try stage.hearSound(1)
        try stage.list([])
        #expect(stage.shown.failure == nil)
        for name in ["a", "b"] {
            for number in 0..<60 { try stage.hearSound(1, in: HubSession.ID(rawValue: "\(name)\(number)")) }
            try stage.list([])
        }
        let snapshot = stage.shown
        #expect(snapshot.cards.count == 7 + 64 && snapshot.failure?.code == "hub.unheardFull")
        #expect(snapshot.open?.id == Self.id && snapshot.card("b59") != nil && snapshot.card("a0") == nil)
    }

    @Test(arguments: [("af_sky", ["Hi"]), ("zz", [])] as [(HubVoice.ID, [String])])
    func `what was said goes with the last session of its voice, unless the voice is one of the seven`(
        voice: HubVoice.ID,
        kept: [String]
    ) throws {
        var stage = try Stage.connected([Stage.session(Self.id, voice)])
        try stage.hear("assistant_text", #""text":"Hi""#)
        #expect(stage.shown.open?.chat.map(\.text) == ["Hi"])
        try stage.hear("session_terminated")
        try stage.list([Stage.session("voice-2-b", voice)])
        stage.send(.openSession("voice-2-b"))
        #expect(stage.shown.open?.chat.map(\.text) == kept)
        #expect(stage.effects.historyRequests.last?.voice == voice)
    }
}
