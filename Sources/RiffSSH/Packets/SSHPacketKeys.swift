// Riff
// SPDX-License-Identifier: Apache-2.0

internal import Crypto
internal import RiffCore

/// The keys of one direction.
package struct SSHPacketKeys: Sendable {
    let protection: SSHAgreement.SSHProtection
    let nonce: SymmetricKey
    let key: SymmetricKey
    let macKey: SymmetricKey

    /// Derives them (RFC 4253 section 7.2).
    ///
    /// - Parameters:
    ///   - protection: The cipher and the MAC.
    ///   - letters: Of the nonce, the key and the MAC's key: A, C, E to the server, B, D, F to the client.
    ///   - keys: What they come from.
    init(_ protection: SSHAgreement.SSHProtection, letters: (Character, Character, Character), from keys: SSHKeySource)
    {
        self.protection = protection
        nonce = keys.key(letters.0, bytes: protection.cipher.nonceBytes)
        key = keys.key(letters.1, bytes: protection.cipher.keyBytes)
        macKey = keys.key(letters.2, bytes: protection.mac?.bytes ?? 0)
    }
}

/// The values that keys are derived from: an exchange's secret and hash, and the connection's first hash.
package struct SSHKeySource: Sendable {
    let hash: SSHHash
    let secret: SSHSharedSecret
    package let exchangeHash: [UInt8]
    package let sessionID: [UInt8]

    package init(hash: SSHHash, secret: SSHSharedSecret, exchangeHash: [UInt8], sessionID: [UInt8]?) {
        self.hash = hash
        self.secret = secret
        self.exchangeHash = exchangeHash
        self.sessionID = sessionID ?? exchangeHash
    }

    func key(_ letter: Character, bytes: Int) -> SymmetricKey {
        hash.key(letter, bytes: bytes, secret: secret, exchangeHash: exchangeHash, sessionID: sessionID)
    }

    package func toServer(_ agreement: SSHAgreement) -> SSHPacketKeys {
        SSHPacketKeys(agreement.toServer, letters: ("A", "C", "E"), from: self)
    }

    package func toClient(_ agreement: SSHAgreement) -> SSHPacketKeys {
        SSHPacketKeys(agreement.toClient, letters: ("B", "D", "F"), from: self)
    }
}
