// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffHub
import Testing

/// Answers before the history was told, and answers that did not arrive at hubs that say once that they listen.
@Suite struct HubFirstAnswerTests {
    private static let id: HubSession.ID = "voice-1-a"
    private static let answer = HubCommand.audio(session: id, [1])
    private static let hi = HubChatMessage(.assistant, "Hi", time: 1)
    private static let before = HubChatMessage(.user, "before", time: 0)

    private static func waiting() throws -> Stage {
        var stage = try Stage.connected(open: nil)
        stage.send(.openSession(id))
        try stage.hear("listening")
        stage.send(.answer(session: id, .clip([1])))
        #expect(stage.said.isEmpty && stage.effects.historyRequests.count == 1)
        return stage
    }

    @Test func `the first answer waits until the history was told`() throws {
        var stage = try Self.waiting()
        try stage.tellHistory([Self.before])
        #expect(stage.said == [Self.answer])
    }

    @Test func `so that behind a cut the person's earlier words are not taken for it, nor it sent twice`() throws {
        for hasArrived in [false, true] {
            var stage = try Self.waiting()
            try stage.tellHistory([Self.before])
            stage.effects = []
            stage.reconnect()
            try stage.list([Stage.session(Self.id, "af_sky")])
            let words = hasArrived ? [HubChatMessage(.user, "what", time: 2), Self.hi] : []
            try stage.tellHistory([Self.before] + words)
            try stage.hear("listening")
            #expect(stage.said == (hasArrived ? [] : [Self.answer]))
        }
    }

    @Test func `ten seconds at most`() throws {
        var stage = try Self.waiting()
        stage.pass(.milliseconds(9_990))
        #expect(stage.said.isEmpty)
        stage.pass(.milliseconds(20))
        #expect(stage.said == [Self.answer])
        // Nor does the next one wait.
        try stage.hear("user_text", #""text":"what""#)
        stage.send(.answer(session: Self.id, .clip([2])))
        try stage.hear("listening")
        #expect(stage.said.count == 2)
    }

    // MARK: Hubs with states

    private static func session(_ state: String) -> String {
        Stage.session(id, "af_sky", more: #","state":"\#(state)""#)
    }

    private static func tell(_ stage: inout Stage, _ request: HubSequenceNumber, _ state: String) throws {
        let list = [try #require(HubSession(json: try JSONValue(parsing: session(state))))]
        stage.send(.sessions(request: request, list))
    }

    @Test func `an answer that did not arrive is sent again once a list shows that the hub rests`() throws {
        var stage = try Stage.connected([Self.session("idle")])
        stage.send(.answer(session: Self.id, .clip([1])))
        #expect(stage.said == [Self.answer])
        stage.pass(.seconds(30))
        try stage.tellHistory([])
        #expect(stage.said.count == 1 && stage.card.waitingAnswers == 1)
        try Self.tell(&stage, try #require(stage.send(.refresh).sessionRequests.first), "processing")
        #expect(stage.said.count == 1)
        try Self.tell(&stage, try #require(stage.send(.refresh).sessionRequests.first), "idle")
        #expect(stage.said.count == 2)
    }

    @Test func `a list that is older than what the hub said since invites nobody`() throws {
        var stage = try Stage.connected([Self.session("processing")])
        let old = try #require(stage.send(.refresh).sessionRequests.first)
        try stage.hear("session_status", #""state":"processing","status_text":"Processing...""#)
        try Self.tell(&stage, old, "idle")
        stage.send(.answer(session: Self.id, .clip([1])))
        #expect(stage.said.isEmpty)
        try Self.tell(&stage, try #require(stage.send(.refresh).sessionRequests.first), "idle")
        #expect(stage.said == [Self.answer])
    }
}
