// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// Playing, recording, answering.
extension HubMachine {
    /// Does whatever can be done now, after every event.
    mutating func settle(_ now: Duration) {
        for id in order {
            giveUpUncertain(id, now)
            sendAnswer(id, now)
            repeatDone(id)
            endIfHeard(id)
        }
        guard let id = openSession, let model = sessions[id] else { return }
        if playing == nil, !isRecording, let clip = sessions[id]?.speech.next() {
            playing = (id, clip.number)
            effects.append(.play(clip, session: id))
            if settings.interruptsByItself, !isMuted, microphone == .closed, !model.isGone {
                let number = number()
                microphone = .watching(session: id, number: number)
                effects.append(.openMicrophone(number: number, isWatching: true))
            }
        }
        if isSilenceDue(model), let socket = connection.socket, sessions[id]?.silence.next(at: now) == true {
            sessions[id]?.answers.withdraw()
            effects.append(.send(socket: socket, .audio(session: id, []), answer: nil))
        }
    }

    var isRecording: Bool { if case .recording = microphone { true } else { false } }

    /// Whether an empty sound is what the hub is to hear: not while anything better is on its way.
    func isSilenceDue(_ model: HubSessionModel) -> Bool {
        guard case .closed = microphone else { return false }
        return isMuted && connection.socket != nil && !model.isGone && model.answers.isEmpty && model.answers.isInvited
            && model.speech.isEmpty
    }

    private mutating func sendAnswer(_ id: String, _ now: Duration) {
        // A clip is sent only while the hub listens: before, it is thrown away there.
        guard let socket = connection.socket, let model = sessions[id], !model.isGone else { return }
        guard isToldApart(model, now) else { return }
        let mark = sentMark(model.historyKey)
        guard let answer = sessions[id]?.answers.next(mark: mark, at: now) else { return }
        sessions[id]?.silence.withdraw()
        sessions[id]?.isPending = false
        sessions[id]?.turn.handle(.answered, at: now)
        let command: HubCommand
        switch answer.content {
        case .clip(let bytes): command = .audio(session: id, bytes)
        case .text(let text): command = .text(session: id, text)
        }
        effects.append(.send(socket: socket, command, answer: answer.number))
    }

    /// How far a history is, where anything of it is known.
    func sentMark(_ key: String) -> Int? {
        histories[key].flatMap { $0.isLoaded || !$0.messages.isEmpty ? answerMark($0) : nil }
    }

    mutating func arrived(_ answer: Int, in id: String, _ now: Duration) {
        guard let model = sessions[id], model.answers.isOnItsWay else { return }
        sessions[id]?.turn.handle(.arrived, at: now)
        if sessions[id]?.answers.arrived(answer, at: now) == true { fetchHistory(model.historyKey) }
    }

    /// Whether an answer waits, and the hub takes it.
    func isReadyToAnswer(_ model: HubSessionModel) -> Bool {
        connection.socket != nil && !model.isGone && model.answers.isInvited && !model.answers.isEmpty
    }

    /// Whether the history will show if an answer that is sent now arrives: behind a cut it is asked for first. What the
    /// cut kept from us would be taken for this answer, once another cut leaves the history to decide.
    private mutating func isToldApart(_ model: HubSessionModel, _ now: Duration) -> Bool {
        let key = model.historyKey
        guard isReadyToAnswer(model) else { return true }
        // One that was never told is as good as one that a cut made old.
        let isUnknown = model.isKnown && histories[key]?.isLoaded != true && !silentHistories.contains(key)
        if isUnknown, staleHistories[key] == nil {
            staleHistories[key] = StaleHistory(giveUp: now + StaleHistory.patience)
        }
        guard let stale = staleHistories[key] else { return true }
        if let giveUp = stale.giveUp, now >= giveUp {
            staleHistories[key] = nil
            silentHistories.insert(key)
            return true
        }
        if let retry = stale.retry, now < retry { return false }
        staleHistories[key]?.retry = nil
        if isAsked(key) { return false }
        fetchHistory(key)
        return !isAsked(key)
    }

