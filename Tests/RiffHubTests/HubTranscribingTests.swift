// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffHub
import Testing

/// An answer while the hub makes words of it, in each generation.
@Suite struct HubTranscribingTests {
    enum Age: CaseIterable {
        case first, words, inbox

        /// The session, as a hub of this age lists it while it listens.
        func session(text: String = "", made: Double? = nil) -> String {
            let time = made.map { #","created_at":\#($0)"# } ?? ""
            return switch self {
            case .first: Stage.session(HubTranscribingTests.id, "af_sky", text: text, more: time)
            case .words:
                Stage.session(HubTranscribingTests.id, "af_sky", text: text, more: #","unread_count":0"# + time)
            case .inbox:
                Stage.session(
                    HubTranscribingTests.id,
                    "af_sky",
                    text: text,
                    more: #","unread_count":0,"state":"idle""# + time
                )
            }
        }
    }

    private static let id: HubSession.ID = "voice-1-a"
    private static let answer = HubCommand.audio(session: id, [1])
    private static let hi = HubChatMessage(.assistant, "Hi", time: 1)
    private static let what = HubChatMessage(.user, "what", time: 2)

    /// A client whose answer the hub makes words of.
    private static func transcribing(_ age: Age, made: Double? = nil) throws -> Stage {
        var stage = try Stage.connected([age.session(made: made)])
        stage.send(.refresh)
        try stage.tellHistory([hi])
        try stage.hear("listening")
        stage.send(.answer(session: id, .clip([1])))
        #expect(stage.said == [answer])
        try take(&stage)
        return stage
    }

    private static func take(_ stage: inout Stage, waiting: Int = 0) throws {
        try stage.hear("status", #""text":"Transcribing...""#)
        #expect(stage.card.waitingAnswers == waiting && stage.card.transcribingAnswers == 1)
    }

    /// The hub is gone and comes back, or closes the socket; then it tells its history, and listens.
    private static func cut(
        _ stage: inout Stage,
        _ age: Age,
        _ history: [HubChatMessage],
        text: String = "",
        made: Double? = nil,
        settled: Duration = .seconds(31)
    ) throws {
        stage.reconnect()
        try stage.list([age.session(text: text, made: made)])
        try stage.tellHistory(history)
        if age == .inbox {
            stage.pass(settled)
            try stage.tellHistory(history)
        }
        try stage.hear("listening")
    }

    @Test(arguments: Age.allCases)
    func `an answer that the hub loses while it makes words of it is sent once more, and then told and kept`(
        age: Age
    ) throws {
        var stage = try Self.transcribing(age)
        try Self.cut(&stage, age, [Self.hi])
        #expect(stage.said == [Self.answer, Self.answer])
        #expect(stage.machine.failure == nil)
        try Self.take(&stage)
        try Self.cut(&stage, age, [Self.hi])
        #expect(stage.said.count == 2 && stage.card.waitingAnswers == 0)
        let snapshot = HubSnapshot(stage.machine)
        #expect(snapshot.failure?.code == "hub.answerLost" && snapshot.failure?.recovery == .retry)
        #expect(snapshot.lostAnswers.map(\.content) == [.clip([1])])
        #expect(snapshot.lostAnswers.map(\.voice) == ["af_sky"])
        // The hub listens, and the next answer is sent.
        stage.send(.answer(session: Self.id, .clip([2])))
        #expect(stage.said.last == .audio(session: Self.id, [2]))
    }

    @Test(arguments: Age.allCases)
    func `an answer whose words are in the history is not sent again`(age: Age) throws {
        for more in [[], [HubChatMessage(.assistant, "Go on", time: 3)]] {
            var stage = try Self.transcribing(age)
            try Self.cut(&stage, age, [Self.hi, Self.what] + more)
            #expect(stage.said == [Self.answer] && stage.machine.failure == nil)
            #expect(HubSnapshot(stage.machine).lostAnswers.isEmpty && stage.card.transcribingAnswers == 0)
        }
    }

    @Test(arguments: Age.allCases, [("user_text", #""text":"what""#), ("done", #""processing":false"#)])
    func `its words, or the end of the turn, are the end of it`(age: Age, sign: (String, String)) throws {
        var stage = try Self.transcribing(age)
        try stage.hear(sign.0, sign.1)
        #expect(stage.card.transcribingAnswers == 0)
        try Self.cut(&stage, age, [Self.hi])
        #expect(stage.said == [Self.answer] && HubSnapshot(stage.machine).lostAnswers.isEmpty)
    }

    @Test(arguments: Age.allCases)
    func `a hub that takes ten minutes is waited for while the connection lives`(age: Age) throws {
        var stage = try Self.transcribing(age)
        for _ in 1...60 {
            stage.pass(.seconds(10))
            try stage.hear(json: #"{"type":"ping"}"#)
            if let (voice, request) = stage.effects.historyRequests.last {
                stage.send(.history(voice: voice, request: request, HubService.HistoryPage([Self.hi])))
            }
            #expect(stage.card.state == .transcribing && stage.machine.failure == nil)
        }
        #expect(stage.said == [Self.answer] && stage.card.transcribingAnswers == 1)
        try stage.hear("user_text", #""text":"what""#)
        #expect(stage.card.transcribingAnswers == 0 && stage.machine.failure == nil)
    }

    @Test(arguments: [Age.first, .words])
    func `recognition that fails is told, and the answer is kept for the person`(age: Age) throws {
        var stage = try Self.transcribing(age)
        try stage.hear("assistant_text", #""text":"You said: Error""#)
        try stage.hear("status", #""text":"Speaking...""#)
        #expect(stage.machine.failure?.code == "hub.notTranscribed")
        #expect(HubSnapshot(stage.machine).lostAnswers.map(\.content) == [.clip([1])])
        try stage.hear("listening")
        #expect(stage.said == [Self.answer])
    }

    @Test func `10ee349: an agent that goes on after a cut without the person's words had none of them`() throws {
        var stage = try Self.transcribing(.first)
        try Self.cut(&stage, .first, [Self.hi, HubChatMessage(.assistant, "You said: Error", time: 3)])
        #expect(stage.said == [Self.answer])
        #expect(stage.machine.failure?.code == "hub.notTranscribed")
        #expect(HubSnapshot(stage.machine).lostAnswers.count == 1)
    }

    @Test func `279d9d6: what an agent says by itself is no sign of the answer`() throws {
        var stage = try Self.transcribing(.inbox)
        try stage.hear("assistant_text", #""text":"By the way","fire_and_forget":true"#)
        try stage.hear("assistant_text", #""text":"And also""#)
        #expect(stage.card.transcribingAnswers == 1 && stage.machine.failure == nil)
        try stage.hear("user_text", #""text":"what""#)
        #expect(stage.card.transcribingAnswers == 0)
    }

    @Test(arguments: Age.allCases)
    func `a hub that says after a cut that it still makes words is waited for`(age: Age) throws {
        var stage = try Self.transcribing(age)
        stage.reconnect()
        try stage.tellHistory([Self.hi])
        try stage.list([age.session(text: "Transcribing...")])
        #expect(stage.card.transcribingAnswers == 1)
        stage.pass(.seconds(20))
        try stage.tellHistory([Self.hi])
        try stage.hear("user_text", #""text":"what""#)
        try stage.hear("listening")
        #expect(stage.said == [Self.answer] && stage.machine.failure == nil && stage.card.transcribingAnswers == 0)
    }

    @Test func `279d9d6: another process has lost the answer for certain, and the same one has its own time`() throws {
        var restarted = try Self.transcribing(.inbox, made: 100)
        try Self.cut(&restarted, .inbox, [Self.hi], made: 200, settled: .zero)
        #expect(restarted.said == [Self.answer, Self.answer])
        var same = try Self.transcribing(.inbox, made: 100)
        try Self.cut(&same, .inbox, [Self.hi], made: 100, settled: .seconds(50))
        #expect(same.said == [Self.answer])
        same.pass(.seconds(46))
        try same.tellHistory([Self.hi])
        #expect(same.said == [Self.answer, Self.answer])
    }

    @Test(arguments: [Age.words, .inbox])
    func `a typed answer that is lost twice is told`(age: Age) throws {
        let text = HubCommand.text(session: Self.id, "yes")
        var stage = try Stage.connected([age.session()])
        stage.send(.refresh)
        try stage.tellHistory([Self.hi])
        try stage.hear("listening")
        stage.send(.answer(session: Self.id, .text("yes")))
        for _ in 1...2 { try Self.cut(&stage, age, [Self.hi]) }
        #expect(stage.said == [text, text] && stage.machine.failure?.code == "hub.answerLost")
        #expect(HubSnapshot(stage.machine).lostAnswers.map(\.content) == [.text("yes")])
    }

    @Test(arguments: Age.allCases)
    func `a history that is told empty for a moment decides nothing and empties nothing`(age: Age) throws {
        var stage = try Self.transcribing(age)
        stage.reconnect()
        try stage.list([age.session()])
        try stage.tellHistory([])
        try stage.hear("listening")
        #expect(stage.said == [Self.answer])
        #expect(HubSnapshot(stage.machine).open?.chat.map(\.text) == ["Hi"])
        stage.pass(.seconds(1))
        try stage.tellHistory([Self.hi, Self.what])
        try stage.hear("listening")
        #expect(stage.said == [Self.answer] && stage.card.transcribingAnswers == 0)
        #expect(HubSnapshot(stage.machine).open?.chat.map(\.text) == ["Hi", "what"])
    }

    @Test func `a history that stays empty was cleared`() throws {
        var stage = try Stage.connected()
        stage.send(.refresh)
        try stage.tellHistory([Self.hi])
        stage.send(.refresh)
        try stage.tellHistory([])
        stage.pass(.seconds(1))
        try stage.tellHistory([])
        #expect(HubSnapshot(stage.machine).open?.chat == [])
    }

    @Test(arguments: Age.allCases)
    func `a second client's answer does not take the place of one that waits`(age: Age) throws {
        var stage = try Stage.connected([age.session()])
        stage.send(.refresh)
        try stage.tellHistory([Self.hi])
        try stage.hear("status", #""text":"Transcribing...""#)
        stage.send(.answer(session: Self.id, .clip([1])))
        #expect(stage.card.waitingAnswers == 1 && stage.card.transcribingAnswers == 0)
        try stage.hear("user_text", #""text":"theirs""#)
        try stage.hear("done", #""processing":true"#)
        try stage.hear("listening")
        #expect(stage.said == [Self.answer])
    }

    @Test(arguments: Age.allCases)
    func `an answer that is recorded meanwhile waits for the words of the one before it`(age: Age) throws {
        var stage = try Self.transcribing(age)
        stage.send(.interrupt)
        stage.send(.answer(session: Self.id, .clip([2])))
        #expect(stage.said == [Self.answer] && stage.card.waitingAnswers == 1)
        try Self.cut(&stage, age, [Self.hi])
        #expect(stage.said == [Self.answer, Self.answer])
        try Self.take(&stage, waiting: 1)
        try stage.hear("user_text", #""text":"what""#)
        try stage.hear("done", #""processing":false"#)
        try stage.hear("listening")
        #expect(stage.said.last == .audio(session: Self.id, [2]) && stage.said.count == 3)
    }
}
