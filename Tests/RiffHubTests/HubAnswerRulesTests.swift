// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffHub
import Testing

/// What becomes of a person's answer, in the whole client: each rule by itself.
@Suite struct HubAnswerRulesTests {
    private static let id: HubSession.ID = "voice-1-a"
    private static let sky = Stage.session(id, "af_sky")
    private static let before = [HubChatMessage(.assistant, "Hi", time: 1)]

    /// A client that knows the history, and has sent an answer.
    private static func sent() throws -> Stage {
        var stage = try Stage.connected()
        stage.send(.refresh)
        try stage.tellHistory(before)
        try stage.hear("listening")
        stage.send(.answer(session: id, .clip([1])))
        #expect(stage.said == [.audio(session: id, [1])])
        stage.effects = []
        return stage
    }

    @Test func `of an answer to which the hub is silent for 30 seconds the history is asked`() throws {
        for hasArrived in [false, true] {
            var stage = try Self.sent()
            stage.pass(.seconds(29))
            #expect(stage.effects.historyRequests.isEmpty)
            stage.pass(.seconds(1))
            try stage.tellHistory(Self.before + (hasArrived ? [HubChatMessage(.user, "what", time: 2)] : []))
            try stage.hear("listening")
            #expect(stage.said == (hasArrived ? [] : [.audio(session: Self.id, [1])]))
            #expect(stage.card.waitingAnswers == (hasArrived ? 0 : 1))
        }
    }

    @Test func `behind a cut the history is asked also for a session that is not open`() throws {
        var stage = try Self.sent()
        stage.send(.showGrid)
        stage.reconnect()
        #expect(stage.effects.historyRequests.map(\.voice) == ["af_sky"])
    }

