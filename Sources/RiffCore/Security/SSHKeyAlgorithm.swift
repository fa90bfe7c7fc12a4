// Riff
// SPDX-License-Identifier: Apache-2.0

/// The type of an SSH key, by its name on the wire; an open set, so that a type this version does not know survives.
public struct SSHKeyAlgorithm: RawRepresentable, Sendable, Hashable, Codable {
    /// The name on the wire, such as `ssh-ed25519`.
    public let rawValue: String

    /// Any name, also one this version does not know.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Ed25519 (RFC 8709).
    public static let ed25519 = SSHKeyAlgorithm(rawValue: "ssh-ed25519")
    /// ECDSA on the curve P-256 (RFC 5656).
    package static let ecdsaP256 = SSHKeyAlgorithm(rawValue: "ecdsa-sha2-nistp256")
    /// ECDSA on the curve P-384 (RFC 5656).
    package static let ecdsaP384 = SSHKeyAlgorithm(rawValue: "ecdsa-sha2-nistp384")
    /// ECDSA on the curve P-521 (RFC 5656).
    package static let ecdsaP521 = SSHKeyAlgorithm(rawValue: "ecdsa-sha2-nistp521")
    /// RSA (RFC 4253). It names the key, not the signature: `rsa-sha2-256` and `rsa-sha2-512` sign with the same key.
    package static let rsa = SSHKeyAlgorithm(rawValue: "ssh-rsa")

    /// The types in the order in which they are asked of a host whose key is not known yet.
    package static let preferenceOrder: [SSHKeyAlgorithm] = [.ed25519, .ecdsaP256, .ecdsaP384, .ecdsaP521, .rsa]
}

extension SSHKeyAlgorithm {
    /// Whether a host has one key for both: the curves of ECDSA are one type, as `ssh-keygen -t ecdsa` makes one key.
    func isSameType(as other: SSHKeyAlgorithm) -> Bool {
        self == other || (EllipticCurve(self) != nil && EllipticCurve(other) != nil)
    }
}

extension SSHKeyAlgorithm: CustomStringConvertible {
    /// The name on the wire.
    public var description: String { rawValue }
}
