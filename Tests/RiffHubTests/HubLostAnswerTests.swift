// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffHub
import Testing

/// Answers that are lost: told, kept, sent again by the person or discarded.
@Suite struct HubLostAnswerTests {
    private static let id: HubSession.ID = "voice-1-a"
    private static let failed = #""text":"You said: Error""#

    /// A client of the first generation that has lost so many answers.
    private static func lost(_ count: Int, bytes: Int = 1) throws -> Stage {
        var stage = try Stage.connected()
        for number in 1...count { try lose(&stage, number, bytes) }
        return stage
    }

    private static func lose(_ stage: inout Stage, _ number: Int, _ bytes: Int = 1) throws {
        try stage.hear("listening")
        stage.send(.answer(session: id, .clip([UInt8](repeating: UInt8(number), count: bytes))))
        try stage.hear("status", #""text":"Transcribing...""#)
        try stage.hear("assistant_text", failed)
    }

    private static func kept(_ stage: Stage) -> [HubSnapshot.LostAnswer] { HubSnapshot(stage.machine).lostAnswers }

    @Test func `a lost answer is sent again once the hub listens, and is lost no more`() throws {
        var stage = try Self.lost(1)
        stage.send(.sendAgain(answer: try #require(Self.kept(stage).first).id))
        #expect(Self.kept(stage).isEmpty && stage.machine.failure == nil && stage.card.waitingAnswers == 1)
        try stage.hear("listening")
        #expect(stage.said.count == 2 && stage.said.last == .audio(session: Self.id, [1]))
        stage.send(.sendAgain(answer: 99_999))
        #expect(stage.card.waitingAnswers == 1)
    }

    @Test func `a lost answer that is discarded is gone`() throws {
        var stage = try Self.lost(2)
        stage.send(.discard(answer: try #require(Self.kept(stage).first).id))
        #expect(Self.kept(stage).map(\.content) == [.clip([2])] && stage.machine.failure == nil)
    }

    @Test func `an answer whose session ends meanwhile goes to the next session of its voice`() throws {
        var stage = try Stage.connected()
        try stage.hear("listening")
        stage.send(.answer(session: Self.id, .clip([1])))
        try stage.hear("status", #""text":"Transcribing...""#)
        stage.reconnect()
        try stage.list([])
        #expect(stage.machine.failure?.code == "hub.sessionGone")
        let answer = try #require(Self.kept(stage).first)
        #expect(answer.voice == "af_sky" && answer.session == Self.id)
        stage.send(.sendAgain(answer: answer.id))
        #expect(Self.kept(stage).count == 1 && stage.machine.failure?.code == "hub.sessionGone")
        try stage.hear(json: #"{"type":"session_spawned","session":\#(Stage.session("voice-2-b", "af_sky"))}"#)
        stage.tellEmptyHistories()
        stage.send(.sendAgain(answer: answer.id))
        #expect(Self.kept(stage).isEmpty)
        try stage.hear("listening", in: "voice-2-b")
        stage.tellEmptyHistories()
        #expect(stage.said.last == .audio(session: "voice-2-b", [1]))
    }

    @Test func `a recording whose session has ended is kept`() throws {
        var stage = try Stage.connected()
        stage.send(.record)
        let number = try #require(stage.microphones.first)
        stage.send(.finishRecording)
        try stage.hear("session_terminated")
        stage.send(.recorded(microphone: number, [7], nil))
        #expect(Self.kept(stage).map(\.content) == [.clip([7])] && Self.kept(stage).first?.voice == "af_sky")
        #expect(stage.machine.failure?.code == "hub.sessionGone")
    }

    @Test func `what the hub does not have when the client ends is told, and kept`() throws {
        for isTaken in [false, true] {
            var stage = try Stage.connected()
            if isTaken {
                try stage.hear("listening")
            }
            stage.send(.answer(session: Self.id, .clip([1])))
            if isTaken { try stage.hear("status", #""text":"Transcribing...""#) }
            stage.send(.connection(.stop))
            #expect(Self.kept(stage).map(\.content) == [.clip([1])])
            #expect(Self.kept(stage).first?.failure.code == "hub.answerUnsent")
        }
    }

    @Test func `an agent that says goodbye takes no answer with it in silence, a person who ends a session does`()
        throws
    {
        for isGoodbye in [false, true] {
            var stage = try Stage.connected()
            stage.send(.answer(session: Self.id, .clip([1])))
            if isGoodbye { try stage.hear("session_ended") } else { stage.send(.end(session: Self.id)) }
            stage.send(.ended(session: Self.id))
            #expect(Self.kept(stage).count == (isGoodbye ? 1 : 0))
            #expect(stage.machine.failure?.code == (isGoodbye ? "hub.sessionGone" : nil))
        }
    }

    // MARK: Bounds

    @Test func `sixteen lost answers are kept, and what no longer fits is told`() throws {
        var stage = try Self.lost(16)
        #expect(Self.kept(stage).count == 16 && HubSnapshot(stage.machine).forgottenAnswers == 0)
        try Self.lose(&stage, 17)
        #expect(Self.kept(stage).map(\.content) == (2...17).map { .clip([UInt8($0)]) })
        #expect(HubSnapshot(stage.machine).forgottenAnswers == 1)
        #expect(stage.machine.failure?.code == "hub.lostAnswersFull")
    }

    @Test func `no more than 64 MiB of them are kept`() throws {
        let stage = try Self.lost(6, bytes: 12 << 20)
        #expect(Self.kept(stage).count == 5 && HubSnapshot(stage.machine).forgottenAnswers == 1)
    }

    @Test func `256 answers wait at most, and the next one is told`() throws {
        var answers = HubAnswers()
        for number in 1...HubAnswers.limitCount {
            try answers.add(HubAnswers.Answer(number: number, content: .text("")))
        }
        let error = #expect(throws: HubError.self) {
            try answers.add(HubAnswers.Answer(number: 999, content: .text("")))
        }
        #expect(error?.code == .answersFull && answers.count == 256)
        var stage = try Stage.connected()
        for _ in 1...257 { stage.send(.answer(session: Self.id, .clip([1]))) }
        #expect(stage.card.waitingAnswers == 256 && Self.kept(stage).count == 1)
        #expect(stage.machine.failure?.code == "hub.answersFull")
    }
}
