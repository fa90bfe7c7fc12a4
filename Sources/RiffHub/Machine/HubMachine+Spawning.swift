// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// New sessions.
extension HubMachine {
    /// Handles a session that is ready: it opens if the user waits for it.
    mutating func becameReady(_ id: HubSession.ID, at now: Duration) {
        sessions[id]?.isReady = true
        guard let model = sessions[id], model.isKnown else { return }
        _ = spawns.ready(session: id, voice: model.session.voice)
        if awaited == model.session.voice { open(session: id, at: now) }
    }

    mutating func spawned(_ session: HubSession, with voice: HubVoice.ID, at now: Duration) {
        let outcome = spawns.answered(voice, session: session.id)
        adopt(session, at: now)
        sessions[session.id]?.isReady = true
        if case .open(let id) = outcome, awaited == voice { open(session: id, at: now) }
    }

    /// The cards of sessions whose voice is not known yet, while a session is being made: one of them may be that one,
    /// and the list that shows it is on its way.
    var hiddenSessions: Set<HubVoice.ID> {
        guard spawns.isAwaiting || spawns.isWishing, let list = unlisted.request, requests[list] != nil else {
            return []
        }
        return Set(sessions.values.lazy.filter { !$0.isKnown }.map(\.historyKey))
    }

    mutating func spawnFailed(_ voice: HubVoice.ID, with failure: Problem, at now: Duration) {
        let isFailed = spawns.failed(voice) == .failed
        // Whatever failed, the hub may have the session: another client's, or this one's after all.
        let list = fetchSessions()
        if isFailed, awaited == voice, Self.isTaken(failure) {
            // Whoever is making it, that one opens.
            spawns.wait(for: voice, until: list)
            refusals[voice] = failure
            return
        }
        if isFailed { giveUpSpawn(voice, because: failure) }
        if Self.isDoubtful(failure) { spawns.doubt(voice, until: list) }
    }

    private mutating func giveUpSpawn(_ voice: HubVoice.ID, because failure: Problem) {
        spawnFailures[voice] = failure
        self.failure = failure
        if awaited == voice { awaited = nil }
    }

    /// Whether the hub says that the voice has a session.
    private static func isTaken(_ failure: Problem) -> Bool {
        failure.code == "hub.\(HubError.Code.voiceBusy.rawValue)"
    }

    /// Whether the hub may be making the session that it was asked for: it has not refused, and was reached.
    private static func isDoubtful(_ failure: Problem) -> Bool {
        let codes: [HubError.Code] = [.connectionLost, .timedOut, .answerMalformed, .answerTooLarge]
        return codes.contains { "hub.\($0.rawValue)" == failure.code }
    }

    /// Makes wished sessions again: a list has shown the fate of requests that failed, and those that are still wanted,
    /// and have no session, are repeated.
    mutating func spawnWished(listedBy list: HubSequenceNumber) {
        for voice in spawns.listed(list) {
            let refusal = refusals.removeValue(forKey: voice)
            guard awaited == voice else { continue }
            guard !sessions.values.contains(where: { $0.session.voice == voice && !$0.isGone }) else { continue }
            if let refusal {
                giveUpSpawn(voice, because: refusal)
            } else if spawns.begin(voice) {
                effects.append(.spawn(voice: voice))
            }
        }
    }

    mutating func spawnWishesFailed(listedBy list: HubSequenceNumber, with failure: Problem) {
        for voice in spawns.listFailed(list) {
            giveUpSpawn(voice, because: refusals.removeValue(forKey: voice) ?? failure)
        }
    }
}
