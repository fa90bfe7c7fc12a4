// Riff
// SPDX-License-Identifier: Apache-2.0

/// What is known of a key that a host showed.
public enum HostKeyVerdict: Sendable, Hashable {
    /// The host was not known; this key is pinned from now on.
    case pinnedNow
    /// It is a pinned key of the host.
    case trusted
    /// The host is pinned to another key of this type.
    case mismatch(expected: [SSHPublicKey])
    /// The host is pinned, and to keys of other types only: it may have a key of this type as well, or the connection
    /// is intercepted by a party that has none of its keys. Nothing was pinned.
    case otherType(known: [SSHPublicKey])
    /// The key was marked as revoked.
    case revoked
    /// The host is not known, and nothing was pinned.
    case unknown

    /// Creates the verdict on a key by the keys that are pinned for its host, as every store judges.
    ///
    /// - Parameters:
    ///   - key: The key that the host showed.
    ///   - pinned: The keys that are pinned for it, without revoked ones.
    public init(on key: SSHPublicKey, among pinned: [SSHPublicKey]) {
        if pinned.isEmpty {
            self = .unknown
        } else if pinned.contains(key) {
            self = .trusted
        } else if pinned.contains(where: { $0.algorithm.isSameType(as: key.algorithm) }) {
            self = .mismatch(expected: pinned)
        } else {
            self = .otherType(known: pinned)
        }
    }

    /// Whether the connection may go on to authentication.
    package var isAccepted: Bool { self == .trusted || self == .pinnedNow }

    /// Why the connection must end here, or `nil` where it may go on.
    ///
    /// - Parameters:
    ///   - key: The key that the host showed.
    ///   - pin: The host.
    /// - Returns: An error to throw before anything is sent to the host: `hostKeyMismatch`, `hostKeyOfOtherType`,
    ///   `hostKeyRevoked` or `hostKeyUnknown`.
    public func refusal(of key: SSHPublicKey, for pin: HostPin) -> CoreError? {
        switch self {
        case .pinnedNow, .trusted: nil
        case .mismatch(let expected): .hostKeyMismatch(pin: pin, expected: expected, got: key)
        case .otherType(let known): .hostKeyOfOtherType(pin: pin, known: known, got: key)
        case .revoked: .hostKeyRevoked(pin: pin, got: key)
        case .unknown: .hostKeyUnknown(pin: pin, got: key)
        }
    }
}
