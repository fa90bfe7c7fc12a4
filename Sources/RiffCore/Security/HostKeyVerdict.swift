// Riff
// SPDX-License-Identifier: Apache-2.0

/// What is known of a key that a host showed.
public enum HostKeyVerdict: Sendable, Hashable {
    /// The host was not known; this key is pinned from now on.
    case pinnedNow
    /// It is a pinned key of the host.
    case trusted
    /// The host is pinned, and not to this key. A key of another type than the pinned ones is one, too.
    case mismatch(expected: [SSHPublicKey])
    /// The key was marked as revoked.
    case revoked
    /// The host is not known, and nothing was pinned.
    case unknown

    /// Whether the connection may go on to authentication.
    package var isAccepted: Bool { self == .trusted || self == .pinnedNow }

    /// Why the connection must end here, or `nil` where it may go on.
    ///
    /// - Parameters:
    ///   - key: The key that the host showed.
    ///   - pin: The host.
    /// - Returns: An error to throw before anything is sent to the host: `hostKeyMismatch`, `hostKeyRevoked` or
    ///   `hostKeyUnknown`.
    public func refusal(of key: SSHPublicKey, for pin: HostPin) -> CoreError? {
        switch self {
        case .pinnedNow, .trusted: nil
        case .mismatch(let expected): .hostKeyMismatch(pin: pin, expected: expected, got: key)
        case .revoked: .hostKeyRevoked(pin: pin, got: key)
        case .unknown: .hostKeyUnknown(pin: pin, got: key)
        }
    }
}
