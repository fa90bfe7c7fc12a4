// Riff
// SPDX-License-Identifier: Apache-2.0

/// New sessions on their way: one at a time for each voice, since two break each other. A value.
///
/// The hub says twice that a session is there: by its answer, and over the WebSocket; the first of them opens it, and the
/// answer's object counts.
public struct HubSpawns: Sendable, Hashable {
    /// What becomes of an answer.
    public enum Outcome: Sendable, Hashable {
        /// The session is there; open it.
        case open(session: String)
        /// It was opened already, or nobody asked.
        case nothing
        /// It failed, and nothing is on its way any more.
        case failed
    }

    /// What is known of one.
    private struct Spawn: Sendable, Hashable {
        /// The session that the hub named before it answered.
        var ready: String?
    }

    private var pending: [String: Spawn] = [:]

    /// Nothing on its way.
    public init() {}

    /// Whether a session with this voice is on its way and not there yet: "Spawning...".
    public func isSpawning(_ voice: String) -> Bool { pending[voice].map { $0.ready == nil } ?? false }

    /// Whether any session is awaited.
    public var isAwaiting: Bool { pending.values.contains { $0.ready == nil } }

    /// Somebody wants a session.
    ///
    /// - Returns: Whether to ask the hub: not while it was asked already.
    public mutating func begin(_ voice: String) -> Bool {
        guard pending[voice] == nil else { return false }
        pending[voice] = Spawn()
        return true
    }

    /// A session is known to be ready, with its voice.
    public mutating func ready(session: String, voice: String) -> Outcome {
        guard let spawn = pending[voice], spawn.ready == nil else { return .nothing }
        pending[voice]?.ready = session
        return .open(session: session)
    }

    /// The hub has answered with a session.
    public mutating func answered(_ voice: String, session: String) -> Outcome {
        guard let spawn = pending.removeValue(forKey: voice) else { return .nothing }
        return spawn.ready == session ? .nothing : .open(session: session)
    }

    /// The hub has refused, or nothing is known of its answer.
    ///
    /// - Returns: `nothing` where the session came in another way meanwhile.
    public mutating func failed(_ voice: String) -> Outcome {
        guard let spawn = pending.removeValue(forKey: voice) else { return .nothing }
        return spawn.ready == nil ? .failed : .nothing
    }
}
