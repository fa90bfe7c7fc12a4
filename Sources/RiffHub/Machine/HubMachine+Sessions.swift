// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

extension HubMachine {
    // MARK: What the hub has

    /// The first message of a connection: everything is as it says.
    mutating func listed(_ list: [HubSession], _ now: Duration) {
        areSessionsKnown = true
        reconcile(list, seenBefore: .max, now)
        spawnWished(.max)
        for session in list {
            guard let id = sessions[session.id]?.session.id else { continue }
            let isWorking = session.state == .processing || session.state == .compacting
            if session.statusText == "Speaking..." || isWorking {
                // It may be about to listen; what it waits for until then was said to another client, or to this one.
                sessions[id]?.turn.handle(isWorking ? .thinking : .speaking, at: now)
                sessions[id]?.isRepeatDue = session.statusText == "Speaking..."
                dismiss(id)
            } else {
                sessions[id]?.speech.forgive()
                if session.statusText == "Transcribing..." {
                    sessions[id]?.turn.handle(.transcribing, at: now)
                    dismiss(id)
                }
            }
            resume(id, now)
        }
        // Nobody is torn out of what they say or hear; everybody else begins where the app does.
        if let id = returning, openSession == id, playing == nil, microphone == .closed,
            sessions[id]?.answers.isEmpty == true
        {
            showGrid(now)
        }
        if let id = returning, sessions[id]?.answers.isInvited == true { open(session: id, now) }
    }

    /// All of it was heard here, and the hub waits for that: what it was told was lost with the connection.
    mutating func repeatDone(_ id: String) {
        guard let model = sessions[id], model.isRepeatDue, !model.isHeardInDoubt else { return }
        guard model.speech.isEmpty, model.speech.isDoneUnconfirmed, let socket = connection.socket else { return }
        sessions[id]?.isRepeatDue = false
        effects.append(.send(socket: socket, .playbackDone(session: id), answer: nil))
    }

    /// The history tells whether what was heard here is what the hub waits for: another client may have answered it, and
    /// heard what came behind it.
    private mutating func settleDoubt(_ id: String, _ history: HubHistory) {
        guard let model = sessions[id], model.isHeardInDoubt else { return }
        sessions[id]?.isHeardInDoubt = false
        let last = history.messages.last { $0.isShown && $0.role == .assistant }?.text
        let isSame = history.replied == model.heard?.replies && (last == nil || last == model.heard?.text ?? last)
        if !isSame { sessions[id]?.speech.forgive() }
    }

    /// As ``resume(_:_:)``, from a list that was asked for: not where something was told since. Newer hubs say once that
    /// they listen, which an answer that did not arrive would wait for in vain.
    mutating func resumeLate(_ id: String, _ request: Int, _ now: Duration) {
        guard features.contains(.states), let model = sessions[id], model.changed < request else { return }
        guard model.turn.phase == .idle || !model.answers.isEmpty else { return }
        resume(id, now)
    }

    /// Newer hubs tell by their state, and only so, that they listen.
    private mutating func resume(_ id: String, _ now: Duration) {
        guard let session = sessions[id]?.session, session.state == .idle, session.isWaiting != false else { return }
        guard sessions[id]?.answers.isInvited == false, sessions[id]?.answers.invite() == true else { return }
        invited(id, isRepeated: false, now)
    }

    /// Takes a list. What the hub does not have any more is gone, though it never said so.
    ///
    /// Sessions that were seen later than `seen` are not missed in it.
    mutating func reconcile(_ list: [HubSession], seenBefore seen: Int, _ now: Duration) {
        let alive = list.filter { !$0.isDead }
        for session in alive where (endings[session.id] ?? 0) <= seen { adopt(session, now, asOf: seen) }
        let ids = Set(alive.map(\.id))
        for id in order where !ids.contains(id) && (sessions[id]?.seen ?? 0) <= seen { remove(id) }
    }

    /// Takes what the hub says of a session; of a list that was asked for, what was not told since.
    mutating func adopt(_ session: HubSession, _ now: Duration, asOf asked: Int = .max) {
        evidence.session(session.json)
        guard let known = sessions[session.id], !known.isGone else {
            add(session)
            inherit(session)
            if session.isReady { becameReady(session.id, now) }
            return
        }
        if !known.isKnown, !session.voice.isEmpty { learn(session.voice, of: known) }
        sessions[session.id]?.session = session
        if asked < known.changed {
            sessions[session.id]?.session.status = known.session.status
            sessions[session.id]?.session.state = known.session.state
            sessions[session.id]?.session.statusText = known.session.statusText
        }
        inherit(session)
        if openSession == session.id, session.voice != known.session.voice, !session.voice.isEmpty {
            // What was said with the voice that it has now.
            fetchHistory(session.voice)
        }
        let hasStates = features.contains(.states)
        sessions[session.id]?.answers.isPatient = hasStates
        if let unread = session.unreadCount, openSession != session.id, asked > known.counted {
            sessions[session.id]?.unread = unread
        }
        // A list can be older than the message that it is ready.
        if session.isReady || known.isReady { becameReady(session.id, now) }
    }

