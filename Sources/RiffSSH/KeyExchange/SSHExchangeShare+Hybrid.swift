// Riff
// SPDX-License-Identifier: Apache-2.0

internal import Crypto

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension SSHExchangeShare {
    private static let encapsulationKeyBytes = 1_184
    private static let ciphertextBytes = 1_088
    private static let pointBytes = 32

    /// ML-KEM 768 with X25519; `nil` where the platform has none.
    static func hybrid() -> SSHExchangeShare? {
        guard #available(macOS 26, iOS 26, tvOS 26, visionOS 26, *) else { return nil }
        guard let quantum = try? MLKEM768.PrivateKey.generate() else { return nil }
        let classic = Curve25519.KeyAgreement.PrivateKey()
        let bytes = Array(quantum.publicKey.rawRepresentation) + Array(classic.publicKey.rawRepresentation)
        return SSHExchangeShare(bytes: bytes) { reply in
            guard reply.count == ciphertextBytes + pointBytes else { throw failed }
            let peer = try Curve25519.KeyAgreement.PublicKey(rawRepresentation: reply.suffix(pointBytes))
            return try SSHSharedSecret(
                quantum: quantum.decapsulate(reply.prefix(ciphertextBytes)),
                classic: classic.sharedSecretFromKeyAgreement(with: peer)
            )
        }
    }

    /// The server's half and the secret, for a client's half: what a scripted server needs.
    package static func reply(
        _ method: SSHKeyExchangeMethod,
        to share: [UInt8]
    ) throws(SSHError) -> (share: [UInt8], secret: SSHSharedSecret) {
        guard method == .mlkem768x25519 else {
            let own = try SSHExchangeShare(method)
            return (own.bytes, try own.secret(with: share))
        }
        guard #available(macOS 26, iOS 26, tvOS 26, visionOS 26, *) else { throw failed }
        guard share.count == encapsulationKeyBytes + pointBytes else { throw failed }
        do {
            let quantum = try MLKEM768.PublicKey(rawRepresentation: share.prefix(encapsulationKeyBytes)).encapsulate()
            let classic = Curve25519.KeyAgreement.PrivateKey()
            let peer = try Curve25519.KeyAgreement.PublicKey(rawRepresentation: share.suffix(pointBytes))
            let secret = try SSHSharedSecret(
                quantum: quantum.sharedSecret,
                classic: classic.sharedSecretFromKeyAgreement(with: peer)
            )
            return (Array(quantum.encapsulated) + Array(classic.publicKey.rawRepresentation), secret)
        } catch {
            throw failed
        }
    }
}
