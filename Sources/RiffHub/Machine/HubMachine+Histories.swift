// Riff
// SPDX-License-Identifier: Apache-2.0

/// The histories of conversations, as the hub keeps them: they show messages that a cut kept from this client, and the
/// fate of its answers.
extension HubMachine {
    mutating func fetchHistory(_ key: HubVoice.ID) {
        // A session's id stands for its voice until the hub tells that: there is no such history to ask for.
        guard sessions[HubSession.ID(rawValue: key.rawValue)]?.isKnown != false else { return }
        // Each message can be a reason to ask: what comes faster than the hub tells is asked for once behind it.
        guard historyRequests.open[key, default: 0] < HubHistoryRequests.most else {
            historyRequests.again.insert(key)
            return
        }
        historyRequests.open[key, default: 0] += 1
        let request = advance()
        requests[request] = .history(mark: histories[key]?.mark ?? 0)
        historyRequests.last[key] = request
        effects.append(.fetchHistory(voice: key, request: request))
    }

    /// A request for a history was answered, or failed.
    ///
    /// - Returns: Whether it is to be asked for again, since something has come for which no request was made.
    mutating func closeHistoryRequest(_ key: HubVoice.ID, _ request: HubSequenceNumber) -> Bool {
        guard request > connectedNumber, let open = historyRequests.open[key] else { return false }
        historyRequests.open[key] = open > 1 ? open - 1 : nil
        return historyRequests.again.remove(key) != nil
    }

    /// Forgets the histories of which there is no session any more: the hub keeps them. Those of its own voices are
    /// few, and stay.
    mutating func forgetHistories() {
        let groups = sessions.groups
        func isKept(_ key: HubVoice.ID) -> Bool { groups[key] != nil || HubVoice.known(key) != nil }
        histories = histories.filter { isKept($0.key) }
        historyRequests.keep(where: isKept)
    }

    mutating func merge(
        _ page: HubService.HistoryPage,
        of voice: HubVoice.ID,
        request: HubSequenceNumber,
        at now: Duration
    ) {
        guard case .history(let mark)? = requests.removeValue(forKey: request) else { return }
        let isDoubtful = isDoubtful(page, of: voice, request: request, askedAt: mark, at: now)
        // What the hub told before, it has: such a page tells nothing.
        if isDoubtful, histories[voice]?.hasToldMessages == true { return }
        histories[voice, default: HubHistory()].merge(
            page.messages,
            askedAt: isDoubtful ? 0 : mark,
            hasMore: page.hasMore
        )
        guard let history = histories[voice] else { return }
        // What was asked for before a cut says nothing of what arrived behind it.
        guard connection.socket != nil, request > connectedNumber else { return }
        historyRequests.stale[voice] = nil
        let answerMark = answerMark(history)
        let lastIsUser = history.messages.last { $0.isShown }?.role == .user
        for id in sessions.order where sessions[id]?.historyKey == voice {
            let loss = sessions[id]?.answers.history(
                mark: answerMark,
                words: history.said,
                lastIsUser: lastIsUser,
                at: now
            )
            if let loss { lose(loss.answer, in: id, because: loss.isUnheard ? Self.unheard : Self.answerLost) }
            settleDoubt(of: id, by: history)
        }
    }

    /// Returns whether a history is empty that was not so before: a hub reports one so whose file it is writing. It is
    /// asked for once more before anything is dropped, or taken as missing in it.
    private mutating func isDoubtful(
        _ page: HubService.HistoryPage,
        of voice: HubVoice.ID,
        request: HubSequenceNumber,
        askedAt mark: Int,
        at now: Duration
    ) -> Bool {
        guard page.messages.isEmpty, histories[voice]?.loses(whenEmptyAt: mark) == true else {
            historyRequests.empty[voice] = nil
            return false
        }
        // What was asked for within the pause may have met the same file.
        if let empty = historyRequests.empty[voice] {
            guard let last = empty.last, request > last else { return true }
            historyRequests.empty[voice] = nil
            return false
        }
        historyRequests.empty[voice] = (last: nil, retry: now + StaleHistory.pause)
        return true
    }

    /// The history tells whether what was heard here is what the hub waits for: another client may have answered it,
    /// and heard what came behind it.
    private mutating func settleDoubt(of id: HubSession.ID, by history: HubHistory) {
        guard let hearing = sessions[id]?.hearing, hearing.isInDoubt else { return }
        sessions[id]?.hearing.settle()
        let last = history.messages.last { $0.isShown && $0.role == .assistant }?.text
        let isSame = history.replied == hearing.heard?.replies && (last == nil || last == hearing.heard?.text ?? last)
        if !isSame { sessions[id]?.speech.forgive() }
    }

    func needsHistory(_ model: HubSessionMachine) -> Bool {
        model.answers.awaitsHistory || model.hearing.isInDoubt || histories[model.historyKey]?.isUncertain == true
            || isHistoryMissed(model)
    }

    /// Whether a person looks at a voice's history that could not be read.
    func isHistoryMissed(_ voice: HubVoice.ID) -> Bool {
        sessions.values.contains { $0.historyKey == voice && isHistoryMissed($0) }
    }

    /// Whether a person looks at a history that was not told, or not since a connection was lost.
    private func isHistoryMissed(_ model: HubSessionMachine) -> Bool {
        guard model.session.id == openSession, model.isKnown, !model.isGone else { return false }
        return histories[model.historyKey]?.isLoaded != true || historyRequests.stale[model.historyKey] != nil
    }

    /// Whether a history was asked for over this connection, and has not come.
    func isAsked(_ key: HubVoice.ID) -> Bool {
        guard let last = historyRequests.last[key] else { return false }
        return last > connectedNumber && requests[last] != nil
    }

    /// Returns the mark of a history, if anything of it is known.
    func sentMark(_ key: HubVoice.ID) -> Int? {
        histories[key].flatMap { $0.isLoaded || !$0.messages.isEmpty ? answerMark($0) : nil }
    }

    /// Returns the mark of a history, to be compared when only it can show whether an answer arrived.
    func answerMark(_ history: HubHistory) -> Int {
        // What is written into an agent's work makes it speak as well.
        history.answerMark(agentSpeaksUnasked: features.contains(.typedText))
    }

    mutating func showOlder() {
        guard let key = openSession.flatMap({ sessions[$0] })?.historyKey, historyRequests.older[key] == nil else {
            return
        }
        guard let first = histories[key]?.showOlder() else { return }
        failure = nil
        let request = advance()
        historyRequests.older[key] = request
        effects.append(.fetchOlder(voice: key, before: first, request: request))
    }
}
