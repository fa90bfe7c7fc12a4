// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffHub
import Testing

@Suite struct HubTurnTests {
    @Test(arguments: [
        ([HubTurn.Event.thinking], HubTurn.Phase.thinking), ([.text], .speaking), ([.text, .audio], .speaking),
        ([.audio, .played], .idle), ([.audio, .listening], .listening), ([.listening, .answered], .transcribing),
        ([.answered, .arrived], .transcribing),
        ([.listening, .arrived], .listening), ([.listening, .transcribing, .userText], .thinking),
        ([.transcribing, .userText, .done], .idle),
        // Speech and recognition that fail have no done; the next text is enough.
        ([.transcribing, .text], .speaking), ([.speaking, .text, .audio], .speaking),
        ([.transcribing, .done], .idle), ([.listening, .lost], .idle), ([.listening, .played], .listening),
    ])
    func `what the hub says leads to a phase`(events: [HubTurn.Event], phase: HubTurn.Phase) {
        var turn = HubTurn()
        for event in events { turn.handle(event, at: .zero) }
        #expect(turn.phase == phase)
    }

    @Test func `how long an answer is on its way is not the hub's silence`() {
        var turn = HubTurn()
        turn.handle(.answered, at: .zero)
        turn.tick(at: .seconds(600))
        #expect(turn.phase == .transcribing && turn.deadline == nil)
        turn.handle(.arrived, at: .seconds(600))
        #expect(turn.deadline == .seconds(630))
        turn.handle(.arrived, at: .seconds(610))
        #expect(turn.deadline == .seconds(630))
        turn.tick(at: .seconds(630))
        #expect(turn.phase == .idle && turn.isUnheard)
    }

    @Test(arguments: [HubTurn.Event.transcribing, .speaking, .text, .userText])
    func `a phase that must lead to something is over after 30 seconds`(event: HubTurn.Event) {
        var turn = HubTurn()
        turn.handle(event, at: .seconds(5))
        turn.tick(at: .seconds(34))
        #expect(turn.phase != .idle)
        #expect(turn.deadline == .seconds(35))
        turn.tick(at: .seconds(35))
        #expect(turn.phase == .idle && turn.deadline == nil)
    }

    @Test(arguments: [HubTurn.Event.thinking, .listening, .audio])
    func `others may last`(event: HubTurn.Event) {
        var turn = HubTurn()
        turn.handle(event, at: .zero)
        #expect(turn.deadline == nil)
    }

    @Test func `an answer of which nothing came is known to be unheard`() {
        var turn = HubTurn()
        turn.handle(.transcribing, at: .zero)
        turn.handle(.text, at: .zero)
        #expect(turn.isUnheard)
        turn.handle(.transcribing, at: .zero)
        turn.handle(.userText, at: .zero)
        turn.handle(.text, at: .zero)
        #expect(!turn.isUnheard)
    }
}

@Suite struct HubSilenceTests {
    @Test func `there is one empty sound each time that the hub listens, and never two within 5 seconds`() {
        var silence = HubSilence()
        #expect(silence.next(at: .zero) == false)
        silence.asked()
        #expect(silence.next(at: .zero) == true)
        #expect(silence.next(at: .seconds(60)) == false)
        // The hub listens again within 2 ms, as often as it is answered.
        silence.asked()
        #expect(silence.next(at: .milliseconds(2)) == false)
        #expect(silence.deadline == .seconds(5))
        silence.asked()
        #expect(silence.next(at: .milliseconds(4_999)) == false)
        #expect(silence.next(at: .seconds(5)) == true)
        silence.asked()
        silence.withdraw()
        #expect(silence.deadline == nil && !silence.next(at: .seconds(60)))
    }
}

@Suite struct HubSpeechQueueTests {
    private static func audio(_ mark: UInt8, bytes: Int = 4) -> HubAudio {
        HubAudio([0xFF, 0xFB, 0x90] + [UInt8](repeating: mark, count: bytes - 3))
    }

