// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

extension HubMachine {
    /// Takes a message of the hub. Nothing here depends on having seen the one before: clients come and go.
    mutating func handle(_ frame: HubFrame, at now: Duration) {
        evidence.frame(frame)
        let place = advance()
        if let id = frame.message.session { sessions[id]?.mention(place, endsText: frame.message.endsText) }
        switch frame.message {
        case .ping: break
        case .unknown: keep(frame)
        case .sessionList(let list): listed(list, at: now)
        case .sessionSpawned(let session): made(session, at: now)
        case .sessionStatus(let id, let status, let state, let text):
            update(id, status: status, state: state, text: text, at: now)
        case .sessionTerminated(let id): remove(id)
        case .sessionEnded(let id): sessions[id]?.sayGoodbye()
        case .assistantText(let id, let text): if let id = ensure(id, at: now) { assistant(text, in: id, at: now) }
        case .userText(let id, let text): user(text, in: id, at: now)
        case .status(let id, let text): sessions[id]?.show(status: text, at: now)
        case .activity(let id, let text): sessions[id]?.session.statusText = text
        case .audio(let id, let audio): if let id = ensure(id, at: now) { sound(audio, in: id, at: now) }
        case .listening(let id): if let id = ensure(id, at: now) { listen(id, at: now) }
        case .thinking(let id):
            // Not the end of an invitation: an older one can come right behind it.
            guard let id = ensure(id, at: now) else { break }
            if sessions[id]?.answers.isInvited == false { sessions[id]?.turn.handle(.thinking, at: now) }
        case .done(let id, let isProcessing): finishTurn(of: id, isProcessing: isProcessing, at: now)
        case .userAck: break
        }
        if let id = frame.message.session, sessions[id]?.answers.isInvited == false { dismiss(id) }
    }

    /// Keeps a message of an unknown type for a caller that knows it; not for ever, and not whatever its size.
    private mutating func keep(_ frame: HubFrame) {
        unknownFrames += 1
        guard frame.byteCount <= Self.unknownBytes else { return }
        unknownMessages = unknownMessages.suffix(Self.unknownKept - 1) + [frame.json]
    }

    private static let unknownKept = 8

    private static let unknownBytes = 64 << 10

    /// The most bytes of unheard sound that all sessions may hold.
    package static let speechBytes = 256 << 20

    /// Handles a hub that continues and has shown nothing of an answer that it was sent.
    private mutating func pass(_ id: HubSession.ID) {
        guard let key = sessions[id]?.historyKey, let mark = sentMark(key) else { return }
        if sessions[id]?.answers.pass(mark: mark) == true { fetchHistory(key) }
    }

    /// The agent speaks where the person was when the connection was lost: who hears nothing of it keeps a hub waiting
    /// that listens only once it was heard.
    private mutating func callBack(to id: HubSession.ID, at now: Duration) {
        if openSession == nil, returning == id { open(session: id, at: now) }
    }

    private mutating func assistant(_ text: HubText, in id: HubSession.ID, at now: Duration) {
        callBack(to: id, at: now)
        switch sessions[id]?.hear(text, at: now) {
        case .lost(let answer): lose(answer, in: id, because: Self.unheard)
        case .unheard: failure = Self.unheard
        case .nothing, nil: break
        }
        say(HubChatMessage(.assistant, text.text, id: text.id), in: id)
        if !text.isFireAndForget { pass(id) }
    }

    private mutating func user(_ text: HubText, in id: HubSession.ID, at now: Duration) {
        guard sessions[id] != nil else { return }
        if !text.isInterjection { sessions[id]?.understand(at: now) }
        // An empty one acknowledges a message.
        guard !text.text.isEmpty else { return }
        say(HubChatMessage(.user, text.text, id: text.id), in: id, isInterjection: text.isInterjection)
    }

    private mutating func say(_ message: HubChatMessage, in id: HubSession.ID, isInterjection: Bool = false) {
        guard let model = sessions[id] else { return }
        let key = model.historyKey
        let arrival = histories[key, default: HubHistory()].append(
            message,
            unlessRepeated: model.hearing.isAfterText,
            isInterjection: isInterjection
        )
        sessions[id]?.hearing.isAfterText = true
        guard arrival != .known else { return }
        // The hub keeps a text before it tells it: its history says whether this is one more.
        if arrival == .uncertain { fetchHistory(key) }
        guard openSession != id, message.role == .assistant else { return }
        let (more, isTooMany) = (sessions[id]?.unread ?? 0).addingReportingOverflow(1)
        setUnread(isTooMany ? .max : more, of: id)
    }

    private mutating func sound(_ audio: HubAudio, in id: HubSession.ID, at now: Duration) {
        guard let key = sessions[id]?.historyKey else { return }
        callBack(to: id, at: now)
        let clip = number()
        let room = Self.speechBytes - sessions.speechBytes
        let replies = histories[key]?.replied ?? 0
        let outcome = sessions[id]?.hear(audio, number: clip, room: room, replies: replies, at: now)
        if case .missed = outcome { failure = Self.tooMuchSpeech }
    }

    mutating func listen(_ id: HubSession.ID, at now: Duration) {
        sessions[id]?.speech.confirmDone()
        // Early hubs say every five seconds that they listen.
        let isRepeated = sessions[id]?.answers.isInvited == true
        let wasTranscribing = sessions[id]?.answers.isTranscribing == true
        guard sessions[id]?.answers.invite() == true else {
            if wasTranscribing, let key = sessions[id]?.historyKey { fetchHistory(key) }
            return
        }
        invited(id, isRepeated: isRepeated, at: now)
    }

    /// The hub listens to a session, and takes an answer.
    mutating func invited(_ id: HubSession.ID, isRepeated: Bool, at now: Duration) {
        sessions[id]?.turn.handle(.listening, at: now)
        if openSession == nil, returning == id { open(session: id, at: now) }
        sessions[id]?.isPending = openSession != id
        guard openSession == id else { return }
        sessions[id]?.silence.asked()
        if !isRepeated { recordByItself(at: now) }
    }

    private mutating func finishTurn(of id: HubSession.ID, isProcessing: Bool?, at now: Duration) {
        guard sessions[id] != nil else { return }
        sessions[id]?.finish(isProcessing: isProcessing, at: now)
        // One that ends an answer follows its words, or what says that they are made.
        pass(id)
    }

    static let unheard = Problem(
        code: "hub.notTranscribed",
        message: "The hub could not turn the answer into text; send it again, or say it anew.",
        recovery: .retry
    )

    static let unheardYet = Problem(
        code: unheard.code,
        message: "The hub has not turned the answer into text yet, and shows no sign of life; the answer is kept."
    )

    static let tooMuchSpeech = Problem(
        code: "hub.speechFull",
        message: "More was said than is kept here; what came last is not played, its text is in the chat."
    )
}
