// Riff
// SPDX-License-Identifier: Apache-2.0

/// The hub's events of one session.
extension HubSessionMachine {
    /// The meaning of the agent's words for the person's answer.
    enum TextOutcome: Sendable {
        /// There is no outcome.
        case nothing
        /// The hub had the answer, and lost it.
        case lost(HubAnswers.Answer)
        /// The hub could not make words of what it was sent.
        case unheard
    }

    /// The treatment of a sound.
    enum SoundOutcome: Sendable {
        /// It will be heard.
        case taken
        /// It came before.
        case known
        /// It does not fit.
        case missed
    }

    /// The agent says something.
    mutating func hear(_ text: HubText, at now: Duration) -> TextOutcome {
        hearing.say(text)
        answers.speakOver()
        guard !text.isFireAndForget else { return .nothing }
        answers.withdraw()
        silence.withdraw()
        let isUnshown = answers.isOnItsWay
        turn.handle(.text, at: now)
        if let answer = answers.fail() { return .lost(answer) }
        // Agents of hubs with states may speak while the words are still being made.
        return turn.isUnheard && !isUnshown && !answers.isTranscribing ? .unheard : .nothing
    }

    /// A sound comes.
    ///
    /// - Parameters:
    ///   - audio: The sound.
    ///   - number: The clip's number.
    ///   - room: How many bytes fit beside what other sessions said.
    ///   - replies: How many texts of the agent there are.
    ///   - now: The time.
    /// - Returns: Its outcome.
    mutating func hear(_ audio: HubAudio, number: Int, room: Int, replies: Int, at now: Duration) -> SoundOutcome {
        let missed = speech.missed
        let isSame = hearing.sound()
        guard speech.append(audio, number: number, unlessRepeated: isSame, room: room) else {
            return speech.missed == missed ? .known : .missed
        }
        hearing.take(replies: replies)
        if !hearing.isFireAndForget {
            // The hub waits until it was played, and takes an answer then.
            answers.withdraw()
            silence.withdraw()
            turn.handle(.audio, at: now)
        }
        return .taken
    }

    /// The hub tells the words of an answer.
    mutating func understand(at now: Duration) {
        answers.confirm()
        answers.withdraw()
        speech.forgive()
        turn.handle(.userText, at: now)
    }

    /// The hub says what the session is doing.
    mutating func show(status text: String, at now: Duration) {
        session.statusText = text
        switch text {
        case "Speaking...": turn.handle(.speaking, at: now)
        case "Transcribing...":
            // Not the end of it: whoever makes words of an answer can still lose it.
            answers.transcribe(at: now)
            answers.withdraw()
            silence.withdraw()
            speech.forgive()
            isPending = false
            turn.handle(.transcribing, at: now)
        default: break
        }
    }

    /// The turn is over.
    mutating func finish(isProcessing: Bool?, at now: Duration) {
        speech.forgive()
        isPending = false
        turn.handle(isProcessing == true ? .thinking : .done, at: now)
        // There were no words in the answer, or they were told.
        if answers.isTranscribing { answers.confirm() }
        // Newer hubs do not say that they listen again after nothing was said; they do.
        if isProcessing == false, session.state == .idle { _ = answers.invite() } else { answers.withdraw() }
        silence.withdraw()
    }

    /// The hub tells a state.
    mutating func update(
        status: HubSession.State?,
        state: HubSession.State?,
        text: String?,
        at now: Duration
    ) {
        if let status { session.status = status }
        if let text { session.statusText = text }
        guard let state else { return }
        session.state = state
        answers.isPatient = true
        switch state {
        case .processing, .compacting:
            answers.withdraw()
            turn.handle(.thinking, at: now)
        case .idle:
            if turn.phase == .thinking { turn.handle(.rest, at: now) }
            _ = answers.invite()
        default: break
        }
    }

    /// The first list of a connection has it.
    ///
    /// - Parameters:
    ///   - listed: What the list says.
    ///   - now: The time.
    /// - Returns: Whether it does something in which nobody is listened to.
    mutating func resume(as listed: HubSession, at now: Duration) -> Bool {
        let isWorking = listed.state == .processing || listed.state == .compacting
        if listed.statusText == "Speaking..." || isWorking {
            // It may be about to listen; what it waits for until then was said to another client, or to this one.
            turn.handle(isWorking ? .thinking : .speaking, at: now)
            hearing.isRepeatDue = listed.statusText == "Speaking..."
            return true
        }
        speech.forgive()
        guard listed.statusText == "Transcribing..." else { return false }
        // Perhaps of an answer of this client, which it then has.
        answers.transcribe(at: now)
        turn.handle(.transcribing, at: now)
        return true
    }

    /// A list tells what is known of it; what was told since the list was asked for counts more.
    mutating func adopt(_ listed: HubSession, asOf asked: HubSequenceNumber, isOpen: Bool) {
        let known = session
        session = listed
        // Made anew under its id: the goodbye was the earlier one's.
        if isLeaving, let before = known.createdAt, let now = listed.createdAt, now != before { phase = .present }
        if asked < changed {
            session.status = known.status
            session.state = known.state
            session.statusText = known.statusText
        }
        if let unread = listed.unreadCount, !isOpen, asked > counted { self.unread = unread }
    }

    /// An answer is sent.
    mutating func answered(at now: Duration) {
        silence.withdraw()
        isPending = false
        turn.handle(.answered, at: now)
    }
}
