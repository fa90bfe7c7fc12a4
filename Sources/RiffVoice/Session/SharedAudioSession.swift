// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

// sample: platformSession: some AudioSessionOwner, record: () async throws -> Void
/// The platform's audio session, shared by all that record and play: active while anybody needs it, and not touched at
/// all while a call owns it.
///
/// ```swift
/// let audio = SharedAudioSession(platformSession)
/// try await audio.withActiveSession { try await record() }   // activates, and deactivates after the last one
/// let claim = await audio.claimForCall()                      // from here on nobody activates or deactivates
/// try await claim.release()
/// ```
///
/// An app makes one and gives it to all of its dictations, narrators, conversations and hubs, each of which then holds
/// it exactly while it captures or speaks.
public actor SharedAudioSession: AudioSessionOwner {
    /// That a call owns the audio session, until it is released.
    public struct CallClaim: Sendable {
        fileprivate let number: Int
        fileprivate let session: SharedAudioSession

        /// Gives it back: who still needs it gets it activated. More than once does nothing.
        ///
        /// - Throws: What the platform's session throws.
        public func release() async throws { try await session.release(number) }
    }

    /// A hold of a caller that captures or speaks, until it is released.
    package struct Hold: Sendable, Hashable {
        fileprivate let number: Int
    }

    private let owner: any AudioSessionOwner
    private nonisolated let source = StateSource(Snapshot())
    private nonisolated let listening = OwnedTasks()
    private var isListening = false
    /// The calls of ``activate()`` that no ``deactivate()`` has answered.
    private var users = 0
    private var holds: Set<Int> = []
    private var claims: Set<Int> = []
    private var lastNumber = 0
    private var isActive = false
    /// Whether it was made active and not given back. After an interruption it may be either: what the system tells
    /// comes late, and giving back what is not active is no error.
    private var isOwed = false
    /// Grows when a call or the system takes the session: what was begun before says nothing of it then.
    private var takings = 0
    /// The newest step; each waits for the one before it, so that the platform is asked one thing at a time.
    private var work: Task<Void, any Error>?

    /// Shares a session.
    public init(_ owner: any AudioSessionOwner) { self.owner = owner }

    deinit { source.finish() }

    /// The state of the session.
    public nonisolated var current: Snapshot { source.current }

    /// The state of the session, then each change, for any number of readers.
    public nonisolated func updates() -> AsyncStream<Snapshot> { source.updates() }

    /// Makes the session active, where it is not and no call owns it.
    ///
    /// - Throws: ``VoiceError`` with `audioSessionFailed`, after a second attempt.
    public func activate() async throws {
        users += 1
        do { try await settle() } catch {
            users = max(0, users - 1)
            await giveUp()
            throw error
        }
    }

    /// Gives it back, where this was its last user and no call owns it.
    ///
    /// - Throws: What the platform's session throws.
    public func deactivate() async throws {
        users = max(0, users - 1)
        try await settle(activates: false)
    }

    /// Leaves the session to a call, which activates and deactivates it by itself, as the system tells it. When this
    /// returns nothing of here is under way any more.
    public func claimForCall() async -> CallClaim {
        lastNumber += 1
        let number = lastNumber
        claims.insert(number)
        taken()
        // What was begun before is over first; whoever began it hears of its failure.
        _ = await work?.result
        // Whatever the call finds active is the call's from now on.
        isOwed = false
        taken()
        return CallClaim(number: number, session: self)
    }

    // MARK: Holds

    /// Holds the session, which is active then, or a call's.
    ///
    /// - Throws: ``VoiceError`` with `audioSessionFailed`; nothing is held then.
    package func hold() async throws -> Hold {
        lastNumber += 1
        let hold = Hold(number: lastNumber)
        holds.insert(hold.number)
        do { try await settle() } catch {
            holds.remove(hold.number)
            await giveUp()
            throw error
        }
        return hold
    }

    /// Gives a hold back; more than once does nothing. A session that cannot be given back is the snapshot's problem.
    package func release(_ hold: Hold) async {
        // The snapshot tells it.
        try? await giveBack(hold)
    }

    /// Gives a hold back; more than once does nothing.
    ///
    /// - Throws: What the platform's session throws.
    package func giveBack(_ hold: Hold) async throws {
        guard holds.remove(hold.number) != nil else { return }
        try await settle(activates: false)
    }

    private func release(_ claim: Int) async throws {
        guard claims.remove(claim) != nil else { return }
        publish()
        try await settle()
    }

    // MARK: The platform

    /// An activation that failed may have followed one that an interruption undid, or seemed to.
    private func giveUp() async {
        // The snapshot tells it; the activation's own error says more.
        try? await settle(activates: false)
    }

    private var isWanted: Bool { users > 0 || !holds.isEmpty }

    private func settle(activates: Bool = true) async throws {
        listen()
        let previous = work
        // The caller waits for it, also where the caller is cancelled: nothing that is held is forgotten.
        let task = Task {
            _ = await previous?.result
            try await self.step(activates: activates)
        }
        work = task
        try await task.value
    }

    private func step(activates: Bool) async throws {
        while claims.isEmpty, isWanted ? !isActive : isOwed {
            let before = takings
            if isWanted {
                guard activates else { return }
                try await owner.activateWithRetry()
                guard claims.isEmpty else { return }
                isOwed = true
                if before == takings {
                    isActive = true
                    source.change {
                        $0.isInterrupted = false
                        $0.mayResume = true
                    }
                }
            } else {
                do { try await owner.deactivate() } catch {
                    let problem = Problem(VoiceError.audioNotGivenBack(error))
                    source.change { $0.problem = problem }
                    throw error
                }
                (isActive, isOwed) = (false, false)
            }
            source.change { $0.problem = nil }
            publish()
        }
    }

    private func taken() {
        takings += 1
        isActive = false
        publish()
    }

    private func publish() {
        let (isActive, isOwnedByCall) = (isActive, !claims.isEmpty)
        source.change {
            $0.isActive = isActive
            $0.isOwnedByCall = isOwnedByCall
        }
    }

    // MARK: The system

    private func listen() {
        guard !isListening else { return }
        isListening = true
        let events = owner.events()
        listening.run { [weak self] in
            for await event in events { await self?.hear(event) }
        }
    }

    private func hear(_ event: AudioSessionEvent) async {
        switch event {
        case .interrupted:
            taken()
            source.change { $0.isInterrupted = true }
        case .interruptionEnded(let mayResume):
            source.change {
                $0.isInterrupted = false
                $0.mayResume = mayResume
            }
            // Who still needs it gets it activated; whoever uses it next hears of a failure.
            if mayResume { try? await settle() }
        case .outputLost: source.change { $0.lostOutputs += 1 }
        }
    }
}

extension StateSource<SharedAudioSession.Snapshot> {
    fileprivate func change(_ change: (inout SharedAudioSession.Snapshot) -> Void) {
        update { before in
            var next = before
            change(&next)
            return next == before ? nil : next
        }
    }
}
