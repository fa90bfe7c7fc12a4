// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffTalk
import RiffTesting
import RiffVoice

/// What the effects of a conversation do, so that what must never be is seen: a microphone, a voice and a keyboard that
/// take their time, and a person, an agent and a system that do what they like.
struct ConversationWorld {
    typealias Machine = ConversationMachine

    private let bargesIn: Bool
    private var machine: Machine
    private var generator: SeededGenerator
    private var time = Duration.zero
    private var isCalling = false
    private var isHangingUp = false
    /// Microphones that are open, and whether somebody spoke into them.
    private var microphones: [Int: Bool] = [:]
    private var voices: Set<Int> = []
    private var keyboards: Set<Int> = []
    private var timers: [Machine.Event] = []
    private var utterances: [Int: String] = [:]
    private var submitted: Set<Int> = []
    private var asked: Set<ApprovalRequest.ID> = []
    private var number = 0
    /// What must not be, if it was.
    private(set) var faults: [String] = []
    private(set) var counts: [String: Int] = [:]

    init(_ policy: ConversationPolicy, seed: UInt64) {
        bargesIn = policy.bargeIn != nil
        machine = Machine(policy)
        generator = SeededGenerator(seed: seed)
    }

    /// Lets as many things happen, then ends the conversation and everything that is going on.
    mutating func live(for steps: Int) {
        for _ in 0..<steps {
            time += .milliseconds(Int.random(in: 0...700, using: &generator))
            happen()
        }
        send(.exit)
        for _ in 0..<200 where !machine.isAtRest { complete() }
        if !machine.isAtRest { faults.append("it does not come to rest: \(machine.phase)") }
        if !microphones.isEmpty || !voices.isEmpty || !keyboards.isEmpty || isCalling {
            faults.append("something is left: \(microphones) \(voices) \(keyboards) \(isCalling)")
        }
        if !asked.isEmpty { faults.append("a question is left: \(asked)") }
    }

    private mutating func happen() {
        switch Int.random(in: 0..<100, using: &generator) {
        case 0..<6: send(.enter)
        case 6..<8: send(.exit)
        case 8..<9 where isCalling && !isHangingUp && !pendingCall:
            isCalling = false
            send(.callEnded)
        case 9..<13: send(.audio(isActive: Bool.random(using: &generator)))
        case 13..<20:
            number += 1
            send(.answered(AgentAnswer(time: Double(number), .prose("answer \(number)"))))
        case 20..<26:
            number += 1
            let request = ApprovalRequest(id: .init(rawValue: "\(number)"), question: "may I?")
            asked.insert(request.id)
            send(.asked(request))
        case 26..<28:
            guard let id = asked.randomElement(using: &generator) else { return }
            asked.remove(id)
            send(.withdrawn(id))
        case 28..<34: stale()
        default: complete()
        }
    }

    /// What an older turn, speech or timer still tells.
    private mutating func stale() {
        let old = Int.random(in: 0...20, using: &generator)
        guard microphones[old] == nil, !voices.contains(old), !keyboards.contains(old) else { return }
        let failure = ConversationFailure(VoiceError(.audioSourceFailed, "x"))
        let events: [Machine.Event] = [
            .opened(turn: old), .heard(turn: old), .recognizing(turn: old), .interrupted(turn: old),
            .ended(turn: old, Utterance("stale", began: time)), .failed(turn: old, failure), .waited(turn: old),
            .submitted(turn: old, nil), .answerIsLate(turn: old), .spoken(old, at: time, nil),
            .approvalIsLate(.init(rawValue: "\(old)"), reading: 1), .callFailed(failure),
        ]
        // A call that is being made may fail; that is no stale news.
        guard let event = events.randomElement(using: &generator) else { return }
        if case .callFailed = event, isCalling { return }
        if case .callFailed = event, machine.phase == .connecting { return }
        if case .waited(let turn) = event, turn >= 0 { timers.append(event) } else { send(event) }
    }

    /// Something that was begun goes on, or comes to its end.
    private mutating func complete() {
        time += .milliseconds(100)
        var deeds: [(inout ConversationWorld) -> Void] = []
        if pendingCall { deeds.append { $0.answerCall() } }
        if isHangingUp { deeds.append { $0.hangUp() } }
        for turn in microphones.keys { deeds.append { $0.listen(turn) } }
        for voice in voices { deeds.append { $0.fallSilent(voice) } }
        for turn in keyboards { deeds.append { $0.type(turn) } }
        if !timers.isEmpty { deeds.append { $0.send($0.timers.removeFirst()) } }
        deeds.randomElement(using: &generator)?(&self)
    }

