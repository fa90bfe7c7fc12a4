// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffVoice

extension ConversationMachine {
    /// One step from what there is to what is wanted; nothing where it must be waited.
    mutating func settle() -> [Effect] {
        guard isActive else { return leave() }
        switch call {
        case .none:
            call = .beginning
            return [.beginCall]
        case .beginning, .ending: return release()
        case .gone:
            let effects = release()
            guard effects.isEmpty, isReleased else { return effects }
            call = .beginning
            return [.beginCall]
        case .active: break
        }
        guard hasAudio else { return release() }
        if case .armed = microphone { return settleArmed() }
        if let speech = nextSpeech { return prepare(speech) }
        guard voice == .silent, submitting == nil, microphone == .closed else { return [] }
        if let (turn, text) = postponed, approvals.request == nil { return submit(turn, text) }
        // A question is answered at once.
        guard awaiting == nil || approvals.request != nil else { return [] }
        lastTurn += 1
        microphone = .open(lastTurn, isLive: false, hasSpeech: false)
        answering = approvals.request.map { (lastTurn, $0.id) }
        return [.open(turn: lastTurn, isArmed: false)]
    }

    private var nextSpeech: (content: AgentAnswer.Content, id: ApprovalRequest.ID?)? {
        if let question { return (.prose(question.question), question.id) }
        guard approvals.request == nil else { return nil }
        return answer.map { ($0.content, nil) }
    }

    /// What is to be spoken waits for whoever is speaking, and closes a microphone into which nobody speaks.
    private mutating func prepare(_ speech: (content: AgentAnswer.Content, id: ApprovalRequest.ID?)) -> [Effect] {
        switch microphone {
        case .open(let turn, _, hasSpeech: false):
            microphone = .closing(turn)
            return [.close(turn: turn)]
        case .waiting: microphone = .closed
        case .open, .recognizing, .closing, .armed: return []
        case .closed: break
        }
        // What was said is submitted first, and makes an older answer old news.
        if let (turn, text) = postponed, voice == .silent, submitting == nil, approvals.request == nil {
            answer = nil
            return submit(turn, text)
        }
        guard voice == .silent, submitting == nil else { return [] }
        if speech.id == nil { answer = nil } else { question = nil }
        awaiting = nil
        lastSpeech += 1
        voice = .speaking(lastSpeech, speech.id)
        let speak = Effect.speak(lastSpeech, speech.content)
        // A question is heard to its end: nobody knows before what is asked.
        guard policy.bargeIn != nil, speech.id == nil else { return [speak] }
        lastTurn += 1
        microphone = .armed(lastTurn)
        return [speak, .open(turn: lastTurn, isArmed: true)]
    }

    private mutating func settleArmed() -> [Effect] {
        guard case .armed(let turn) = microphone, voice == .silent else { return [] }
        if nextSpeech != nil {
            microphone = .closing(turn)
            return [.close(turn: turn)]
        }
        microphone = .open(turn, isLive: true, hasSpeech: false)
        return [.engage(turn: turn)]
    }

    private mutating func submit(_ turn: Int, _ text: String) -> [Effect] {
        (postponed, submitting) = (nil, turn)
        return [.submit(turn: turn, text)]
    }

    /// Ends everything, then the call.
    private mutating func leave() -> [Effect] {
        let effects = release()
        (awaiting, answer, question, postponed) = (nil, nil, nil, nil)
        guard effects.isEmpty else { return effects }
        if let request = approvals.request {
            // Nobody is left to be asked by voice.
            _ = approvals.handle(.withdrawn(request.id))
            return [.decide(request.id, .pending)]
        }
        guard isReleased else { return [] }
        switch call {
        case .active:
            call = .ending
            return [.endCall]
        case .gone: call = .none
        case .none, .beginning, .ending: break
        }
        return []
    }

    private var isReleased: Bool { microphone == .closed && voice == .silent && submitting == nil }

    private mutating func release() -> [Effect] {
        var effects: [Effect] = []
        switch microphone {
        case .open(let turn, _, _), .recognizing(let turn), .armed(let turn):
            microphone = .closing(turn)
            effects.append(.close(turn: turn))
        case .waiting: microphone = .closed
        case .closed, .closing: break
        }
        if case .speaking(let speech, _) = voice {
            voice = .falling(speech)
            effects.append(.silence(speech))
        }
        return effects
    }
}
