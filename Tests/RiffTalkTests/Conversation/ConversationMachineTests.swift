// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffTalk
import RiffVoice
import Testing

struct ConversationMachineTests {
    typealias Machine = ConversationMachine

    private static let said = Utterance("fix the test", began: .seconds(1))
    private static let answer = AgentAnswer(time: 1, .prose("It is fixed."))
    private static let request = ApprovalRequest(id: .init(rawValue: "1"), question: "May I run make?")

    /// A machine whose microphone is open in turn 1.
    private static func listening(_ policy: ConversationPolicy = ConversationPolicy()) -> Machine {
        var machine = Machine(policy)
        _ = machine.handle(.enter)
        _ = machine.handle(.callBegan)
        _ = machine.handle(.opened(turn: 1))
        return machine
    }

    /// N9: the loop.
    @Test func `speak, submit, hear the answer with the microphone closed, speak again`() {
        var machine = Machine()
        #expect(machine.handle(.enter) == [.beginCall])
        #expect(machine.handle(.enter) == [])
        #expect(machine.handle(.callBegan) == [.open(turn: 1, isArmed: false)])
        #expect(machine.phase == .listening(isLive: false, hasSpeech: false))
        #expect(machine.handle(.opened(turn: 1)) == [])
        #expect(machine.handle(.heard(turn: 1)) == [])
        #expect(machine.phase == .listening(isLive: true, hasSpeech: true))
        #expect(machine.handle(.recognizing(turn: 1)) == [])
        #expect(machine.phase == .recognizing)
        #expect(machine.handle(.ended(turn: 1, Self.said)) == [.submit(turn: 1, "fix the test ")])
        #expect(machine.phase == .submitting)
        #expect(machine.handle(.submitted(turn: 1, nil)) == [.awaitAnswer(turn: 1, .seconds(60))])
        #expect(machine.phase == .waiting)
        #expect(machine.handle(.answered(Self.answer)) == [.speak(1, .prose("It is fixed."))])
        #expect(machine.phase == .speaking)
        #expect(machine.handle(.spoken(1, at: .seconds(9), nil)) == [.open(turn: 2, isArmed: false)])
        #expect(machine.handle(.exit) == [.close(turn: 2)])
        #expect(machine.phase == .ending)
        #expect(machine.handle(.ended(turn: 2, Self.said)) == [.endCall], "what was being said is forgotten")
        #expect(machine.handle(.callClosed) == [])
        #expect(machine.phase == .idle && machine.isAtRest)
        #expect(machine.turns == 1)
    }

    @Test func `an answer that is late opens the microphone, and closes it when it comes, unless somebody speaks`() {
        var machine = Self.listening()
        _ = machine.handle(.ended(turn: 1, Self.said))
        _ = machine.handle(.submitted(turn: 1, nil))
        #expect(machine.handle(.answerIsLate(turn: 1)) == [.open(turn: 2, isArmed: false)])
        var talking = machine
        #expect(machine.handle(.answered(Self.answer)) == [.close(turn: 2)])
        #expect(machine.handle(.ended(turn: 2, nil)) == [.speak(1, Self.answer.content)])
        _ = talking.handle(.opened(turn: 2))
        _ = talking.handle(.heard(turn: 2))
        #expect(talking.handle(.answered(Self.answer)) == [])
        // Who speaks on has heard enough of what was before.
        #expect(talking.handle(.ended(turn: 2, Self.said)) == [.submit(turn: 2, "fix the test ")])
        #expect(talking.handle(.submitted(turn: 2, nil)) == [.awaitAnswer(turn: 2, .seconds(60))])
    }

    @Test func `silence, noise and a stray word of the engine submit nothing`() {
        var machine = Self.listening()
        #expect(machine.handle(.ended(turn: 1, nil)) == [.open(turn: 2, isArmed: false)])
        #expect(machine.handle(.ended(turn: 2, Utterance("  ", began: .zero))) == [.open(turn: 3, isArmed: false)])
        #expect(machine.handle(.ended(turn: 2, Self.said)) == [])
        #expect(machine.turns == 0)
    }

