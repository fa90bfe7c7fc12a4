// Riff
// SPDX-License-Identifier: Apache-2.0

package import Crypto
internal import RiffCore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// One side's half of an exchange: what is sent, and, once, the secret from the other half.
package struct SSHExchangeShare: Sendable {
    /// The bytes for the peer.
    package let bytes: [UInt8]
    /// The private half is in here alone, and goes with it. A closure, because a stored value of a type that a
    /// platform has only since its last version cannot be declared.
    private let agree: @Sendable (_ reply: [UInt8]) throws -> SSHSharedSecret

    /// Creates the client's half.
    package init(_ method: SSHKeyExchangeMethod) throws(SSHError) {
        switch method {
        case .curve25519, .curve25519LibSSH: self.init(curve25519: Curve25519.KeyAgreement.PrivateKey())
        case .p256:
            let key = P256.KeyAgreement.PrivateKey()
            self.init(bytes: Array(key.publicKey.x963Representation)) {
                let peer = try P256.KeyAgreement.PublicKey(x963Representation: Self.uncompressed($0, 65))
                return try SSHSharedSecret(number: key.sharedSecretFromKeyAgreement(with: peer))
            }
        case .p384:
            let key = P384.KeyAgreement.PrivateKey()
            self.init(bytes: Array(key.publicKey.x963Representation)) {
                let peer = try P384.KeyAgreement.PublicKey(x963Representation: Self.uncompressed($0, 97))
                return try SSHSharedSecret(number: key.sharedSecretFromKeyAgreement(with: peer))
            }
        case .p521:
            let key = P521.KeyAgreement.PrivateKey()
            self.init(bytes: Array(key.publicKey.x963Representation)) {
                let peer = try P521.KeyAgreement.PublicKey(x963Representation: Self.uncompressed($0, 133))
                return try SSHSharedSecret(number: key.sharedSecretFromKeyAgreement(with: peer))
            }
        case .mlkem768x25519:
            guard let hybrid = Self.hybrid() else { throw Self.failed }
            self = hybrid
        }
    }

    /// Creates a half of curve25519 from a key, which known answers give.
    package init(curve25519 key: Curve25519.KeyAgreement.PrivateKey) {
        self.init(bytes: Array(key.publicKey.rawRepresentation)) {
            let peer = try Curve25519.KeyAgreement.PublicKey(rawRepresentation: $0)
            return try SSHSharedSecret(number: key.sharedSecretFromKeyAgreement(with: peer))
        }
    }

    init(bytes: [UInt8], agree: @escaping @Sendable (_ reply: [UInt8]) throws -> SSHSharedSecret) {
        self.bytes = bytes
        self.agree = agree
    }

    /// Returns the shared secret. A half of the wrong length, a point off the curve and one of small order are refused.
    package func secret(with reply: [UInt8]) throws(SSHError) -> SSHSharedSecret {
        do {
            return try agree(reply)
        } catch let error as SSHError {
            throw error
        } catch {
            throw Self.failed
        }
    }

    static var failed: SSHError {
        SSHError(.keyExchangeFailed, "The server's half of the key exchange is malformed.")
    }

    /// A point in the one form that SSH has (RFC 5656 section 4): no compressed one, no hybrid form.
    private static func uncompressed(_ point: [UInt8], _ count: Int) throws(SSHError) -> [UInt8] {
        guard point.count == count, point.first == 4 else { throw failed }
        return point
    }
}