    private var pendingCall = false

    private mutating func answerCall() {
        pendingCall = false
        guard Int.random(in: 0..<10, using: &generator) > 0 else {
            isCalling = false
            return send(.callFailed(ConversationFailure(VoiceError(.audioSessionFailed, "x"))))
        }
        send(.callBegan)
    }

    private mutating func hangUp() {
        (isHangingUp, isCalling) = (false, false)
        send(.callClosed)
    }

    private mutating func listen(_ turn: Int) {
        let texts = ["fix the test", "yes", "no", "and then", "", "go ahead"]
        switch Int.random(in: 0..<12, using: &generator) {
        case 0..<3: send(.opened(turn: turn))
        case 3..<6:
            microphones[turn] = true
            send(.heard(turn: turn))
        case 6: if bargesIn { send(.interrupted(turn: turn)) }
        case 7: send(.recognizing(turn: turn))
        case 8:
            microphones[turn] = nil
            send(.failed(turn: turn, ConversationFailure(VoiceError(.audioSourceFailed, "x"))))
        default:
            let hasSpoken = microphones.removeValue(forKey: turn) == true
            let text = hasSpoken ? texts.randomElement(using: &generator) ?? "" : ""
            utterances[turn] = text
            send(.ended(turn: turn, text.isEmpty ? nil : Utterance(text, began: time)))
        }
    }

    private mutating func fallSilent(_ voice: Int) {
        voices.remove(voice)
        let isFailed = Int.random(in: 0..<8, using: &generator) == 0
        let failure = isFailed ? ConversationFailure(VoiceError(.audioSinkFailed, "x")) : nil
        send(.spoken(voice, at: time, failure))
    }

    private mutating func type(_ turn: Int) {
        keyboards.remove(turn)
        let isFailed = Int.random(in: 0..<8, using: &generator) == 0
        send(.submitted(turn: turn, isFailed ? ConversationFailure(VoiceError(.audioSinkFailed, "x")) : nil))
    }

    private mutating func send(_ event: Machine.Event) {
        for effect in machine.handle(event) { perform(effect) }
    }

    private mutating func fault(_ text: String, _ effect: Machine.Effect) { faults.append("\(text): \(effect)") }

    private mutating func perform(_ effect: Machine.Effect) {
        counts[String("\(effect)".prefix { $0 != "(" }), default: 0] += 1
        switch effect {
        case .beginCall:
            if isCalling { fault("a second call", effect) }
            (isCalling, pendingCall) = (true, true)
        case .endCall:
            if !isCalling || isHangingUp { fault("no call to end", effect) }
            if !microphones.isEmpty || !voices.isEmpty || !keyboards.isEmpty { fault("not released", effect) }
            isHangingUp = true
        case .open(let turn, let isArmed):
            if !microphones.isEmpty { fault("two captures", effect) }
            if !keyboards.isEmpty { fault("a capture while typing", effect) }
            if isArmed ? !bargesIn || voices.isEmpty : !voices.isEmpty { fault("a capture while speaking", effect) }
            if !isCalling { fault("a capture without a call", effect) }
            microphones[turn] = false
        case .engage(let turn): if microphones[turn] == nil || !voices.isEmpty { fault("nothing to engage", effect) }
        case .close(let turn): if microphones[turn] == nil { fault("nothing to close", effect) }
        case .submit(let turn, let text):
            if !voices.isEmpty || !microphones.isEmpty { fault("typing while open or speaking", effect) }
            if utterances[turn].map({ $0 + " " }) != text { fault("nobody said that", effect) }
            if !submitted.insert(turn).inserted { fault("submitted twice", effect) }
            keyboards.insert(turn)
        case .speak(let voice, _):
            if !voices.isEmpty { fault("two voices", effect) }
            if !microphones.isEmpty { fault("speaking into an open microphone", effect) }
            voices.insert(voice)
        case .silence(let voice): if !voices.contains(voice) { fault("nothing to silence", effect) }
        case .decide(let id, _): if asked.remove(id) == nil { fault("decided twice, or not asked", effect) }
        case .wait(let turn, _): timers.append(.waited(turn: turn))
        case .awaitAnswer(let turn, _): timers.append(.answerIsLate(turn: turn))
        case .awaitApproval(let id, let reading, _): timers.append(.approvalIsLate(id, reading: reading))
        }
    }
}