    @Test func `clips are played in order, and the hub is told once, behind the last`() {
        var queue = HubSpeechQueue()
        for number in 1...3 { #expect(queue.append(Self.audio(UInt8(number)), number: number) == true) }
        var told: [Bool] = []
        for number in 1...3 {
            let next = queue.next()
            let none = queue.next()
            #expect(next?.number == number && none == nil)
            told.append(queue.played(number))
        }
        #expect(told == [false, false, true])
        #expect(!queue.owesPlaybackDone)
        #expect(queue.isEmpty && !queue.played(3))
    }

    @Test func `500 clips wait without one being dropped`() {
        var queue = HubSpeechQueue()
        for number in 1...500 { #expect(queue.append(Self.audio(UInt8(number % 250)), number: number) == true) }
        var played = 0
        while let clip = queue.next() {
            played += 1
            _ = queue.played(clip.number)
        }
        #expect(played == 500 && queue.missed == 0)
    }

    @Test func `past the limit a clip is counted, not dropped silently`() {
        var queue = HubSpeechQueue()
        let half = HubSpeechQueue.limitBytes / 2
        #expect(queue.append(Self.audio(1, bytes: half), number: 1) == true)
        #expect(queue.append(Self.audio(2, bytes: half), number: 2) == true)
        #expect(queue.append(Self.audio(3), number: 3) == false)
        #expect(queue.missed == 1 && queue.count == 2)
        _ = queue.next()
        _ = queue.played(1)
        #expect(queue.append(Self.audio(4), number: 4) == true)
    }

    @Test func `the same sound twice is one, unless something was said between`() {
        var queue = HubSpeechQueue()
        #expect(queue.append(Self.audio(1), number: 1) == true)
        #expect(queue.append(Self.audio(1), number: 2, unlessRepeated: true) == false)
        #expect(queue.append(Self.audio(1), number: 3, unlessRepeated: false) == true)
    }

    @Test func `what is put back is played again, and a turn that went on owes nothing`() {
        var queue = HubSpeechQueue()
        _ = queue.append(Self.audio(1), number: 1)
        _ = queue.next()
        #expect(queue.putBack() == 1)
        #expect(queue.played(1) == false)
        let again = queue.next()
        #expect(again?.number == 1)
        queue.forgive()
        #expect(queue.played(1) == false)
        _ = queue.append(Self.audio(2), number: 2)
        _ = queue.next()
        let (clip, wasOwed) = queue.interrupt()
        #expect(clip == 2 && wasOwed && queue.isEmpty)
    }
}

@Suite struct HubAnswersTests {
    private static func one() throws -> HubAnswers {
        var answers = HubAnswers()
        try answers.add(HubAnswers.Answer(number: 1, content: .clip([1])))
        return answers
    }

    @Test func `an answer waits until the hub listens, and stays until it is known to be there`() throws {
        var answers = try Self.one()
        #expect(answers.next(mark: 0, at: .zero) == nil)
        #expect(answers.invite() == true)
        let sent = answers.next(mark: 0, at: .zero)
        #expect(sent?.number == 1)
        #expect(answers.count == 1)
        // What the hub said before it had it.
        #expect(answers.invite() == false)
        #expect(answers.next(mark: 0, at: .zero) == nil)
        answers.confirm()
        #expect(answers.isEmpty && answers.invite())
    }

    @Test func `after a cut the history tells whether it is sent again`() throws {
        for (mark, isSentAgain) in [(3, true), (4, false)] {
            var answers = try Self.one()
            _ = answers.invite()
            _ = answers.next(mark: 3, at: .zero)
            answers.lose()
            #expect(answers.needsHistory)
            #expect(answers.invite() == false)
            #expect(answers.next(mark: 3, at: .zero) == nil)
            answers.history(mark: mark, lastIsUser: false, at: .zero)
            #expect((answers.next(mark: mark, at: .zero) != nil) == isSentAgain)
            #expect(answers.isEmpty != isSentAgain)
        }
    }

    @Test func `a second cut makes it uncertain again: its words may have been told to nobody`() throws {
        var answers = try Self.one()
        _ = answers.invite()
        _ = answers.next(mark: 3, at: .zero)
        answers.lose()
        answers.history(mark: 3, lastIsUser: false, at: .zero)
        answers.lose()
        #expect(answers.needsHistory)
        #expect(answers.invite() == false)
        answers.history(mark: 4, lastIsUser: true, at: .zero)
        #expect(answers.isEmpty)
    }

    @Test func `where no history was known, the person's words at its end tell`() throws {
        for lastIsUser in [true, false] {
            var answers = try Self.one()
            _ = answers.invite()
            _ = answers.next(mark: nil, at: .zero)
            answers.lose()
            answers.history(mark: 8, lastIsUser: lastIsUser, at: .zero)
            #expect(answers.isEmpty == lastIsUser)
        }
    }

    @Test func `what was not sent is sent the next time, and too much is refused`() throws {
        var answers = try Self.one()
        _ = answers.invite()
        _ = answers.next(mark: 0, at: .zero)
        answers.notSent(1)
        #expect(answers.invite() == true)
        let again = answers.next(mark: 0, at: .zero)
        #expect(again?.number == 1)
        let large = HubAnswers.Answer(number: 2, content: .clip([UInt8](repeating: 0, count: HubAnswers.limitBytes)))
        #expect { try answers.add(large) } throws: { ($0 as? HubError)?.code == .answersFull }
    }

    @Test func `what was missing in the history, and is in a later one, is not sent`() throws {
        var answers = try Self.one()
        _ = answers.invite()
        _ = answers.next(mark: 3, at: .zero)
        answers.lose()
        answers.history(mark: 3, lastIsUser: false, at: .zero)
        answers.history(mark: 4, lastIsUser: true, at: .zero)
        #expect(answers.isEmpty)
        #expect(answers.invite() && answers.next(mark: 4, at: .zero) == nil)
    }

    @Test func `a hub that goes on makes an answer uncertain, once that has arrived`() throws {
        for isEarly in [true, false] {
            var answers = try Self.one()
            _ = answers.invite()
            _ = answers.next(mark: 3, at: .zero)
            if !isEarly { #expect(answers.arrived(1, at: .seconds(1)) == false) }
            #expect(answers.pass(mark: 4) == !isEarly)
            #expect(answers.isOnItsWay == isEarly)
            if isEarly { #expect(answers.arrived(1, at: .seconds(1)) == true) }
            #expect(answers.needsHistory && answers.count == 1)
            // What the agent said meanwhile is no sign of it, now or later.
            answers.history(mark: 4, lastIsUser: false, at: .seconds(2))
            #expect(answers.pass(mark: 5) == true)
            answers.history(mark: 5, lastIsUser: false, at: .seconds(3))
            #expect(answers.count == 1)
            #expect(answers.invite() && answers.next(mark: 5, at: .seconds(4)) != nil)
        }
    }

    @Test func `behind a cut what the agent says is a sign`() throws {
        var answers = try Self.one()
        _ = answers.invite()
        _ = answers.next(mark: 3, at: .zero)
        answers.lose(at: .seconds(9))
        #expect(answers.pass(mark: 4) == true)
        answers.history(mark: 4, lastIsUser: false, at: .seconds(10))
        #expect(answers.isEmpty)
    }

    @Test func `the time for words begins with the cut where nobody knows when it arrived`() throws {
        var answers = try Self.one()
        answers.isPatient = true
        _ = answers.invite()
        _ = answers.next(mark: 0, at: .zero)
        answers.lose(at: .seconds(100))
        #expect(answers.deadline == .seconds(130))
    }

    @Test func `what the hub has makes room for more`() throws {
        var answers = HubAnswers()
        let clip = HubSnapshot.LostAnswer.Content.clip([UInt8](repeating: 0, count: HubAnswers.limitBytes))
        for number in 1...2 {
            try answers.add(HubAnswers.Answer(number: number, content: clip))
            _ = answers.invite()
            _ = answers.next(mark: 0, at: .zero)
            answers.confirm()
        }
        #expect(answers.isEmpty)
    }

    @Test func `silence of the hub makes it uncertain 30 seconds after it has arrived`() throws {
        var answers = try Self.one()
        _ = answers.invite()
        _ = answers.next(mark: 0, at: .seconds(7))
        #expect(answers.deadline == nil)
        #expect(answers.arrived(2, at: .seconds(20)) == false)
        #expect(answers.deadline == nil)
        #expect(answers.arrived(1, at: .seconds(47)) == false)
        #expect(answers.deadline == .seconds(77))
        answers.lose()
        #expect(answers.deadline == nil && answers.needsHistory)
    }
}

@Suite struct HubSpawnsTests {
    @Test func `one is on its way for each voice; whoever says first that it is there opens it`() {
        var spawns = HubSpawns()
        #expect(spawns.begin("sky") && !spawns.begin("sky") && spawns.begin("adam"))
        #expect(spawns.isSpawning("sky"))
        #expect(spawns.ready(session: "1", voice: "sky") == .open(session: "1"))
        #expect(spawns.ready(session: "1", voice: "sky") == .nothing)
        #expect(!spawns.isSpawning("sky") && !spawns.begin("sky"))
        #expect(spawns.answered("sky", session: "1") == .nothing)
        #expect(spawns.answered("adam", session: "2") == .open(session: "2"))
        #expect(spawns.ready(session: "2", voice: "adam") == .nothing)
        #expect(spawns.begin("sky") == true)
    }

    @Test func `the answer's object counts, and a failure is none where the session came all the same`() {
        var spawns = HubSpawns()
        _ = spawns.begin("sky")
        _ = spawns.ready(session: "1", voice: "sky")
        #expect(spawns.answered("sky", session: "2") == .open(session: "2"))
        _ = spawns.begin("sky")
        #expect(spawns.failed("sky") == .failed)
        #expect(!spawns.isSpawning("sky") && spawns.begin("sky"))
        _ = spawns.ready(session: "3", voice: "sky")
        #expect(spawns.failed("sky") == .nothing)
    }
}