    private mutating func add(_ session: HubSession) {
        // What was not heard of an earlier session of this name comes first.
        let speech = sessions[session.id]?.speech
        var model = HubSessionModel(session, seen: number())
        if let speech { model.speech = speech }
        model.unread = session.unreadCount ?? 0
        model.answers.isPatient = features.contains(.states)
        if sessions[session.id] == nil { order.append(session.id) }
        sessions[session.id] = model
    }

    /// What an earlier session of the voice said and nobody has heard is heard with this one: the voice's card shows no
    /// other. One that is open is heard where it is.
    private mutating func inherit(_ session: HubSession) {
        guard !session.voice.isEmpty else { return }
        for id in order where id != session.id && id != openSession {
            guard let model = sessions[id], model.isGone, model.session.voice == session.voice else { continue }
            sessions[session.id]?.speech.inherit(model.speech)
            forget(id)
        }
    }

    private mutating func forget(_ id: String) {
        sessions[id] = nil
        order.removeAll { $0 == id }
    }

    /// The session of a message; one that is not known is asked for.
    mutating func ensure(_ id: String, _ now: Duration) -> String {
        if let model = sessions[id], !model.isGone { return id }
        guard let session = HubSession(json: ["session_id": .string(id)]) else { return id }
        add(session)
        fetchSessions()
        return id
    }

    /// What was said before its voice was known belongs to the voice.
    private mutating func learn(_ voice: String, of model: HubSessionModel) {
        guard let early = histories.removeValue(forKey: model.session.id) else { return }
        for message in early.messages {
            histories[voice, default: HubHistory()].append(message, unlessRepeated: false)
        }
    }

    mutating func changed(
        _ id: String,
        _ status: HubSessionState?,
        _ state: HubSessionState?,
        _ text: String?,
        _ now: Duration
    ) {
        if status == .dead || state == .dead { return remove(id) }
        if sessions[id] == nil, status == nil { return }
        let id = ensure(id, now)
        if let status { sessions[id]?.session.status = status }
        if let text { sessions[id]?.session.statusText = text }
        if let state {
            sessions[id]?.session.state = state
            sessions[id]?.answers.isPatient = true
            switch state {
            case .processing, .compacting:
                sessions[id]?.answers.withdraw()
                sessions[id]?.turn.handle(.thinking, at: now)
            case .idle:
                if sessions[id]?.turn.phase == .thinking { sessions[id]?.turn.handle(.rest, at: now) }
                _ = sessions[id]?.answers.invite()
            default: break
            }
        }
        if sessions[id]?.session.isReady == true { becameReady(id, now) }
    }

    /// The person has ended it: what it said is not wanted any more.
    mutating func ended(_ id: String) {
        if let clip = sessions[id]?.speech.interrupt().clip {
            effects.append(.stopPlaying(clip: clip))
            playing = nil
        }
        let before = failure
        remove(id)
        failure = before
    }

    mutating func remove(_ id: String) {
        let place = number()
        endings[id] = place
        guard let model = sessions[id] else { return }
        // Answers that it does not have are lost with it.
        if !model.answers.isEmpty { failure = Self.sessionGone }
        if case .recording(id, let number) = microphone {
            close(number)
            failure = Self.sessionGone
        }
        if case .watching(id, let number) = microphone { close(number) }
        if model.speech.isEmpty {
            forget(id)
            if openSession == id {
                openSession = nil
                histories[model.historyKey]?.showNewest()
            }
        } else {
            // Its last words are still played, or wait for somebody to open it.
            sessions[id]?.isGone = true
            sessions[id]?.speech.forgive()
            sessions[id]?.answers.removeAll()
            sessions[id]?.silence.withdraw()
            sessions[id]?.turn = HubTurn()
        }
        if returning == id { returning = nil }
        if awaited == model.session.voice, !spawns.isSpawning(model.session.voice) { awaited = nil }
    }

    // MARK: New sessions

    /// A session is there: it opens if somebody waits for it.
    mutating func becameReady(_ id: String, _ now: Duration) {
        sessions[id]?.isReady = true
        guard let model = sessions[id], model.isKnown else { return }
        _ = spawns.ready(session: id, voice: model.session.voice)
        if awaited == model.session.voice { open(session: id, now) }
    }

    mutating func spawned(_ voice: String, _ session: HubSession, _ now: Duration) {
        let outcome = spawns.answered(voice, session: session.id)
        adopt(session, now)
        sessions[session.id]?.isReady = true
        if case .open(let id) = outcome, awaited == voice { open(session: id, now) }
    }

    mutating func spawnFailed(_ voice: String, _ failure: HubFailure, _ now: Duration) {
        if spawns.failed(voice) == .failed {
            spawnFailures[voice] = failure
            self.failure = failure
            if awaited == voice { awaited = nil }
        }
        // Whatever failed, the hub may have the session: another client's, or this one's after all.
        let list = fetchSessions()
        if Self.isDoubtful(failure) { spawns.doubt(voice, until: list) }
    }

