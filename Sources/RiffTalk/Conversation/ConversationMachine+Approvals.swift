// Riff
// SPDX-License-Identifier: Apache-2.0

/// What becomes of a request for permission that was asked by voice.
public enum SpokenApproval: Sendable, Hashable {
    /// It is allowed, this once.
    case allowedOnce
    /// It is denied.
    case denied
    /// It stays open, to be answered by hand.
    case pending
}

extension ConversationMachine {
    mutating func ask(_ event: Event) -> [Effect] {
        switch event {
        case .asked(let request):
            guard isActive, asksByVoice else { return [.decide(request.id, .pending)] }
            return carryOut(approvals.handle(.asked(request)))
        case .withdrawn(let id): return carryOut(approvals.handle(.withdrawn(id)))
        case .approvalIsLate(let id, let reading):
            // Somebody is speaking: what they say decides.
            switch microphone {
            case .open(_, _, hasSpeech: true), .recognizing:
                return [.awaitApproval(id, reading: reading, Self.patience)]
            case .open, .closed, .armed, .closing, .waiting: break
            }
            return carryOut(approvals.handle(.timeIsOver(id, reading: reading)))
        default: return []
        }
    }

    mutating func spoken(_ speech: Int, _ time: Duration, _ failure: ConversationFailure?) -> [Effect] {
        switch voice {
        case .speaking(speech, let id):
            voice = .silent
            if let failure { self.failure = failure }
            guard let id else { return [] }
            return carryOut(approvals.handle(failure == nil ? .readOut(id, at: time) : .readingFailed(id)))
        case .falling(speech): voice = .silent
        default: break
        }
        return []
    }

    mutating func carryOut(_ effects: [SpokenApprovalMachine.Effect]) -> [Effect] {
        effects.flatMap { effect -> [Effect] in
            switch effect {
            case .read(let request):
                question = request
                return []
            case .stopReading(let id):
                if question?.id == id { question = nil }
                guard case .speaking(let speech, id) = voice else { return [] }
                voice = .falling(speech)
                return [.silence(speech)]
            case .listen(let id, let reading, let time): return [.awaitApproval(id, reading: reading, time)]
            case .allowOnce(let id): return decide(id, .allowedOnce)
            case .deny(let id): return decide(id, .denied)
            case .leavePending(let id): return decide(id, .pending)
            }
        }
    }

    private mutating func decide(_ id: ApprovalRequest.ID, _ decision: SpokenApproval) -> [Effect] {
        if question?.id == id { question = nil }
        return [.decide(id, decision)]
    }
}
