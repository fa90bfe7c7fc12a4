// Riff
// SPDX-License-Identifier: Apache-2.0

/// New sessions on their way: one at a time for each voice, since two break each other. A value.
///
/// The hub says twice that a session is there: by its answer, and over the WebSocket; the first of them opens it, and
/// the answer's object counts.
package struct HubSpawns: Sendable, Hashable {
    /// The outcome of an answer.
    package enum Outcome: Sendable, Hashable {
        /// The session is there; open it.
        case open(session: HubSession.ID)
        /// The session was opened already, or was not asked for.
        case nothing
        /// It failed, and nothing is on its way any more.
        case failed
    }

    /// What is known of one.
    private struct Spawn: Sendable, Hashable {
        /// The session that the hub named before it answered.
        var ready: HubSession.ID?
    }

    private var pending: [HubVoice.ID: Spawn] = [:]
    /// The requests whose result is not known, and the number of the list that shows it.
    private var doubts: [HubVoice.ID: HubSequenceNumber] = [:]
    /// The voices that were wanted meanwhile.
    private var wishes: Set<HubVoice.ID> = []

    /// Nothing on its way.
    package init() {}

    /// Whether a session with this voice is on its way and not there yet: "Spawning...".
    package func isSpawning(_ voice: HubVoice.ID) -> Bool {
        pending[voice].map { $0.ready == nil } ?? wishes.contains(voice)
    }

    /// Whether any session is awaited.
    package var isAwaiting: Bool { pending.values.contains { $0.ready == nil } }

    /// Begins a session that the user wants.
    ///
    /// - Returns: Whether to ask the hub: not while it was asked already, nor while it may be making one all the same.
    package mutating func begin(_ voice: HubVoice.ID) -> Bool {
        guard pending[voice] == nil else { return false }
        guard doubts[voice] == nil else {
            wishes.insert(voice)
            return false
        }
        pending[voice] = Spawn()
        return true
    }

    /// A session is known to be ready, with its voice.
    package mutating func ready(session: HubSession.ID, voice: HubVoice.ID) -> Outcome {
        guard let spawn = pending[voice], spawn.ready == nil else { return .nothing }
        pending[voice]?.ready = session
        return .open(session: session)
    }

    /// The hub has answered with a session.
    package mutating func answered(_ voice: HubVoice.ID, session: HubSession.ID) -> Outcome {
        guard let spawn = pending.removeValue(forKey: voice) else { return .nothing }
        return spawn.ready == session ? .nothing : .open(session: session)
    }

    /// Notes that the result of a request that failed on the way is not known: a list with this number, or a later one,
    /// shows it.
    package mutating func doubt(_ voice: HubVoice.ID, until list: HubSequenceNumber) { doubts[voice] = list }

    /// The hub has refused, since the voice has a session: a list with this number, or a later one, tells it.
    package mutating func wait(for voice: HubVoice.ID, until list: HubSequenceNumber) {
        doubts[voice] = list
        wishes.insert(voice)
    }

    /// Whether a list tells of something that is wanted.
    package var isWishing: Bool { !wishes.isEmpty }

    /// The hub told a list.
    ///
    /// - Returns: The voices that are wanted, and of which it is known now whether they have a session.
    package mutating func listed(_ list: HubSequenceNumber) -> [HubVoice.ID] {
        let known = doubts.filter { $0.value <= list }.map(\.key)
        for voice in known { doubts[voice] = nil }
        return known.sorted(by: HubVoice.ID.precedes).filter { wishes.remove($0) != nil }
    }

    /// The hub did not tell a list.
    ///
    /// - Returns: The voices that were wanted; they are not any more.
    package mutating func listFailed(_ list: HubSequenceNumber) -> [HubVoice.ID] {
        let failed = wishes.filter { (doubts[$0] ?? .zero) <= list }.sorted(by: HubVoice.ID.precedes)
        wishes.subtract(failed)
        return failed
    }

    /// The hub has refused, or nothing is known of its answer.
    ///
    /// - Returns: `nothing` where the session came in another way meanwhile.
    package mutating func failed(_ voice: HubVoice.ID) -> Outcome {
        guard let spawn = pending.removeValue(forKey: voice) else { return .nothing }
        return spawn.ready == nil ? .failed : .nothing
    }
}
