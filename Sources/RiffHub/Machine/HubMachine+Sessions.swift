// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// The sessions that the hub has.
extension HubMachine {
    /// The first message of a connection: everything is as it says.
    mutating func listed(_ list: [HubSession], at now: Duration) {
        areSessionsKnown = true
        reconcile(list, seenBefore: .max, at: now)
        spawnWished(listedBy: .max)
        for session in list {
            // One that is listed as dead may still be here, since its last words were not heard.
            guard let model = sessions[session.id], !model.isGone else { continue }
            let id = session.id
            if sessions[id]?.resume(as: session, at: now) == true { dismiss(id) }
            resume(id, at: now)
        }
        // Nobody is torn out of what they say or hear; everybody else begins where the app does.
        if let id = returning, openSession == id, playing == nil, microphone == .closed,
            sessions[id]?.answers.isEmpty == true
        {
            showGrid(at: now)
        }
        if let id = returning, sessions[id]?.answers.isInvited == true { open(session: id, at: now) }
    }

    /// As ``resume(_:at:)``, from a list that was asked for: not where something was told since. Newer hubs say once
    /// that they listen, which an answer that did not arrive would wait for in vain.
    mutating func resume(_ session: HubSession.ID, listedBy request: HubSequenceNumber, at now: Duration) {
        guard features.contains(.states), let model = sessions[session], model.changed < request else { return }
        guard model.turn.phase == .idle || !model.answers.isEmpty else { return }
        resume(session, at: now)
    }

    /// Newer hubs tell by their state, and only so, that they listen.
    private mutating func resume(_ id: HubSession.ID, at now: Duration) {
        guard let model = sessions[id], !model.isGone else { return }
        guard model.session.state == .idle, model.session.isWaiting != false else { return }
        guard sessions[id]?.answers.isInvited == false, sessions[id]?.answers.invite() == true else { return }
        invited(id, isRepeated: false, at: now)
    }

    /// Takes a list. What the hub does not have any more is gone, though it never said so.
    ///
    /// Sessions that were seen later than `seen` are not missed in it.
    mutating func reconcile(_ list: [HubSession], seenBefore seen: HubSequenceNumber, at now: Duration) {
        var ids: Set<HubSession.ID> = []
        var isTooLong = false
        for session in list where !session.isDead {
            let isTaken = ids.contains(session.id) || ids.count < HubSessions.listed
            guard isTaken, sessions[session.id] != nil || sessions.hasRoomForListed else {
                isTooLong = true
                continue
            }
            ids.insert(session.id)
            guard (departed.places[session.id] ?? .zero) <= seen else { continue }
            adopt(session, asOf: seen, at: now)
            sessions.tell(session.id)
        }
        remove(sessions.order.filter { !ids.contains($0) && (sessions[$0]?.seen ?? .zero) <= seen })
        if isTooLong { failure = Self.tooManySessions }
    }

    /// Takes what the hub says of a session; of a list that was asked for, what was not told since.
    mutating func adopt(_ session: HubSession, asOf asked: HubSequenceNumber = .max, at now: Duration) {
        evidence.session(session.json)
        guard let known = sessions[session.id], !known.isGone else {
            add(session)
            inherit(session)
            if session.isReady { becameReady(session.id, at: now) }
            return
        }
        if !known.isKnown, !session.voice.isEmpty { learn(session.voice, of: known) }
        sessions[session.id]?.adopt(session, asOf: asked, isOpen: openSession == session.id)
        recognize(session, before: known)
        inherit(session)
        if openSession == session.id, session.voice != known.session.voice, !session.voice.isEmpty {
            // What was said with the voice that it has now.
            fetchHistory(session.voice)
        }
        let hasStates = features.contains(.states)
        sessions[session.id]?.answers.isPatient = hasStates
        // A list can be older than the message that it is ready.
        if session.isReady || known.isReady { becameReady(session.id, at: now) }
    }

    /// Hubs that have begun again say that their sessions are new: what they were doing before has ended.
    private mutating func recognize(_ session: HubSession, before known: HubSessionMachine) {
        guard let now = session.createdAt, let before = known.session.createdAt else { return }
        guard sessions[session.id]?.answers.recognize(sameHub: now == before) == true else { return }
        if let key = sessions[session.id]?.historyKey { fetchHistory(key) }
    }

    mutating func add(_ session: HubSession) {
        // What was not heard of an earlier session of this name comes first.
        let speech = sessions[session.id]?.speech
        var model = HubSessionMachine(session, seen: advance())
        if let speech { model.speech = speech }
        model.unread = session.unreadCount ?? 0
        model.answers.isPatient = features.contains(.states)
        sessions.add(model)
    }

    /// Moves the clips of an earlier session of the voice that were not heard to this one: the voice's card shows no
    /// other. One that is open is heard where it is.
    private mutating func inherit(_ session: HubSession) {
        guard !session.voice.isEmpty else { return }
        for id in sessions.unheard where id != session.id && id != openSession {
            guard let model = sessions[id], model.session.voice == session.voice else { continue }
            sessions[session.id]?.speech.inherit(model.speech)
            sessions.remove([id])
        }
    }

    /// Assigns the messages that came before a session's voice was known to the voice.
    private mutating func learn(_ voice: HubVoice.ID, of model: HubSessionMachine) {
        guard let early = histories.removeValue(forKey: model.session.id.asVoice) else { return }
        for message in early.messages {
            histories[voice, default: HubHistory()].append(message, unlessRepeated: false)
        }
    }

    /// The hub tells the state of a session.
    mutating func update(
        _ session: HubSession.ID,
        status: HubSession.State?,
        state: HubSession.State?,
        text: String?,
        at now: Duration
    ) {
        if status == .dead || state == .dead { return remove(session) }
        if sessions[session] == nil, status == nil { return }
        guard let id = ensure(session, at: now) else { return }
        sessions[id]?.update(status: status, state: state, text: text, at: now)
        if sessions[id]?.session.isReady == true { becameReady(id, at: now) }
    }
}