    /// How far a history is, to be compared when only it can tell whether an answer arrived.
    func answerMark(_ history: HubHistory) -> Int {
        // What is written into an agent's work makes it speak as well.
        history.answerMark(agentSpeaksUnasked: features.contains(.typedText))
    }

    /// Where the history cannot be read for too long, an answer is not sent again, since it could be one to another question;
    /// the person is told.
    private mutating func giveUpUncertain(_ id: String, _ now: Duration) {
        guard connection.socket != nil, let answers = sessions[id]?.answers, answers.needsHistory else {
            sessions[id]?.uncertainUntil = nil
            return
        }
        guard let until = sessions[id]?.uncertainUntil else {
            // Hubs with states are asked only when recognition must be over.
            sessions[id]?.uncertainUntil = now + HubAnswers.silence * (answers.isPatient ? 2 : 1)
            return
        }
        guard until <= now else { return }
        sessions[id]?.uncertainUntil = nil
        sessions[id]?.answers.giveUp()
        failure = Self.answerUncertain
    }

    /// Whether a history was asked for over this connection, and has not come.
    private func isAsked(_ key: String) -> Bool {
        guard let last = lastRequests[key] else { return false }
        return last > connectedNumber && requests[last] != nil
    }

    /// Once the goodbye was heard, the session is ended, since the hub does not.
    private mutating func endIfHeard(_ id: String) {
        guard let model = sessions[id], model.speech.isEmpty else { return }
        if model.isGone {
            remove(id)
        } else if model.hasSaidGoodbye, !model.isEnding, connection.socket != nil {
            sessions[id]?.isEnding = true
            effects.append(.terminate(session: id))
        }
    }

    // MARK: Playing

    mutating func played(_ clip: Int, _ failure: HubFailure?, _ now: Duration) {
        guard let (id, number) = playing, number == clip else { return }
        playing = nil
        if let failure { self.failure = failure }
        guard let isLast = sessions[id]?.speech.played(clip) else { return }
        if isLast, let socket = connection.socket, sessions[id]?.isHeardInDoubt == false {
            sessions[id]?.isRepeatDue = false
            effects.append(.send(socket: socket, .playbackDone(session: id), answer: nil))
        }
        guard sessions[id]?.speech.isEmpty == true else { return }
        if sessions[id]?.answers.isInvited == true {
            recordByItself(now)
        } else {
            sessions[id]?.turn.handle(.played, at: now)
        }
        if case .watching(_, let number) = microphone { close(number) }
    }

    /// The person stops the agent's words.
    mutating func interrupt(_ now: Duration) {
        guard let id = openSession, sessions[id]?.speech.isEmpty == false else { return }
        stopSpeech(of: id, now)
        record(now)
        if case .watching(_, let number) = microphone { close(number) }
    }

    /// The person spoke into the agent's words.
    mutating func spokenInto(_ number: Int, _ now: Duration) {
        guard case .watching(let id, number) = microphone else { return }
        microphone = .recording(session: id, number: number)
        stopSpeech(of: id, now)
    }

    /// The rest is not played; the hub is told that all was, so that it listens.
    private mutating func stopSpeech(of id: String, _ now: Duration) {
        guard let (clip, wasOwed) = sessions[id]?.speech.interrupt() else { return }
        if let clip { effects.append(.stopPlaying(clip: clip)) }
        playing = nil
        sessions[id]?.turn.handle(.played, at: now)
        guard wasOwed, let socket = connection.socket, let model = sessions[id], !model.isGone else { return }
        guard !model.isHeardInDoubt else { return }
        sessions[id]?.isRepeatDue = false
        effects.append(.send(socket: socket, .playbackDone(session: id), answer: nil))
    }

    // MARK: Recording

