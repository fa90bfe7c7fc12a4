// Riff
// SPDX-License-Identifier: Apache-2.0

/// One session by its own rules: what is known of it, what it said and what it was answered. A value; what concerns
/// more than one session, the connection, the histories and the microphone is the ``HubMachine``'s.
struct HubSessionMachine: Sendable {
    /// The phase of a session between its beginning and its end.
    enum Phase: Sendable, Hashable {
        /// The hub has it.
        case present
        /// The agent said goodbye: it is ended once that was heard.
        case leaving(Ending)
        /// The hub has it no more; it stays while something of it was not heard.
        case gone
    }

    /// The progress of a session's end after its agent said goodbye.
    enum Ending: Sendable, Hashable {
        /// The hub is to be asked for it once all was heard.
        case due
        /// The hub was asked.
        case asked
        /// The hub was asked, and has not ended it.
        case missed
    }

    var session: HubSession
    var phase = Phase.present
    var turn = HubTurn()
    var speech = HubSpeechQueue()
    var answers = HubAnswers()
    var silence = HubSilence()
    var hearing = HubHearing()
    /// The number of messages that were not seen.
    var unread = 0
    /// Whether it is known to be ready, whatever an older list says.
    var isReady: Bool
    /// Until when the history may still tell what became of an answer.
    var uncertainUntil: Duration?
    /// Whether the hub listens to it while it is not open.
    var isPending = false
    /// The machine's sequence number when the session's state was last reported.
    private(set) var changed = HubSequenceNumber.zero
    /// The machine's sequence number when the user read, or was not there to read.
    var counted = HubSequenceNumber.zero
    /// The machine's sequence number when the session was first seen.
    let seen: HubSequenceNumber

    init(_ session: HubSession, seen: HubSequenceNumber) {
        self.session = session
        self.seen = seen
        isReady = session.isReady
    }

    /// Whether the hub has told which voice it has.
    var isKnown: Bool { !session.voice.isEmpty }
    /// The key that its history is kept under.
    var historyKey: HubVoice.ID { isKnown ? session.voice : session.id.asVoice }
    /// Whether the hub has it no more.
    var isGone: Bool { phase == .gone }
    /// Whether its agent said goodbye.
    var isLeaving: Bool { if case .leaving = phase { true } else { false } }

    /// The nearest deadline of its parts.
    var deadline: Duration? { [turn.deadline, answers.deadline, uncertainUntil].lazy.compactMap(\.self).min() }

    /// Whether there may be something to do at any event, whatever it is about.
    var isBusy: Bool {
        !answers.isEmpty || uncertainUntil != nil || hearing.isRepeatDue || phase != .present
    }

    /// A message names it.
    ///
    /// - Parameters:
    ///   - place: How far the machine is.
    ///   - endsText: Whether the message comes between two texts that are the same.
    mutating func mention(_ place: HubSequenceNumber, endsText: Bool) {
        changed = place
        if endsText { hearing.isAfterText = false }
    }

    /// The connection is gone: the hub's half of everything is unknown, the person's half stays.
    mutating func lose(at now: Duration) {
        turn.handle(.lost, at: now)
        answers.lose(at: now)
        silence.withdraw()
        if isLeaving { phase = .leaving(.due) }
        hearing.lose(isOwed: speech.owesPlaybackDone || speech.isDoneUnconfirmed)
        uncertainUntil = nil
    }

    // MARK: Its end

    /// The agent says goodbye.
    mutating func sayGoodbye() { if phase == .present { phase = .leaving(.due) } }

    /// The hub has not ended it.
    mutating func missEnding() { if isLeaving { phase = .leaving(.missed) } }

    /// The hub is asked again for an end that it missed.
    mutating func retryEnding() { if phase == .leaving(.missed) { phase = .leaving(.due) } }

    /// The hub has it no more, and something of it was not heard.
    mutating func leave() {
        phase = .gone
        speech.forgive()
        answers.removeAll()
        silence.withdraw()
        turn = HubTurn()
    }
}