    /// N17, and a microphone that is not there.
    @Test func `a microphone that fails is tried again, and given up after three times`() {
        let failure = ConversationFailure(VoiceError(.audioSourceHasNoFormat, "0 Hz", recovery: .retry))
        var machine = Self.listening()
        #expect(machine.handle(.failed(turn: 1, failure)) == [.wait(turn: 1, .seconds(1))])
        #expect(machine.failure == failure && machine.phase == .interrupted)
        #expect(machine.handle(.waited(turn: 1)) == [.open(turn: 2, isArmed: false)])
        #expect(machine.handle(.failed(turn: 2, failure)) == [.wait(turn: 2, .seconds(2))])
        #expect(machine.handle(.waited(turn: 2)) == [.open(turn: 3, isArmed: false)])
        #expect(machine.handle(.failed(turn: 3, failure)) == [.endCall])
        #expect(machine.handle(.callClosed) == [])
        #expect(machine.isAtRest && machine.failure == failure)
    }

    /// N12: the car's button, another call.
    @Test func `a call that ends takes everything with it, and audio that is taken away everything but the call`() {
        var machine = Self.listening()
        var gone = machine
        #expect(gone.handle(.callEnded) == [.close(turn: 1)])
        #expect(gone.handle(.ended(turn: 1, nil)) == [])
        #expect(gone.isAtRest)
        #expect(machine.handle(.audio(isActive: false)) == [.close(turn: 1)])
        #expect(machine.handle(.ended(turn: 1, nil)) == [])
        #expect(machine.phase == .interrupted)
        #expect(machine.handle(.audio(isActive: true)) == [.open(turn: 2, isArmed: false)])
    }

    @Test func `a text that could not be typed is told with its words, and the person may say it again`() {
        var machine = Self.listening()
        _ = machine.handle(.ended(turn: 1, Self.said))
        let failure = ConversationFailure(VoiceError(.audioSinkFailed, "x"), text: "fix the test ")
        #expect(machine.handle(.submitted(turn: 1, failure)) == [.open(turn: 2, isArmed: false)])
        #expect(machine.failure?.text == "fix the test " && machine.turns == 0)
    }

    // MARK: Barge-in

    @Test func `speaking into an answer breaks it off, and the same capture becomes the turn`() {
        var machine = Self.listening(ConversationPolicy(bargeIn: BargeInPolicy()))
        #expect(machine.handle(.answered(Self.answer)) == [.close(turn: 1)])
        let spoken = machine.handle(.ended(turn: 1, nil))
        #expect(spoken == [.speak(1, Self.answer.content), .open(turn: 2, isArmed: true)])
        var quiet = machine
        #expect(machine.handle(.interrupted(turn: 2)) == [.silence(1)])
        #expect(machine.phase == .listening(isLive: true, hasSpeech: true))
        #expect(machine.handle(.spoken(1, at: .zero, nil)) == [])
        #expect(machine.handle(.ended(turn: 2, Self.said)) == [.submit(turn: 2, "fix the test ")])
        #expect(quiet.handle(.spoken(1, at: .zero, nil)) == [.engage(turn: 2)])
        #expect(quiet.phase == .listening(isLive: true, hasSpeech: false))
    }

    // MARK: Approvals

