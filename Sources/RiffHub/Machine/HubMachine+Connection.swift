// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// The connection, and what is asked of the hub again and again.
extension HubMachine {
    mutating func handle(connection event: HubConnectionMachine.Event, at now: Duration) {
        let before = connection.socket
        for effect in connection.handle(event, at: now) {
            switch effect {
            case .connect(let socket): effects.append(.connect(socket: socket))
            case .drop(let socket): effects.append(.drop(socket: socket))
            }
        }
        if before != nil, connection.socket == nil { lost(at: now) }
        if before == nil, connection.socket != nil { connected(at: now) }
        switch event {
        case .stop: loseAll()
        case .background:
            isInBackground = true
            settleAudio(at: now)
        case .foreground:
            isInBackground = false
            if connection.socket != nil { refresh(at: now) }
            settleAudio(at: now)
        default: break
        }
    }

    private mutating func connected(at now: Duration) {
        (areSessionsKnown, connectedNumber, connectionFailure) = (false, lastNumber, nil)
        effects.append(.fetchSettings(request: advance()))
        nextReconciliation = now + Self.reconciliation
        for key in historyRequests.stale.keys { historyRequests.stale[key]?.giveUp = now + StaleHistory.patience }
        // What was said meanwhile is only in the histories; and they tell what became of an answer.
        for key in Set(
            sessions.values.filter {
                $0.session.id == returning || $0.answers.needsHistory || $0.hearing.isInDoubt
            }.map(\.historyKey)
        ) {
            fetchHistory(key)
        }
    }

    /// The hub's half of everything is unknown now; the person's half stays.
    private mutating func lost(at now: Duration) {
        nextReconciliation = nil
        areSessionsKnown = false
        historyRequests.older = [:]
        historyRequests.silent = []
        historyRequests.open = [:]
        historyRequests.again = []
        returning = openSession ?? returning
        for model in sessions.values { historyRequests.stale[model.historyKey] = StaleHistory() }
        for id in sessions.order { sessions[id]?.lose(at: now) }
        for key in histories.keys { histories[key]?.lose() }
    }

    mutating func tick(at now: Duration) {
        handle(connection: .tick, at: now)
        for id in sessions.order {
            tickTurn(of: id, at: now)
            guard let deadline = sessions[id]?.answers.deadline, deadline <= now else { continue }
            if sessions[id]?.answers.isOnItsWay == true { sessions[id]?.answers.lose() }
            // The request that it leads to is asked again with the sessions, where it fails.
            sessions[id]?.answers.isSettling = true
            if let key = sessions[id]?.historyKey { fetchHistory(key) }
        }
        if let due = nextReconciliation, due <= now, !isInBackground {
            nextReconciliation = now + Self.reconciliation
            fetchSessions()
            // Another client's change is seen only so.
            effects.append(.fetchSettings(request: advance()))
            for id in sessions.order where sessions[id]?.phase == .leaving(.missed) { sessions[id]?.retryEnding() }
            for key in Set(sessions.values.filter(needsHistory).map(\.historyKey)) { fetchHistory(key) }
        }
        if departed.places.count > 256 {
            departed.forget(before: lastNumber.earlier(by: 4_096))
        }
        for (voice, empty) in historyRequests.empty where empty.retry.map({ $0 <= now }) ?? false {
            historyRequests.empty[voice] = (last: lastNumber, retry: nil)
            fetchHistory(voice)
        }
        if requests.count > 256 { requests = requests.filter { $0.key > lastNumber.earlier(by: 256) } }
    }

    /// A hub that is slow with an answer of this client, and lives, is given its time: the answer is kept meanwhile.
    private mutating func tickTurn(of id: HubSession.ID, at now: Duration) {
        guard let model = sessions[id], let deadline = model.turn.deadline, deadline <= now else { return }
        let isKept = model.turn.phase == .transcribing && model.answers.isTranscribing
        if isKept { fetchHistory(model.historyKey) }
        if isKept, connection.lastHeard > deadline - HubTurn.silence {
            sessions[id]?.turn.handle(.transcribing, at: now)
            return
        }
        sessions[id]?.turn.tick(at: now)
        if sessions[id]?.turn.isUnheard == true { failure = isKept ? Self.unheardYet : Self.unheard }
    }

    mutating func refresh(at now: Duration) {
        fetchSessions()
        nextReconciliation = now + Self.reconciliation
        effects.append(.fetchSettings(request: advance()))
        if let model = openSession.flatMap({ sessions[$0] }) { fetchHistory(model.historyKey) }
    }

    @discardableResult
    mutating func fetchSessions() -> HubSequenceNumber {
        let request = advance()
        requests[request] = .sessions
        effects.append(.fetchSessions(request: request))
        return request
    }

    mutating func update(_ settings: HubSettings, as number: HubSequenceNumber, at now: Duration) {
        let hasChanged = settings.recordsByItself != self.settings.recordsByItself
        (self.settings, lastSettings) = (settings, number)
        evidence.settings(settings.json)
        if hasChanged { recordIfInvited(at: now) }
    }

    /// Handles the failure of a repeated request although the connection is open.
    mutating func pollFailed(_ poll: Poll, with failure: Problem) {
        guard connection.socket != nil else { return }
        pollFailures[poll] = failure
        self.failure = failure
    }

    mutating func polled(_ poll: Poll) {
        guard let old = pollFailures.removeValue(forKey: poll), failure == old else { return }
        showEarlier(pollFailures.values.first)
    }
}
