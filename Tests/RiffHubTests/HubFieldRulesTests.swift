// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffHub
import Testing

/// Rules that real hubs made necessary, each by itself.
@Suite struct HubFieldRulesTests {
    private static let id: HubSession.ID = "voice-1-a"
    private static let hi = HubChatMessage(.assistant, "Hi", time: 1)
    private static let inbox = Stage.session(id, "af_sky", more: #","unread_count":0,"state":"idle""#)

    private static func session(_ text: String) throws -> HubSession {
        try #require(HubSession(json: try JSONValue(parsing: text)))
    }

    // MARK: Recognition that fails where agents speak by themselves

    /// A client of 279d9d6 whose answer is made words of, while the agent says something.
    private static func spokenOver() throws -> Stage {
        var stage = try Stage.connected([inbox])
        stage.send(.refresh)
        try stage.tellHistory([hi])
        try stage.hear("listening")
        stage.send(.answer(session: id, .clip([1])))
        #expect(stage.said == [.audio(session: id, [1])])
        try stage.hear("status", #""text":"Transcribing...""#)
        try stage.hear("assistant_text", #""text":"By the way","msg_id":"m1","fire_and_forget":true"#)
        return stage
    }

    private static func live(_ stage: inout Stage, _ seconds: Int) throws {
        for _ in 1...seconds {
            stage.pass(.seconds(1))
            if stage.now.components.seconds.isMultiple(of: 10) { try stage.hear(json: #"{"type":"ping"}"#) }
        }
    }

    @Test func `279d9d6: where the agent went on, an answer without words is told once no hub tries any longer`() throws
    {
        var stage = try Self.spokenOver()
        try Self.live(&stage, 94)
        #expect(stage.card.transcribingAnswers == 1 && HubSnapshot(stage.machine).lostAnswers.isEmpty)
        stage.effects = []
        try Self.live(&stage, 2)
        try stage.tellHistory([Self.hi, HubChatMessage(.assistant, "By the way", time: 2, id: "m1")])
        let snapshot = HubSnapshot(stage.machine)
        #expect(snapshot.lostAnswers.map(\.content) == [.clip([1])])
        #expect(snapshot.failure?.code == "hub.notTranscribed" && stage.card.transcribingAnswers == 0)
    }

    @Test func `279d9d6: the history is asked first, and has the words that were told to nobody`() throws {
        var stage = try Self.spokenOver()
        try Self.live(&stage, 96)
        let words = HubChatMessage(.user, "what", time: 2, id: "m0")
        try stage.tellHistory([Self.hi, words, HubChatMessage(.assistant, "By the way", time: 3, id: "m1")])
        #expect(HubSnapshot(stage.machine).lostAnswers.isEmpty && stage.card.transcribingAnswers == 0)
        #expect(stage.machine.failure == nil)
    }

    // MARK: Histories

    @Test func `words that no history tells keep their place through every history that is told`() {
        func told(_ texts: [String]) -> [HubChatMessage] {
            texts.map { HubChatMessage(.assistant, $0, time: Double($0.dropFirst()) ?? 0) }
        }
        var history = HubHistory()
        history.merge(told(["a1"]), askedAt: 0)
        for text in ["x", "a2", "y", "z", "a3"] { history.append(HubChatMessage(.assistant, text)) }
        for last in 3...6 {
            history.merge(told((1...last).map { "a\($0)" }), askedAt: history.mark)
            let expected = ["a1", "x", "a2", "y", "z", "a3"] + (3..<last).map { "a\($0 + 1)" }
            #expect(history.messages.map(\.text) == expected)
        }
        // A page that begins behind them.
        history.merge(told(["a3", "a4", "a5", "a6", "a7"]), askedAt: history.mark, hasMore: true)
        let expected = ["a1", "x", "a2", "y", "z", "a3", "a4", "a5", "a6", "a7"]
        #expect(history.messages.map(\.text) == expected)
    }

    @Test func `an empty history drops neither what was told nor what came live, unless it is so behind the pause`()
        throws
    {
        for told in [[], [Self.hi]] {
            var stage = try Stage.connected()
            stage.send(.refresh)
            try stage.tellHistory(told)
            try stage.hear("assistant_text", #""text":"Live""#)
            let texts = told.map(\.text) + ["Live"]
            for _ in 1...3 {
                stage.send(.refresh)
                try stage.tellHistory([])
                #expect(HubSnapshot(stage.machine).open?.chat.map(\.text) == texts)
            }
            stage.effects = []
            stage.pass(.seconds(1))
            #expect(stage.effects.historyRequests.count == 1)
            try stage.tellHistory([])
            #expect(HubSnapshot(stage.machine).open?.chat == [])
        }
    }

    @Test func `however many messages are a reason to ask, eight requests for a history are out at most`() throws {
        var stage = try Stage.connected()
        stage.send(.refresh)
        try stage.tellHistory([Self.hi])
        stage.effects = []
        for _ in 1...500 {
            // Without a word of it, whether it is another one is in doubt each time.
            try stage.hear("assistant_text", #""text":"Hi""#)
            try stage.hear("done")
            try stage.hear("user_text", #""text":"Hi""#)
            stage.send(.refresh)
        }
        let first = stage.effects.historyRequests
        #expect(first.count == 8)
        // Each answer leads to one more at most.
        stage.effects = []
        for (voice, request) in first {
            stage.send(.history(voice: voice, request: request, HubService.HistoryPage([Self.hi])))
        }
        #expect(stage.effects.historyRequests.count == 1)
        // A new connection begins anew.
        stage.reconnect()
        try stage.list([Stage.session(Self.id, "af_sky")])
        stage.send(.openSession(Self.id))
        #expect(!stage.effects.historyRequests.isEmpty)
    }

    // MARK: Cards

    @Test(arguments: ["voice-2-b", "voice-sky"])
    func `a voice that is being made here has one card, whatever the hub says first`(id: HubSession.ID) throws {
        var stage = try Stage.connected([], open: nil)
        stage.send(.open(voice: "af_sky"))
        for (type, members) in [
            ("session_status", #""status":"ready""#), ("thinking", ""), ("assistant_text", #""text":"Hi""#),
            ("audio", #""data":"//uQAQ==""#),
        ] {
            try stage.hear(type, members, in: id)
            #expect(stage.shown.cards.count == 7)
        }
        let request = try #require(stage.effects.sessionRequests.last)
        stage.send(.sessions(request: request, [try Self.session(Stage.session(id, "af_sky"))]))
        #expect(stage.shown.cards.count == 7 && stage.shown.open?.id == id)
        #expect(stage.shown.open?.chat.map(\.text) == ["Hi"])
    }

    @Test func `a session that another client makes is on its voice's card where its id names that`() throws {
        var stage = try Stage.connected([], open: nil)
        try stage.hear("session_status", #""status":"ready""#, in: "voice-sky")
        #expect(stage.shown.cards.count == 7 && stage.card.session == "voice-sky")
        // A list that says otherwise counts more.
        let request = try #require(stage.effects.sessionRequests.last)
        stage.send(.sessions(request: request, [try Self.session(Stage.session("voice-sky", "am_adam"))]))
        #expect(stage.card.session == nil && stage.shown.card("am_adam")?.session == "voice-sky")
    }

    @Test func `a refused session is another client's where a list has it, and a failure where none has`() throws {
        let busy = Problem(code: "hub.voiceBusy", message: "x")
        for isListed in [true, false] {
            var stage = try Stage.connected([], open: nil)
            stage.send(.open(voice: "af_sky"))
            stage.send(.spawnFailed(voice: "af_sky", busy))
            let request = try #require(stage.effects.sessionRequests.last)
            let list = isListed ? [try Self.session(Stage.session(Self.id, "af_sky", status: "ready"))] : []
            stage.send(.sessions(request: request, list))
            #expect(stage.shown.open?.id == (isListed ? Self.id : nil))
            #expect(stage.shown.failure == (isListed ? nil : busy) && stage.effects.spawned == ["af_sky"])
        }
        // Where no list comes, that is why there is none.
        var stage = try Stage.connected([], open: nil)
        stage.send(.open(voice: "af_sky"))
        stage.send(.spawnFailed(voice: "af_sky", busy))
        let request = try #require(stage.effects.sessionRequests.last)
        stage.send(.sessionsFailed(request: request, Problem(code: "hub.timedOut", message: "y")))
        #expect(stage.card.failure == busy && stage.card.state == .inactive)
    }

    // MARK: Failures

    @Test func `the number of failures tells a new one from one that is still shown`() throws {
        var stage = try Stage.connected()
        let failure = Problem(code: "x", message: "The same.")
        for number in 1...3 {
            stage.send(.failed(failure))
            #expect(stage.shown.failure == failure && stage.shown.failureCount == number)
        }
        stage.send(.refresh)
        #expect(stage.shown.failure == nil && stage.shown.failureCount == 3)
    }

    // MARK: Ids

    @Test func `ids that look alike and differ in their bytes are two sessions, and two voices`() throws {
        let (composed, decomposed) = ("\u{E9}", "e\u{301}")
        #expect(composed == decomposed)
        let ids = [composed, decomposed].map { HubSession.ID(rawValue: $0) }
        #expect(ids[0] != ids[1] && !(ids[0] == ids[1]) && Set(ids).count == 2)
        let sessions = [composed, decomposed].map {
            Stage.session(HubSession.ID(rawValue: $0), HubVoice.ID(rawValue: $0))
        }
        var stage = try Stage.connected(sessions, open: ids[1])
        try stage.hear("assistant_text", #""text":"Hi""#, in: ids[0])
        let snapshot = stage.shown
        #expect(snapshot.cards.count == 9 && snapshot.open?.chat == [])
        #expect(snapshot.cards.filter { $0.unread == 1 }.map(\.session) == [ids[0]])
        #expect(stage.effects.historyRequests.allSatisfy { $0.voice == HubVoice.ID(rawValue: decomposed) })
    }
}