    mutating func record(_ now: Duration, byItself isByItself: Bool = false) {
        guard let id = openSession, let model = sessions[id], !model.isGone else { return }
        switch microphone {
        case .closed:
            let number = number()
            microphone = .recording(session: id, number: number)
            unspoken = isByItself ? number : nil
            effects.append(.openMicrophone(number: number, isWatching: false))
        case .watching(_, let number):
            // There is one device, and it is open.
            microphone = .recording(session: id, number: number)
            unspoken = isByItself ? number : nil
            effects.append(.recordMicrophone(number: number))
        case .recording:
            // Whoever asks for it wants it, whether they have spoken yet or not.
            if !isByItself { unspoken = nil }
            return
        case .finishing:
            if isByItself { return }
            // The device is free once the last recording is over.
            recordsNext = true
        }
        failure = nil
        if !model.speech.isEmpty { stopSpeech(of: id, now) }
    }

    /// The open session is listened to by now: as ``recordByItself(_:)``.
    mutating func recordIfInvited(_ now: Duration) {
        if openSession.flatMap({ sessions[$0] })?.answers.isInvited == true { recordByItself(now) }
    }

    /// The hub listens, and the person wants the microphone to open by itself: once for each time that it does.
    mutating func recordByItself(_ now: Duration) {
        guard settings.recordsByItself, !isMuted, let id = openSession, let model = sessions[id] else { return }
        guard model.speech.isEmpty, model.answers.isEmpty else { return }
        record(now, byItself: true)
    }

    mutating func finishRecording() {
        guard case .recording(let id, let number) = microphone else { return }
        microphone = .finishing(session: id, number: number)
        effects.append(.finishMicrophone(number: number))
    }

    /// What was said is none: also where the recording is over, and the clip not there yet.
    mutating func discardRecording() {
        recordsNext = false
        switch microphone {
        case .recording(_, let number), .watching(_, let number), .finishing(_, let number): close(number)
        case .closed: break
        }
    }

    mutating func close(_ number: Int) {
        (microphone, unspoken) = (.closed, nil)
        effects.append(.closeMicrophone(number: number))
    }

    mutating func recorded(_ number: Int, _ file: [UInt8]?, _ failure: HubFailure?, _ now: Duration) {
        switch microphone {
        case .recording(let id, number), .finishing(let id, number):
            microphone = .closed
            if let file { answer(id, .clip(file)) }
            if recordsNext {
                recordsNext = false
                record(now)
            } else if id != openSession {
                // Another one was opened meanwhile, and found the microphone in use.
                recordIfInvited(now)
            }
        case .watching(_, number): microphone = .closed
        default: return
        }
        if let failure { self.failure = failure }
    }

    mutating func answer(_ id: String, _ content: HubAnswers.Content) {
        guard let model = sessions[id], !model.isGone else {
            failure = Self.sessionGone
            return
        }
        let number = number()
        do { try sessions[id]?.answers.add(HubAnswers.Answer(number: number, content: content)) } catch {
            failure = HubFailure(error)
        }
    }

    /// Says what no invitation is needed for.
    mutating func say(_ command: HubCommand) {
        guard let socket = connection.socket, sessions[command.session]?.isGone == false else { return }
        effects.append(.send(socket: socket, command, answer: nil))
    }

    mutating func mute(_ isMuted: Bool, _ now: Duration) {
        let wasMuted = self.isMuted
        self.isMuted = isMuted
        guard isMuted else {
            if wasMuted { recordIfInvited(now) }
            return
        }
        switch microphone {
        // What was said until now is the answer.
        case .recording: finishRecording()
        case .watching(_, let number): close(number)
        case .finishing, .closed: break
        }
        recordsNext = false
    }

    static let sessionGone = HubFailure(
        code: "hub.sessionGone",
        message: "The session that the answer was for has ended; start it again."
    )
    static let answerUncertain = HubFailure(
        code: "hub.answerUncertain",
        message:
            "The connection was lost behind an answer, and the hub does not tell whether it has it; look, and say it again.",
        recovery: .retry
    )
}