    @Test func `a question is read with the microphone closed, heard to its end, and answered in a turn of its own`() {
        var machine = Self.listening(ConversationPolicy(bargeIn: BargeInPolicy()))
        #expect(machine.handle(.asked(Self.request)) == [.close(turn: 1)])
        #expect(machine.handle(.ended(turn: 1, nil)) == [.speak(1, .prose("May I run make?"))], "not to be broken off")
        #expect(machine.phase == .asking)
        let id = Self.request.id
        #expect(
            machine.handle(.spoken(1, at: .seconds(5), nil)) == [
                .awaitApproval(id, reading: 1, .seconds(20)), .open(turn: 2, isArmed: false),
            ]
        )
        _ = machine.handle(.opened(turn: 2))
        _ = machine.handle(.heard(turn: 2))
        // Whoever is speaking when the time is over is heard out.
        #expect(machine.handle(.approvalIsLate(id, reading: 1)) == [.awaitApproval(id, reading: 1, .seconds(1))])
        let yes = machine.handle(.ended(turn: 2, Utterance("yes", began: .seconds(6))))
        #expect(yes == [.decide(id, .allowedOnce), .open(turn: 3, isArmed: false)])
    }

    @Test func `what was being said when a question came up is no answer to it, and is submitted after it`() {
        var machine = Self.listening()
        _ = machine.handle(.heard(turn: 1))
        #expect(machine.handle(.asked(Self.request)) == [])
        let read = machine.handle(.ended(turn: 1, Utterance("yes", began: .zero)))
        #expect(read == [.speak(1, .prose("May I run make?"))])
        _ = machine.handle(.spoken(1, at: .seconds(5), nil))
        let no = machine.handle(.ended(turn: 2, Utterance("no", began: .seconds(6))))
        #expect(no == [.decide(Self.request.id, .denied), .submit(turn: 1, "yes ")])
    }

    @Test func `a turn that broke an answer off is no answer to a question that came up meanwhile`() {
        var machine = Self.listening(ConversationPolicy(bargeIn: BargeInPolicy()))
        _ = machine.handle(.answered(Self.answer))
        _ = machine.handle(.ended(turn: 1, nil))
        #expect(machine.handle(.asked(Self.request)) == [])
        #expect(machine.handle(.interrupted(turn: 2)) == [.silence(1)])
        _ = machine.handle(.spoken(1, at: .seconds(1), nil))
        let read = machine.handle(.ended(turn: 2, Utterance("don't touch the config", began: .zero)))
        #expect(read == [.speak(2, .prose("May I run make?"))], "nobody has heard it yet")
        _ = machine.handle(.spoken(2, at: .seconds(5), nil))
        let yes = machine.handle(.ended(turn: 3, Utterance("yes", began: .seconds(6))))
        #expect(yes == [.decide(Self.request.id, .allowedOnce), .submit(turn: 2, "don't touch the config ")])
    }

    @Test func `an answer to what is not asked any more is none to the next question, and no prompt`() {
        var machine = Self.listening()
        let next = ApprovalRequest(id: .init(rawValue: "2"), question: "May I push?")
        _ = machine.handle(.asked(Self.request))
        _ = machine.handle(.asked(next))
        _ = machine.handle(.ended(turn: 1, nil))
        _ = machine.handle(.spoken(1, at: .seconds(5), nil))
        _ = machine.handle(.heard(turn: 2))
        #expect(machine.handle(.withdrawn(Self.request.id)) == [])
        for words in ["yes", "no"] {
            var machine = machine
            let read = machine.handle(.ended(turn: 2, Utterance(words, began: .seconds(6))))
            #expect(read == [.speak(2, .prose("May I push?"))])
        }
    }

    @Test func `an unclear answer is asked for again, and the end of the conversation leaves the question open`() {
        var machine = Self.listening()
        _ = machine.handle(.asked(Self.request))
        _ = machine.handle(.ended(turn: 1, nil))
        _ = machine.handle(.spoken(1, at: .seconds(5), nil))
        let hm = machine.handle(.ended(turn: 2, Utterance("the second one", began: .seconds(6))))
        #expect(hm == [.speak(2, .prose("May I run make?"))])
        #expect(machine.handle(.exit) == [.silence(2), .decide(Self.request.id, .pending)])
        #expect(machine.handle(.spoken(2, at: .seconds(7), nil)) == [.endCall])
        #expect(machine.handle(.asked(Self.request)) == [.decide(Self.request.id, .pending)], "nobody listens")
    }

    // MARK: Any order

    /// The fourth of the four is barge-in.
    @Test(arguments: 0..<4)
    func `no order of events opens two captures, captures while speaking, submits what nobody said or ends half`(
        _ kind: Int
    ) {
        var policy = ConversationPolicy(answerTime: kind == 1 ? .zero : .seconds(60))
        if kind == 2 { policy.approvals.unanswered = .pending }
        if kind == 3 { policy.bargeIn = BargeInPolicy() }
        var counts: [String: Int] = [:]
        for seed in 0..<5_000 {
            var world = ConversationWorld(policy, seed: UInt64(seed * 4 + kind))
            world.live(for: 80)
            counts.merge(world.counts, uniquingKeysWith: +)
            guard world.faults.isEmpty else {
                Issue.record("seed \(seed * 4 + kind): \(world.faults.prefix(5))")
                return
            }
        }
        // The test reaches what it is about.
        for effect in ["open", "close", "submit", "speak", "silence", "decide", "endCall", "wait"] {
            #expect(counts[effect, default: 0] > 1_000, "\(effect): \(counts)")
        }
        if kind == 3 { #expect(counts["engage", default: 0] > 1_000) }
    }
}
