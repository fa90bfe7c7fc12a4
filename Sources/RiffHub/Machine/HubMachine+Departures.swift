// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// Sessions that the hub has no more.
extension HubMachine {
    /// The person has ended it: what it said is not wanted any more.
    mutating func ended(_ id: HubSession.ID) {
        if let clip = sessions[id]?.speech.interrupt().clip {
            effects.append(.stopPlaying(clip: clip))
            playing = nil
        }
        // Whoever ends it knows that what they answered is gone with it; where the agent said goodbye nobody does.
        if sessions[id]?.isLeaving != true { sessions[id]?.answers.removeAll() }
        let (before, count, lost) = (failure, failureCount, lostAnswers.all.last?.id)
        remove(id)
        if lostAnswers.all.last?.id == lost { showEarlier(before, count: count) }
    }

    mutating func remove(_ id: HubSession.ID) { remove([id]) }

    /// The hub has these sessions no more.
    mutating func remove(_ ids: [HubSession.ID]) {
        var forgotten: Set<HubSession.ID> = []
        for id in ids {
            if depart(id) { forgotten.insert(id) }
        }
        let unheard = sessions.unheard.filter { $0 != openSession && !forgotten.contains($0) }
        let tooMany = unheard.dropLast(HubSessions.unlisted)
        if !tooMany.isEmpty { failure = Self.tooManyUnheard }
        sessions.remove(forgotten.union(tooMany))
    }

    /// - Returns: Whether nothing of it is left to be heard.
    private mutating func depart(_ id: HubSession.ID) -> Bool {
        let place = advance()
        departed.places[id] = place
        if departed.places.count > 8_192 { departed.forget(before: lastNumber.earlier(by: 4_096)) }
        guard let model = sessions[id] else { return false }
        departed.voices[id] = model.historyKey
        // Answers that it does not have are lost with it.
        for answer in model.answers.all { lose(answer, in: id, because: Self.sessionGone) }
        if case .recording(id, let number) = microphone {
            closeMicrophone(number)
            failure = Self.sessionGone
        }
        if case .watching(id, let number) = microphone { closeMicrophone(number) }
        let isHeard = model.speech.isEmpty
        if isHeard {
            if openSession == id {
                openSession = nil
                histories[model.historyKey]?.showNewest()
            }
        } else {
            // Its last words are still played, or wait for somebody to open it.
            sessions.keepUntilHeard(id)
        }
        if returning == id { returning = nil }
        if awaited == model.session.voice, !spawns.isSpawning(model.session.voice) { awaited = nil }
        return isHeard
    }

    static let tooManyUnheard = Problem(
        code: "hub.unheardFull",
        message: "More sessions ended unheard than are kept here; what the oldest said is not played any more."
    )
}
