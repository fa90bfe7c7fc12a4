// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// The answers of the person on their way to the hub.
extension HubMachine {
    /// Does whatever can be done now, after every event.
    mutating func settle(at now: Duration) {
        for id in sessions.due() {
            giveUpUncertain(id, at: now)
            sendAnswer(id, at: now)
            repeatDone(of: id)
            endIfHeard(id)
        }
        guard let id = openSession, let model = sessions[id] else { return }
        if playing == nil, !isRecording, !isQuiet, let clip = sessions[id]?.speech.next() {
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

    /// Whether an empty sound is what the hub is to hear: not while anything better is on its way.
    func isSilenceDue(_ model: HubSessionMachine) -> Bool {
        guard case .closed = microphone else { return false }
        return isMuted && connection.socket != nil && !model.isGone && model.answers.isEmpty && model.answers.isInvited
            && model.speech.isEmpty
    }

    private mutating func sendAnswer(_ id: HubSession.ID, at now: Duration) {
        // A clip is sent only while the hub listens: before, it is thrown away there.
        guard let socket = connection.socket, let model = sessions[id], !model.isGone else { return }
        guard isToldApart(model, at: now) else { return }
        let mark = sentMark(model.historyKey)
        let words = mark == nil ? nil : histories[model.historyKey]?.said
        guard let answer = sessions[id]?.answers.next(mark: mark, words: words, at: now) else { return }
        sessions[id]?.answered(at: now)
        let command: HubCommand
        switch answer.content {
        case .clip(let bytes): command = .audio(session: id, bytes)
        case .text(let text): command = .text(session: id, text)
        }
        effects.append(.send(socket: socket, command, answer: answer.number))
    }

    mutating func arrived(_ answer: Int, in id: HubSession.ID, at now: Duration) {
        guard let model = sessions[id], model.answers.isOnItsWay else { return }
        sessions[id]?.turn.handle(.arrived, at: now)
        if sessions[id]?.answers.arrived(answer, at: now) == true { fetchHistory(model.historyKey) }
    }

    /// Whether an answer waits, and the hub takes it.
    func isReadyToAnswer(_ model: HubSessionMachine) -> Bool {
        connection.socket != nil && !model.isGone && model.answers.isInvited && !model.answers.isEmpty
    }

    /// Whether the history will show if an answer that is sent now arrives: behind a cut it is asked for first. What
    /// the cut kept from us would be taken for this answer, once another cut leaves the history to decide.
    private mutating func isToldApart(_ model: HubSessionMachine, at now: Duration) -> Bool {
        let key = model.historyKey
        guard isReadyToAnswer(model) else { return true }
        // One that was never told is as good as one that a cut made old.
        let isUnknown = model.isKnown && histories[key]?.isLoaded != true && !historyRequests.silent.contains(key)
        if isUnknown, historyRequests.stale[key] == nil {
            historyRequests.stale[key] = StaleHistory(giveUp: now + StaleHistory.patience)
        }
        guard let stale = historyRequests.stale[key] else { return true }
        if let giveUp = stale.giveUp, now >= giveUp {
            historyRequests.stale[key] = nil
            historyRequests.silent.insert(key)
            return true
        }
        if let retry = stale.retry, now < retry { return false }
        historyRequests.stale[key]?.retry = nil
        if isAsked(key) { return false }
        fetchHistory(key)
        return !isAsked(key)
    }

    /// Gives uncertain answers up: if the history cannot be read for too long, an answer is not sent again, since it
    /// could be one to another question; the person sees a problem.
    private mutating func giveUpUncertain(_ id: HubSession.ID, at now: Duration) {
        guard connection.socket != nil, let answers = sessions[id]?.answers, answers.needsHistory else {
            sessions[id]?.uncertainUntil = nil
            return
        }
        guard let until = sessions[id]?.uncertainUntil else {
            // Hubs with states are asked only when recognition must be over.
            let until = now + HubAnswers.silence * (answers.isPatient ? 2 : 1)
            sessions[id]?.uncertainUntil = until
            return
        }
        if let deadline = answers.deadline, until < deadline + HubAnswers.silence {
            sessions[id]?.uncertainUntil = deadline + HubAnswers.silence
            return
        }
        guard until <= now else { return }
        sessions[id]?.uncertainUntil = nil
        if let answer = sessions[id]?.answers.giveUp() { lose(answer, in: id, because: Self.answerUncertain) }
    }

    mutating func answer(_ content: HubSnapshot.LostAnswer.Content, in id: HubSession.ID) {
        let answer = HubAnswers.Answer(number: number(), content: content)
        guard let model = sessions[id], !model.isGone else { return lose(answer, in: id, because: Self.sessionGone) }
        // What was recorded is not thrown away, however much waits.
        do { try sessions[id]?.answers.add(answer) } catch { lose(answer, in: id, because: Problem(error)) }
    }

    /// Says what no invitation is needed for.
    mutating func say(_ command: HubCommand) {
        guard let socket = connection.socket, let model = sessions[command.session], !model.isGone else { return }
        if case .interjection(_, let text) = command {
            histories[model.historyKey, default: HubHistory()].interject(text)
        }
        effects.append(.send(socket: socket, command, answer: nil))
    }

    static let sessionGone = Problem(
        code: "hub.sessionGone",
        message: "The session that the answer was for has ended; start it again."
    )

    static let answerUncertain = Problem(
        code: "hub.answerUncertain",
        message:
            "The connection was lost behind an answer, and the hub does not tell whether it has it; look, then send it again.",
        recovery: .retry
    )
}
