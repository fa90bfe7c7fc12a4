// Riff
// SPDX-License-Identifier: Apache-2.0

/// The policy by which a connection trusts a host's key. A connection cannot be made without one, and none accepts any
/// key.
public struct HostTrust: Sendable {
    private enum Policy {
        case firstUse(any HostKeyStore)
        case onlyKnown(any HostKeyStore)
        case pinned([SSHPublicKey])
    }

    private let policy: Policy

    /// Pins the first key that a host shows, without asking; from then on only that key passes. A key of another type
    /// is never added without a person: it is refused with `hostKeyOfOtherType`.
    public static func firstUse(_ store: any HostKeyStore) -> HostTrust { HostTrust(policy: .firstUse(store)) }

    /// Passes only keys that are in the store already.
    public static func onlyKnown(_ store: any HostKeyStore) -> HostTrust { HostTrust(policy: .onlyKnown(store)) }

    /// Passes only these keys, whatever the host. With none of them, nothing passes.
    public static func pinned(_ keys: [SSHPublicKey]) -> HostTrust { HostTrust(policy: .pinned(keys)) }

    /// Judges a key that a host showed; with ``firstUse(_:)`` it pins the first one.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - pin: The host.
    /// - Returns: The verdict; anything that is not ``HostKeyVerdict/isAccepted`` must end the connection before
    ///   authentication.
    /// - Throws: What the store throws.
    public func judge(_ key: SSHPublicKey, for pin: HostPin) async throws -> HostKeyVerdict {
        switch policy {
        case .firstUse(let store): return try await store.judge(key, for: pin)
        case .onlyKnown(let store): return try await store.check(key, for: pin)
        case .pinned(let keys):
            return HostKeyVerdict(on: key, among: keys)
        }
    }

    /// Judges a key that a host showed and throws unless the connection may go on; the SSH layer calls it after the key
    /// exchange and before authentication.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - pin: The host.
    /// - Returns: `trusted` or `pinnedNow`.
    /// - Throws: ``CoreError`` with `hostKeyMismatch`, `hostKeyOfOtherType`, `hostKeyRevoked` or `hostKeyUnknown`; what
    ///   the store throws.
    @discardableResult
    public func verify(_ key: SSHPublicKey, for pin: HostPin) async throws -> HostKeyVerdict {
        try await verify(key, for: pin, askedFor: nil)
    }

    /// As ``verify(_:for:)``, and the refusal of a key of another type says whether the host was asked for a known one.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - pin: The host.
    ///   - asked: The types that the host was asked for; `nil` if that is not known.
    /// - Returns: `trusted` or `pinnedNow`.
    /// - Throws: As ``verify(_:for:)``.
    @discardableResult
    package func verify(
        _ key: SSHPublicKey,
        for pin: HostPin,
        askedFor asked: Set<SSHKeyAlgorithm>?
    ) async throws -> HostKeyVerdict {
        let verdict = try await judge(key, for: pin)
        if case (.mismatch(let expected), .pinned) = (verdict, policy) {
            throw CoreError.hostKeyMismatch(pin: pin, expected: expected, got: key, isResettable: false)
        }
        if case .otherType(let known) = verdict {
            var isTrustable = true
            if case .pinned = policy { isTrustable = false }
            throw CoreError.hostKeyOfOtherType(
                pin: pin,
                known: known,
                got: key,
                wasAsked: asked.map { asked in known.contains { asked.contains($0.algorithm) } },
                isTrustable: isTrustable
            )
        }
        if case (.unknown, .pinned) = (verdict, policy) {
            throw CoreError.hostKeyUnknown(pin: pin, got: key, isTrustable: false)
        }
        if let refusal = verdict.refusal(of: key, for: pin) { throw refusal }
        return verdict
    }

    /// The key types to ask a host for, best first: those that are pinned for it, then
    /// ``SSHKeyAlgorithm/preferenceOrder``. A host with keys of several types then shows the one that is pinned.
    ///
    /// - Parameter pin: The host.
    /// - Returns: Each type once. The SSH layer leaves out those that its engine lacks.
    /// - Throws: What the store throws.
    public func preferredAlgorithms(for pin: HostPin) async throws -> [SSHKeyAlgorithm] {
        let pinned =
            switch policy {
            case .firstUse(let store), .onlyKnown(let store): try await store.pinnedKeys(for: pin)
            case .pinned(let keys): keys
            }
        var seen: Set<SSHKeyAlgorithm> = []
        return (pinned.map(\.algorithm) + SSHKeyAlgorithm.preferenceOrder).filter { seen.insert($0).inserted }
    }
}
