// Riff
// SPDX-License-Identifier: Apache-2.0

extension ConversationMachine {
    /// The phase as a front end shows it.
    package var phase: ConversationSnapshot.Phase {
        guard isActive, call != .gone else { return isAtRest ? .idle : .ending }
        guard call == .active else { return .connecting }
        switch voice {
        case .speaking(_, .some): return .asking
        case .speaking(_, nil): return .speaking
        case .silent, .falling: break
        }
        if submitting != nil { return .submitting }
        switch microphone {
        case .open(_, let isLive, let hasSpeech): return .listening(isLive: isLive, hasSpeech: hasSpeech)
        case .recognizing: return .recognizing
        case .waiting: return .interrupted
        case .closed, .closing, .armed: return hasAudio ? .waiting : .interrupted
        }
    }

    /// Whether nothing is open, spoken, typed or asked.
    package var isAtRest: Bool {
        !isActive && call == .none && microphone == .closed && voice == .silent && submitting == nil
            && approvals.request == nil
    }
}