    /// Whether the hub may be making the session that it was asked for: it has not refused, and was reached.
    private static func isDoubtful(_ failure: HubFailure) -> Bool {
        let codes: [HubError.Code] = [.connectionLost, .timedOut, .answerMalformed, .answerTooLarge]
        return codes.contains { "hub.\($0.rawValue)" == failure.code }
    }

    /// A list has told what became of requests that failed: those that are still wanted, and have no session, are made anew.
    mutating func spawnWished(_ list: Int) {
        for voice in spawns.listed(list) where awaited == voice {
            guard !sessions.values.contains(where: { $0.session.voice == voice && !$0.isGone }) else { continue }
            if spawns.begin(voice) { effects.append(.spawn(voice: voice)) }
        }
    }

    mutating func wishesFailed(_ list: Int, _ failure: HubFailure) {
        for voice in spawns.listFailed(list) {
            spawnFailures[voice] = failure
            self.failure = failure
            if awaited == voice { awaited = nil }
        }
    }

    // MARK: Where the person is

    mutating func open(voice: String, _ now: Duration) {
        (failure, awaited, returning) = (nil, nil, nil)
        spawnFailures[voice] = nil
        let models = order.compactMap { sessions[$0] }.filter { $0.session.voice == voice }
        if let model = models.first(where: { !$0.isGone && $0.isReady }) ?? models.first(where: \.isGone) {
            open(session: model.session.id, now)
        } else {
            awaited = voice
            // Where there is one, it is starting, for this client or another one.
            guard models.isEmpty else { return }
            if spawns.begin(voice) { effects.append(.spawn(voice: voice)) } else if spawns.isWishing { fetchSessions() }
        }
    }

    mutating func open(session id: String, _ now: Duration) {
        guard let model = sessions[id] else { return }
        (returning, awaited) = (nil, nil)
        if openSession != id {
            leave(now)
            openSession = id
            fetchHistory(model.historyKey)
        }
        count(id, 0)
        sessions[id]?.isPending = false
        if features.contains(.unreadCounts), !model.isGone { effects.append(.markRead(session: id, isOpen: true)) }
        if model.answers.isInvited, model.speech.isEmpty { recordByItself(now) }
    }

    /// Notes how many messages nobody has seen; a list that was asked for before knows less.
    mutating func count(_ id: String, _ unread: Int) {
        let now = number()
        sessions[id]?.unread = unread
        sessions[id]?.counted = now
    }

    mutating func showOlder() {
        guard let key = openSession.flatMap({ sessions[$0] })?.historyKey, olderRequests[key] == nil else { return }
        guard let first = histories[key]?.showOlder() else { return }
        failure = nil
        let request = number()
        olderRequests[key] = request
        effects.append(.fetchOlder(voice: key, before: first, request: request))
    }

    mutating func showGrid(_ now: Duration) {
        leave(now)
        openSession = nil
    }

    /// The session that was open is not any more: it is silent, and what it was saying waits.
    private mutating func leave(_ now: Duration) {
        guard let id = openSession else { return }
        recordsNext = false
        count(id, 0)
        // What was said since it was opened was seen as well.
        if features.contains(.unreadCounts), sessions[id]?.isGone == false {
            effects.append(.markRead(session: id, isOpen: false))
        }
        if let key = sessions[id]?.historyKey {
            histories[key]?.showNewest()
            olderRequests[key] = nil
        }
        if let clip = sessions[id]?.speech.putBack() {
            effects.append(.stopPlaying(clip: clip))
            playing = nil
        }
        switch microphone {
        case .watching(_, let number): close(number)
        // What was said until now is an answer all the same.
        case .recording: finishRecording()
        case .finishing, .closed: break
        }
        sessions[id]?.silence.withdraw()
        let isInvited = sessions[id]?.answers.isInvited ?? false
        sessions[id]?.isPending = isInvited
    }

    mutating func merge(_ page: HubHistoryPage, of voice: String, _ request: Int, _ now: Duration) {
        guard let mark = requests.removeValue(forKey: request) else { return }
        histories[voice, default: HubHistory()].merge(page.messages, askedAt: mark, hasMore: page.hasMore)
        guard let history = histories[voice] else { return }
        // What was asked for before a cut says nothing of what arrived behind it.
        guard connection.socket != nil, request > connectedNumber else { return }
        staleHistories[voice] = nil
        let answerMark = answerMark(history)
        let lastIsUser = history.messages.last { $0.isShown }?.role == .user
        for id in order where sessions[id]?.historyKey == voice {
            let wasInvited = sessions[id]?.answers.isInvited == true
            sessions[id]?.answers.history(mark: answerMark, lastIsUser: lastIsUser, at: now)
            // It listened already while it was not known what became of the last answer; newer hubs do not say so again.
            if !wasInvited, sessions[id]?.answers.isInvited == true { invited(id, isRepeated: false, now) }
            settleDoubt(id, history)
        }
    }
}
