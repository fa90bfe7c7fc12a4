// Riff
// SPDX-License-Identifier: Apache-2.0

/// The place of the person.
extension HubMachine {
    mutating func open(voice: HubVoice.ID, at now: Duration) {
        (failure, awaited, returning) = (nil, nil, nil)
        spawnFailures[voice] = nil
        let models = sessions.order.compactMap { sessions[$0] }.filter { $0.session.voice == voice }
        if let model = models.first(where: { !$0.isGone && $0.isReady }) ?? models.first(where: \.isGone) {
            open(session: model.session.id, at: now)
        } else {
            awaited = voice
            // Where there is one, it is starting, for this client or another one.
            guard models.isEmpty else { return }
            if spawns.begin(voice) { effects.append(.spawn(voice: voice)) } else if spawns.isWishing { fetchSessions() }
        }
    }

    mutating func open(session id: HubSession.ID, at now: Duration) {
        guard let model = sessions[id] else { return }
        (returning, awaited) = (nil, nil)
        if openSession != id {
            leave(at: now)
            openSession = id
            fetchHistory(model.historyKey)
        }
        setUnread(0, of: id)
        sessions[id]?.isPending = false
        if features.contains(.unreadCounts), !model.isGone { effects.append(.markRead(session: id, isOpen: true)) }
        if model.answers.isInvited, model.speech.isEmpty { recordByItself(at: now) }
    }

    /// Notes the number of messages that were not seen; a list that was asked for before knows less.
    mutating func setUnread(_ unread: Int, of id: HubSession.ID) {
        let now = advance()
        sessions[id]?.unread = unread
        sessions[id]?.counted = now
    }

    mutating func showGrid(at now: Duration) {
        leave(at: now)
        openSession = nil
    }

    /// The session that was open is not any more: it is silent, and what it was saying waits.
    private mutating func leave(at now: Duration) {
        guard let id = openSession else { return }
        recordsNext = false
        setUnread(0, of: id)
        // What was said since it was opened was seen as well.
        if features.contains(.unreadCounts), sessions[id]?.isGone == false {
            effects.append(.markRead(session: id, isOpen: false))
        }
        if let key = sessions[id]?.historyKey {
            histories[key]?.showNewest()
            historyRequests.older[key] = nil
        }
        if let clip = sessions[id]?.speech.putBack() {
            effects.append(.stopPlaying(clip: clip))
            playing = nil
        }
        switch microphone {
        case .watching(_, let number): closeMicrophone(number)
        // What was said until now is an answer all the same.
        case .recording: finishRecording()
        case .finishing, .closed: break
        }
        sessions[id]?.silence.withdraw()
        let isInvited = sessions[id]?.answers.isInvited ?? false
        sessions[id]?.isPending = isInvited
    }
}
