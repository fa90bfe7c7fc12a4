// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffHub
import Testing

/// Answers that are long on their way, and hubs that go on meanwhile.
@Suite struct HubArrivalTests {
    private static let id: HubSession.ID = "voice-1-a"
    private static let answer = HubCommand.audio(session: id, [1])
    private static let hi = HubChatMessage(.assistant, "Hi", time: 1)

    /// A client that knows the history, and whose answer is on its way.
    private static func sending(_ session: String = Stage.session(id, "af_sky")) throws -> Stage {
        var stage = try Stage.connected([session])
        stage.arrives = false
        stage.send(.refresh)
        try stage.tellHistory([hi])
        try stage.hear("listening")
        stage.send(.answer(session: id, .clip([1])))
        #expect(stage.said == [answer])
        stage.effects = []
        return stage
    }

    private static func arrive(_ stage: inout Stage) throws {
        let number = try #require(stage.machine.sentAnswer(in: id))
        stage.send(.arrived(session: id, answer: number))
    }

    @Test func `an answer that takes two minutes to arrive is sent once`() throws {
        var stage = try Self.sending()
        for _ in 1...24 {
            stage.pass(.seconds(5))
            try stage.hear("listening")
        }
        #expect(stage.said.isEmpty && stage.card.state == .transcribing && stage.machine.failure == nil)
        try Self.arrive(&stage)
        try stage.hear("status", #""text":"Transcribing...""#)
        try stage.hear("user_text", #""text":"what""#)
        #expect(stage.said.isEmpty && stage.card.waitingAnswers == 0)
    }

    @Test func `the hub's silence is counted from there on`() throws {
        var stage = try Self.sending()
        stage.pass(.seconds(50))
        try Self.arrive(&stage)
        // The connection lives.
        try stage.hear(json: #"{"type":"ping"}"#)
        let asked = stage.effects.historyRequests.count
        stage.pass(.seconds(29))
        #expect(stage.effects.historyRequests.count == asked && stage.card.state == .transcribing)
        stage.pass(.seconds(1))
        #expect(stage.effects.historyRequests.count == asked + 1 && stage.card.state == .idle)
        try stage.tellHistory([Self.hi])
        try stage.hear("listening")
        #expect(stage.said == [Self.answer])
    }

    @Test func `43321fe: the end of an interjection's turn comes before the answer does, which is not lost by it`()
        throws
    {
        for isEarly in [true, false] {
            var stage = try Self.sending(Stage.session(Self.id, "af_sky", more: #","unread_count":0"#))
            if !isEarly { try Self.arrive(&stage) }
            try stage.hear("user_text", #""text":"wait, one more thing","interjection":true"#)
            try stage.hear("done", #""processing":true"#)
            try stage.hear("thinking")
            try stage.hear("assistant_text", #""text":"You said: wait, one more thing""#)
            #expect(stage.card.waitingAnswers == 1)
            if isEarly { try Self.arrive(&stage) }
            try stage.tellHistory([
                Self.hi, HubChatMessage(.user, "wait, one more thing", time: 2),
                HubChatMessage(.assistant, "You said: wait, one more thing", time: 3),
            ])
            #expect(stage.card.waitingAnswers == 1 && stage.said.isEmpty)
            try stage.hear("status", #""text":"Speaking...""#)
            try stage.hearSound(1)
            stage.send(.played(clip: stage.playing!, nil))
            try stage.hear("listening")
            #expect(stage.said == [.playbackDone(session: Self.id), Self.answer])
        }
    }

    @Test func `an old answer's arrival changes nothing`() throws {
        var stage = try Self.sending()
        let number = try #require(stage.machine.sentAnswer(in: Self.id))
        try stage.hear("user_text", #""text":"what""#)
        stage.send(.arrived(session: Self.id, answer: number))
        stage.send(.arrived(session: "nobody", answer: number))
        #expect(stage.card.waitingAnswers == 0 && stage.effects.historyRequests.isEmpty)
    }
}