    @Test func `behind a cut a history that fails is not asked for again within a second`() throws {
        var stage = try Self.sent()
        try stage.hear("user_text", #""text":"what""#)
        stage.reconnect()
        try stage.list([Self.sky])
        stage.send(.answer(session: Self.id, .clip([2])))
        try stage.hear("listening")
        let requests = stage.effects.historyRequests
        stage.send(.historyFailed(voice: "af_sky", request: try #require(requests.last).request))
        stage.pass(.milliseconds(990))
        #expect(stage.effects.historyRequests.count == requests.count)
        stage.pass(.milliseconds(20))
        #expect(stage.effects.historyRequests.count == requests.count + 1)
    }

    @Test func `a session that said goodbye is ended behind a cut as well`() throws {
        var stage = try Stage.connected()
        try stage.hear("session_ended")
        stage.reconnect()
        try stage.list([Self.sky])
        #expect(stage.effects.count { $0 == .terminate(session: Self.id) } == 2)
        // Whatever else happens, it was asked for.
        try stage.hear(json: #"{"type":"ping"}"#)
        #expect(stage.effects.count { $0 == .terminate(session: Self.id) } == 2)
    }

    // MARK: What the hub's messages mean for an answer

    private static let signs = [("user_text", #""text":"what""#), ("status", #""text":"Transcribing...""#)]
    private static let others = [("assistant_text", #""text":"Go on""#), ("done", "")]
    private static let frames = signs + others

    @Test(arguments: signs)
    func `each of these shows that the hub has the answer`(type: String, members: String) throws {
        var stage = try Self.sent()
        try stage.hear(type, members)
        #expect(stage.card.waitingAnswers == 0 && stage.effects.historyRequests.isEmpty)
    }

    @Test(arguments: others)
    func `each of these can be about something else: the history tells`(type: String, members: String) throws {
        for hasArrived in [false, true] {
            var stage = try Self.sent()
            try stage.hear(type, members)
            #expect(stage.card.waitingAnswers == 1 && stage.effects.historyRequests.count == 1)
            #expect(stage.machine.failure == nil)
            let more = type == "done" ? [] : [HubChatMessage(.assistant, "Go on", time: 2)]
            let words = hasArrived ? [HubChatMessage(.user, "what", time: 3)] : []
            try stage.tellHistory(Self.before + more + words)
            try stage.hear("listening")
            #expect(stage.said == (hasArrived ? [] : [.audio(session: Self.id, [1])]))
            #expect(stage.card.waitingAnswers == (hasArrived ? 0 : 1))
        }
    }

    @Test func `an answer to which the hub came back with its words is not sent again`() throws {
        var stage = try Self.sent()
        try stage.hear("done")
        try stage.tellHistory(Self.before)
        // It lay in the hub until the next utterance, whose answer it is.
        try stage.hear("status", #""text":"Transcribing...""#)
        #expect(stage.card.waitingAnswers == 0)
        try stage.hear("listening")
        #expect(stage.said.isEmpty)
    }

    @Test(arguments: frames + [("audio", #""data":"//uQAQ==""#), ("session_status", #""state":"processing""#)])
    func `after each of these the hub does not listen any more`(type: String, members: String) throws {
        var stage = try Stage.connected()
        try stage.hear("listening")
        try stage.hear(type, members)
        #expect(HubSnapshot(stage.machine).open?.isInvited == false)
        stage.send(.answer(session: Self.id, .clip([1])))
        #expect(stage.said.isEmpty)
    }

    @Test(arguments: [
        ("assistant_text", #""text":"By the way","fire_and_forget":true"#),
        ("user_text", #""text":"and quickly","interjection":true"#), ("thinking", ""),
        ("activity_text", #""text":"Reads""#),
    ])
    func `these are no answer, and end no invitation`(type: String, members: String) throws {
        var stage = try Stage.connected()
        try stage.hear("listening")
        try stage.hear(type, members)
        #expect(stage.card.label == "Tap Record")
        stage.send(.answer(session: Self.id, .clip([1])))
        #expect(stage.said == [.audio(session: Self.id, [1])])
        var sent = try Self.sent()
        if type != "assistant_text" || members.contains("fire") { try sent.hear(type, members) }
        #expect(sent.card.waitingAnswers == 1)
    }

    @Test func `the sound of what is said on the way ends no invitation either`() throws {
        var stage = try Stage.connected()
        try stage.hear("listening")
        try stage.hear("assistant_text", #""text":"By the way","fire_and_forget":true"#)
        try stage.hearSound(1)
        #expect(HubSnapshot(stage.machine).open?.isInvited == true)
    }

    @Test func `a session that works takes no answer, and one that rests does`() throws {
        var stage = try Stage.connected()
        try stage.hear("session_status", #""state":"processing""#)
        #expect(stage.card.label == "Thinking...")
        try stage.hear("session_status", #""state":"idle""#)
        #expect(stage.card.label == "Tap Record")
    }

    @Test func `a hub that has states needs time for words, also before its list says so`() throws {
        var stage = try Stage.connected()
        stage.send(.refresh)
        try stage.tellHistory(Self.before)
        try stage.hear("session_status", #""state":"idle""#)
        stage.send(.answer(session: Self.id, .clip([1])))
        #expect(stage.said.count == 1)
        stage.reconnect()
        try stage.tellHistory(Self.before)
        try stage.hear("listening")
        #expect(stage.said.count == 1)
    }

    @Test func `a hub that has states is asked for the history once the time for words is over`() throws {
        let idle = #"{"session_id":"voice-1-a","voice":"af_sky","state":"idle","status":"ready"}"#
        var stage = try Stage.connected([idle])
        stage.send(.answer(session: Self.id, .clip([1])))
        stage.pass(.seconds(10))
        stage.reconnect()
        try stage.list([idle])
        stage.pass(.milliseconds(19_900))
        let asked = stage.effects.historyRequests.count
        stage.pass(.milliseconds(200))
        #expect(stage.effects.historyRequests.count == asked + 1)
    }

    @Test func `a history that was asked for before a cut, or by nobody, decides nothing`() throws {
        var stage = try Self.sent()
        stage.send(.refresh)
        let early = try #require(stage.effects.historyRequests.last).request
        stage.reconnect()
        try stage.list([Self.sky])
        try stage.hear("listening")
        stage.send(.history(voice: "af_sky", request: early, HubService.HistoryPage(Self.before)))
        stage.send(
            .history(voice: "af_sky", request: HubSequenceNumber(rawValue: 9_999), HubService.HistoryPage(Self.before))
        )
        #expect(stage.said.isEmpty)
        try stage.tellHistory(Self.before)
        #expect(stage.said == [.audio(session: Self.id, [1])])
    }

    @Test func `who waits in the grid is not called any more once the hub does not listen`() throws {
        for (type, members) in [("status", #""text":"Transcribing...""#), ("done", "")] {
            var stage = try Stage.connected(open: nil)
            try stage.hear("listening")
            #expect(stage.card.isPending)
            try stage.hear(type, members)
            #expect(!stage.card.isPending, "\(type)")
        }
        var answered = try Stage.connected(open: nil)
        try answered.hear("listening")
        answered.send(.answer(session: Self.id, .clip([1])))
        answered.tellEmptyHistories()
        #expect(!answered.card.isPending && answered.said.count == 1)
    }

    @Test func `an empty text of the person is no message`() throws {
        var stage = try Stage.connected()
        try stage.hear("user_text", #""text":"""#)
        #expect(HubSnapshot(stage.machine).open?.chat == [])
    }

    @Test func `done tells whether the agent works on, and a session that rests then listens`() throws {
        var stage = try Stage.connected()
        try stage.hear("done", #""processing":true"#)
        #expect(stage.card.label == "Thinking...")
        let idle = #"{"session_id":"voice-1-a","voice":"af_sky","state":"idle","status":"ready"}"#
        var resting = try Stage.connected([idle])
        try resting.hear("assistant_text", #""text":"Hi""#)
        #expect(HubSnapshot(resting.machine).open?.isInvited == false)
        try resting.hear("done", #""processing":false"#)
        #expect(HubSnapshot(resting.machine).open?.isInvited == true)
    }

    // MARK: Muted

    @Test func `an empty sound is an answer: the hub does not take another one to the same question`() throws {
        var stage = try Stage.connected()
        stage.send(.mute(true))
        try stage.hear("listening")
        stage.send(.mute(false))
        stage.send(.answer(session: Self.id, .clip([1])))
        #expect(stage.said == [.audio(session: Self.id, [])])
        try stage.hear("listening")
        #expect(stage.said == [.audio(session: Self.id, []), .audio(session: Self.id, [1])])
    }

    @Test func `silence that was owed to a hub is not owed to it behind a cut`() throws {
        let works = Stage.session(Self.id, "af_sky", more: #","state":"processing""#)
        var stage = try Stage.connected([works])
        stage.send(.mute(true))
        // The second one is not due for five seconds, and waits for what the agent says by the way.
        for _ in 1...2 { try stage.hear("listening") }
        try stage.hear("assistant_text", #""text":"Wait","fire_and_forget":true"#)
        try stage.hearSound(1)
        stage.reconnect()
        try stage.list([works])
        try stage.hear("session_status", #""state":"idle""#)
        stage.send(.played(clip: try #require(stage.playing), nil))
        stage.pass(.seconds(10))
        #expect(stage.said.count { $0 == .audio(session: Self.id, []) } == 1)
    }

    @Test func `a muted person answers what they have heard, and after what they have said`() throws {
        var stage = try Stage.connected()
        stage.send(.mute(true))
        try stage.hearSound(1)
        try stage.hear("listening")
        #expect(stage.said.isEmpty)
        stage.send(.played(clip: stage.playing!, nil))
        #expect(stage.said == [.playbackDone(session: Self.id), .audio(session: Self.id, [])])
        // An answer waits for the history; silence does not come before it.
        var answered = try Self.sent()
        try answered.hear("user_text", #""text":"what""#)
        answered.reconnect()
        try answered.list([Self.sky])
        answered.send(.mute(true))
        answered.send(.answer(session: Self.id, .clip([2])))
        try answered.hear("listening")
        #expect(answered.said.isEmpty)
        try answered.tellHistory(Self.before + [HubChatMessage(.user, "what", time: 2)])
        #expect(answered.said == [.audio(session: Self.id, [2])])
    }
}
