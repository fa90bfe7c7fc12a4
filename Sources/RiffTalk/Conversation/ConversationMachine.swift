// Riff
// SPDX-License-Identifier: Apache-2.0

package import RiffVoice

/// The rules of a hands-free conversation, without audio, network or clock: events in, effects out.
///
/// What there is (microphone, voice, keyboard, call) is kept beside what is wanted, and after each event one step is
/// made from one to the other. So the microphone is opened only where nothing is spoken or typed, and something is
/// spoken only where the microphone is closed, in whatever order things are reported. What an older turn or speech
/// still reports is ignored, by its number.
package struct ConversationMachine: Sendable {
    /// What happened.
    package enum Event: Sendable {
        /// The person wants to talk.
        case enter
        /// The person has finished.
        case exit
        /// The call stands, with audio.
        case callBegan
        /// The call could not be made.
        case callFailed(ConversationFailure)
        /// The call was ended from outside.
        case callEnded
        /// The call that was to be ended has.
        case callClosed
        /// Audio was taken away from the call, or is back.
        case audio(isActive: Bool)
        /// The audio session and the app let it hear and speak, or do not.
        case permitted(Bool)
        /// The microphone is open.
        case opened(turn: Int)
        /// Somebody speaks.
        case heard(turn: Int)
        /// The microphone is closed, and the rest is being recognized.
        case recognizing(turn: Int)
        /// The microphone is closed, and all of it was recognized; `nil` where nothing was said.
        case ended(turn: Int, Utterance?)
        /// The microphone could not be opened, or broke, and is closed.
        case failed(turn: Int, ConversationFailure)
        /// The wait after that is over.
        case waited(turn: Int)
        /// The text was typed and submitted, or could not be.
        case submitted(turn: Int, ConversationFailure?)
        /// No answer came in time.
        case answerIsLate(turn: Int)
        /// The agent said something.
        case answered(AgentAnswer)
        /// It was spoken, or could not be, or was broken off.
        case spoken(Int, at: Duration, ConversationFailure?)
        /// Somebody spoke into it.
        case interrupted(turn: Int)
        /// An agent asks for permission.
        case asked(ApprovalRequest)
        /// It does not ask any more.
        case withdrawn(ApprovalRequest.ID)
        /// The time to answer is over.
        case approvalIsLate(ApprovalRequest.ID, reading: Int)
    }

    /// What is to be done.
    package enum Effect: Sendable, Hashable {
        /// Make the call.
        case beginCall
        /// End the call.
        case endCall
        /// Open the microphone and recognize a turn. An armed one recognizes nothing before somebody speaks for long
        /// enough, or it is engaged.
        case open(turn: Int, isArmed: Bool)
        /// Recognize from now on.
        case engage(turn: Int)
        /// Close the microphone and forget what was heard.
        case close(turn: Int)
        /// Report when this time is over.
        case wait(turn: Int, Duration)
        /// Type a text and submit it.
        case submit(turn: Int, String)
        /// Report when this time is over.
        case awaitAnswer(turn: Int, Duration)
        /// Speak.
        case speak(Int, AgentAnswer.Content)
        /// Speak no more.
        case silence(Int)
        /// Report when this time is over.
        case awaitApproval(ApprovalRequest.ID, reading: Int, Duration)
        /// Tell the agent.
        case decide(ApprovalRequest.ID, SpokenApproval)
    }

    enum Call: Sendable { case none, beginning, active, ending, gone }
    enum Microphone: Sendable, Hashable {
        case closed
        case armed(Int)
        case open(Int, isLive: Bool, hasSpeech: Bool)
        case recognizing(Int)
        case closing(Int)
        /// It failed, and is tried again after a while.
        case waiting(Int)
    }
    enum Voice: Sendable, Hashable {
        case silent
        case speaking(Int, ApprovalRequest.ID?)
        case falling(Int)
    }

    private static let mostFailures = 3
    static let patience = Duration.seconds(1)

    let policy: ConversationPolicy
    /// Whether there are words for a yes and a no in the person's language.
    let asksByVoice: Bool
    var isActive = false
    var call = Call.none
    var hasCallAudio = false
    var isPermitted = true
    var hasAudio: Bool { hasCallAudio && isPermitted }
    var microphone = Microphone.closed
    var voice = Voice.silent
    /// The turn whose text is being typed.
    var submitting: Int?
    /// The turn whose answer is waited for with the microphone closed.
    var awaiting: Int?
    /// The newest answer that was not spoken yet.
    var answer: AgentAnswer?
    /// A question that is to be read.
    var question: ApprovalRequest?
    /// What was said and is to be submitted; it waits while a question is open.
    var postponed: (turn: Int, text: String)?
    /// The turn that was opened for an answer, and to which question. What is said in any other is no answer.
    var answering: (turn: Int, id: ApprovalRequest.ID)?
    var approvals: SpokenApprovalMachine
    var lastTurn = 0
    var lastSpeech = 0
    var failures = 0

    /// How many turns were submitted.
    package private(set) var turns = 0
    /// What went wrong last; gone with the next turn that is submitted.
    package internal(set) var failure: ConversationFailure?

    /// A machine at rest.
    package init(_ policy: ConversationPolicy = ConversationPolicy()) {
        let rules = SpokenAnswerRules(SpokenLanguage(tag: policy.language))
        self.policy = policy
        asksByVoice = rules.hasWords
        approvals = SpokenApprovalMachine(policy.approvals, rules: rules)
    }

    /// Takes an event.
    ///
    /// - Returns: What is to be done, in this order.
    package mutating func handle(_ event: Event) -> [Effect] {
        var effects = take(event)
        // Each step may make the next one possible.
        while case let step = settle(), !step.isEmpty { effects += step }
        return effects
    }

    private mutating func take(_ event: Event) -> [Effect] {
        switch event {
        case .enter: enter()
        case .exit: isActive = false
        case .callBegan, .callFailed, .callEnded, .callClosed: follow(event)
        case .audio(let isActive): hasCallAudio = isActive
        case .permitted(let isPermitted): self.isPermitted = isPermitted
        case .opened, .heard, .recognizing, .interrupted: return hear(event)
        case .ended(let turn, let utterance): return end(turn, utterance)
        case .failed(let turn, let failure): return fail(turn, failure)
        case .waited(let turn): if microphone == .waiting(turn) { microphone = .closed }
        case .submitted(let turn, let failure): return submitted(turn, failure)
        case .answerIsLate(let turn): if awaiting == turn { awaiting = nil }
        case .answered(let answer): take(answer)
        case .spoken(let speech, let time, let failure): return spoken(speech, time, failure)
        case .asked, .withdrawn, .approvalIsLate: return ask(event)
        }
        return []
    }

    private mutating func enter() {
        guard !isActive else { return }
        (isActive, failures, failure, turns) = (true, 0, nil, 0)
    }

    private mutating func follow(_ event: Event) {
        switch (event, call) {
        case (.callBegan, .beginning): (call, hasCallAudio) = (.active, true)
        case (.callFailed(let failure), .beginning): (call, isActive, self.failure) = (.none, false, failure)
        case (.callEnded, .active): (call, isActive) = (.gone, false)
        case (.callClosed, .ending): call = .none
        default: break
        }
    }

    private mutating func take(_ answer: AgentAnswer) {
        guard isActive else { return }
        self.answer = answer
        awaiting = nil
    }

    // MARK: Turns

    private mutating func hear(_ event: Event) -> [Effect] {
        switch (event, microphone) {
        case (.opened(let turn), .open(let current, _, let hasSpeech)) where turn == current:
            microphone = .open(turn, isLive: true, hasSpeech: hasSpeech)
            failures = 0
        case (.heard(let turn), .open(let current, _, _)) where turn == current:
            microphone = .open(turn, isLive: true, hasSpeech: true)
        case (.recognizing(let turn), .open(let current, _, _)) where turn == current:
            microphone = .recognizing(turn)
        case (.interrupted(let turn), .armed(let current)) where turn == current:
            microphone = .open(turn, isLive: true, hasSpeech: true)
            guard case .speaking(let speech, _) = voice else { return [] }
            voice = .falling(speech)
            return [.silence(speech)]
        default: break
        }
        return []
    }

    private mutating func end(_ turn: Int, _ utterance: Utterance?) -> [Effect] {
        guard close(turn) else { return [] }
        // What was said into a microphone that was being closed was not meant.
        guard isActive, let utterance else { return [] }
        guard let (own, id) = answering, own == turn else {
            let text = policy.dictation.text(for: Transcript(text: utterance.text))
            if let text { postponed = (turn, text) }
            return []
        }
        // An answer to what is not asked any more is neither one to the next question nor a prompt.
        guard approvals.request?.id == id else { return [] }
        return carryOut(approvals.handle(.heard(utterance.text, began: utterance.began)))
    }

    private mutating func fail(_ turn: Int, _ failure: ConversationFailure) -> [Effect] {
        guard close(turn), isActive else { return [] }
        self.failure = failure
        failures += 1
        guard failures < Self.mostFailures else {
            isActive = false
            return []
        }
        microphone = .waiting(turn)
        return [.wait(turn: turn, Self.patience * failures)]
    }

    /// - Returns: Whether it was this turn's, and was not being closed.
    private mutating func close(_ turn: Int) -> Bool {
        switch microphone {
        case .open(turn, _, _), .recognizing(turn), .armed(turn):
            microphone = .closed
            return true
        case .closing(turn):
            microphone = .closed
            return false
        default: return false
        }
    }

    private mutating func submitted(_ turn: Int, _ failure: ConversationFailure?) -> [Effect] {
        guard submitting == turn else { return [] }
        submitting = nil
        self.failure = failure
        guard failure == nil else { return [] }
        turns += 1
        guard isActive, answer == nil, policy.answerTime > .zero else { return [] }
        awaiting = turn
        return [.awaitAnswer(turn: turn, policy.answerTime)]
    }
}
