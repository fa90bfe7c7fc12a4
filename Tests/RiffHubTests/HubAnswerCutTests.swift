// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffHub
import Testing

/// What becomes of an answer behind a cut, where only the history can tell.
@Suite struct HubAnswerCutTests {
    private static let id: HubSession.ID = "voice-1-a"
    private static let listens = Stage.session(id, "af_sky", more: #","state":"idle""#)
    private static let answer = HubCommand.audio(session: id, [1])
    private static let hi = HubChatMessage(.assistant, "Hi", time: 1)

    /// A client of a hub with states that knows the history, and has sent an answer.
    private static func sent() throws -> Stage {
        var stage = try Stage.connected([listens])
        stage.send(.refresh)
        try stage.tellHistory([hi])
        stage.send(.answer(session: id, .clip([1])))
        #expect(stage.said == [answer])
        return stage
    }

    /// A cut; what the history is once recognition must be over; and whether the answer was sent again.
    private static func isSentAgain(_ stage: inout Stage, _ history: [HubChatMessage]) throws -> Bool {
        stage.reconnect()
        try stage.list([listens])
        try stage.tellHistory(history)
        stage.pass(.seconds(31))
        try stage.tellHistory(history)
        return stage.said.count { $0 == answer } == 2
    }

    @Test(arguments: [
        (HubChatMessage(.assistant, "By the way", time: 2), true), (HubChatMessage(.activity, "Reads", time: 2), true),
        (HubChatMessage(.system, "Compacted", time: 2), true),
        (HubChatMessage(.user, "", time: 2, isBareAck: true), true),
        (HubChatMessage(.user, "yes", time: 2), false),
    ])
    func `only the person's words show that an answer arrived where agents speak unasked`(
        _ message: HubChatMessage,
        _ isSentAgain: Bool
    ) throws {
        var stage = try Self.sent()
        #expect(try Self.isSentAgain(&stage, [Self.hi, message]) == isSentAgain)
        #expect(stage.card.waitingAnswers == (isSentAgain ? 1 : 0))
    }

    @Test(arguments: [#","fire_and_forget":true"#, #","interjection":true"#])
    func `nor does what came live behind it`(_ member: String) throws {
        var stage = try Self.sent()
        let isAgent = member.contains("fire")
        try stage.hear(isAgent ? "assistant_text" : "user_text", #""text":"And this""# + member)
        let told = HubChatMessage(isAgent ? .assistant : .user, "And this", time: 2)
        #expect(try Self.isSentAgain(&stage, [Self.hi, told]))
    }

    @Test(arguments: [("And this", true), ("And that", false)])
    func `nor does what this person wrote into the work and only the history tells`(
        _ told: String,
        _ isSentAgain: Bool
    ) throws {
        var stage = try Self.sent()
        stage.send(.say(.interjection(session: Self.id, "And this")))
        #expect(try Self.isSentAgain(&stage, [Self.hi, HubChatMessage(.user, told, time: 2)]) == isSentAgain)
    }

    @Test func `the agent's words show it where agents say nothing unasked`() throws {
        var stage = try Stage.connected()
        stage.send(.refresh)
        try stage.tellHistory([Self.hi])
        try stage.hear("listening")
        stage.send(.answer(session: Self.id, .clip([1])))
        stage.reconnect()
        try stage.list([Stage.session(Self.id, "af_sky")])
        try stage.tellHistory([Self.hi, HubChatMessage(.assistant, "Go on", time: 2)])
        #expect(stage.card.waitingAnswers == 0)
    }

    @Test func `where the history cannot be read the person is told, and the next answer is sent`() throws {
        for isPatient in [true, false] {
            let session = isPatient ? Self.listens : Stage.session(Self.id, "af_sky")
            var stage = try Stage.connected([session])
            try stage.hear("listening")
            stage.send(.answer(session: Self.id, .clip([1])))
            stage.reconnect()
            try stage.list([session])
            // The hub says again and again that it listens, and its history fails each time.
            for _ in 1...(isPatient ? 12 : 6) {
                #expect(stage.card.waitingAnswers == 1 && stage.machine.failure == nil)
                stage.pass(.seconds(5))
                for (voice, request) in stage.effects.historyRequests {
                    stage.send(.historyFailed(voice: voice, request: request))
                }
                try stage.hear("listening")
            }
            #expect(stage.card.waitingAnswers == 0 && stage.machine.failure?.code == "hub.answerUncertain")
            #expect(stage.said == [Self.answer])
            stage.send(.answer(session: Self.id, .clip([2])))
            stage.pass(.seconds(11))
            #expect(stage.said.last == .audio(session: Self.id, [2]))
        }
    }

    @Test func `a history that a person looks at is asked for until it was told`() throws {
        var stage = try Stage.connected(open: nil)
        stage.send(.openSession(Self.id))
        #expect(stage.effects.historyRequests.count == 1)
        for count in 2...3 {
            let request = try #require(stage.effects.historyRequests.last).request
            stage.send(.historyFailed(voice: "af_sky", request: request))
            stage.pass(.seconds(15))
            #expect(stage.effects.historyRequests.count == count)
        }
        try stage.tellHistory([Self.hi])
        stage.pass(.seconds(15))
        #expect(stage.effects.historyRequests.count == 3)
    }

    @Test func `an older request that fails does not keep the client awake while a newer one is on its way`() throws {
        var stage = try Stage.connected()
        let old = try #require(stage.handle(.refresh).historyRequests.first)
        stage.reconnect()
        try stage.list([Stage.session(Self.id, "af_sky")])
        stage.send(.answer(session: Self.id, .clip([1])))
        try stage.hear("listening")
        stage.send(.historyFailed(voice: old.voice, request: old.request))
        stage.pass(.seconds(2))
        #expect(try #require(stage.machine.deadline) > stage.now)
    }

    @Test func `who answers a session that ends is told that the answer is lost`() throws {
        var waiting = try Stage.connected()
        waiting.send(.answer(session: Self.id, .clip([1])))
        waiting.send(.sessions(request: try #require(waiting.send(.refresh).sessionRequests.first), []))
        #expect(waiting.machine.failure?.code == "hub.sessionGone")
        var recording = try Stage.connected()
        recording.send(.record)
        try recording.hear("session_terminated")
        #expect(recording.machine.failure?.code == "hub.sessionGone")
        // Whoever ends it knows.
        var ended = try Stage.connected()
        ended.send(.answer(session: Self.id, .clip([1])))
        ended.send(.end(session: Self.id))
        ended.send(.ended(session: Self.id))
        #expect(ended.machine.failure == nil && ended.card.session == nil)
    }
}
