// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

// sample: platformSession: some AudioSessionOwner, record: () async throws -> Void
/// The platform's audio session, shared by all that record and play: active while anybody needs it, and not touched at
/// all while a call owns it.
///
/// ```swift
/// let audio = SharedAudioSession(platformSession)
/// try await audio.withActiveSession { try await record() }   // activates, and deactivates behind the last one
/// let claim = await audio.claimForCall()                      // from here on nobody activates or deactivates
/// try await claim.release()
/// ```
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

    private let owner: any AudioSessionOwner
    private var users = 0
    private var isActive = false
    private var claims: Set<Int> = []
    private var lastClaim = 0
    private let turns = WriteTurns()

    /// Shares a session.
    public init(_ owner: any AudioSessionOwner) { self.owner = owner }

    /// Whether a call owns the session.
    package var isOwnedByCall: Bool { !claims.isEmpty }

    /// Makes the session active, where it is not and no call owns it.
    public func activate() async throws {
        try await turns.take { try await self.use() }
    }

    /// Gives it back, where this was its last user and no call owns it.
    public func deactivate() async throws {
        try await turns.take { try await self.leave() }
    }

    /// Leaves the session to a call, which activates and deactivates it by itself, as the system tells it.
    public func claimForCall() -> CallClaim {
        lastClaim += 1
        claims.insert(lastClaim)
        // Whatever the call finds active is the call's from now on.
        isActive = false
        return CallClaim(number: lastClaim, session: self)
    }

    private func release(_ claim: Int) async throws {
        guard claims.remove(claim) != nil else { return }
        try await turns.take { try await self.settle() }
    }

    private func use() async throws {
        users += 1
        do { try await settle() } catch {
            users -= 1
            throw error
        }
    }

    private func leave() async throws {
        users = max(0, users - 1)
        try await settle()
    }

    private func settle() async throws {
        guard claims.isEmpty, isActive != (users > 0) else { return }
        if users > 0 { try await owner.activate() } else { try await owner.deactivate() }
        // A call may have claimed it meanwhile.
        if claims.isEmpty { isActive = users > 0 }
    }
}
