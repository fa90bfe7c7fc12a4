// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// New sessions.
extension HubMachine {
    /// A session is there: it opens if somebody waits for it.
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

    mutating func spawnFailed(_ voice: HubVoice.ID, with failure: Problem, at now: Duration) {
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
    private static func isDoubtful(_ failure: Problem) -> Bool {
        let codes: [HubError.Code] = [.connectionLost, .timedOut, .answerMalformed, .answerTooLarge]
        return codes.contains { "hub.\($0.rawValue)" == failure.code }
    }

    /// A list has told what became of requests that failed: those that are still wanted, and have no session, are made
    /// anew.
    mutating func spawnWished(listedBy list: HubSequenceNumber) {
        for voice in spawns.listed(list) where awaited == voice {
            guard !sessions.values.contains(where: { $0.session.voice == voice && !$0.isGone }) else { continue }
            if spawns.begin(voice) { effects.append(.spawn(voice: voice)) }
        }
    }

    mutating func spawnWishesFailed(listedBy list: HubSequenceNumber, with failure: Problem) {
        for voice in spawns.listFailed(list) {
            spawnFailures[voice] = failure
            self.failure = failure
            if awaited == voice { awaited = nil }
        }
    }
}
