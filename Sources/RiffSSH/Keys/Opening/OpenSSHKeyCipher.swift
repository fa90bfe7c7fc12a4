// Riff
// SPDX-License-Identifier: Apache-2.0

internal import Crypto
internal import CryptoExtras
internal import RiffCore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A cipher of OpenSSH's key files, by the name that the file has.
enum OpenSSHKeyCipher: String, CaseIterable {
    case aes128CTR = "aes128-ctr"
    case aes192CTR = "aes192-ctr"
    case aes256CTR = "aes256-ctr"
    case aes128CBC = "aes128-cbc"
    case aes192CBC = "aes192-cbc"
    case aes256CBC = "aes256-cbc"
    case aes128GCM = "aes128-gcm@openssh.com"
    case aes256GCM = "aes256-gcm@openssh.com"

    var keyBytes: Int {
        switch self {
        case .aes128CTR, .aes128CBC, .aes128GCM: 16
        case .aes192CTR, .aes192CBC: 24
        case .aes256CTR, .aes256CBC, .aes256GCM: 32
        }
    }

    var nonceBytes: Int { tagBytes == 0 ? 16 : 12 }
    var tagBytes: Int { self == .aes128GCM || self == .aes256GCM ? 16 : 0 }

    /// Decrypts a private section.
    ///
    /// - Parameters:
    ///   - file: The file it is from.
    ///   - derived: The key, and the nonce behind it.
    /// - Returns: The section, which may be anything if the passphrase is wrong.
    /// - Throws: ``CoreError`` with `invalidKey`, or with `passphraseWrong` if the cipher itself tells.
    func section(of file: OpenSSHPrivateKeyFormat, derived: [UInt8]) throws(CoreError) -> [UInt8] {
        guard file.section.count % 16 == 0, file.tag.count == tagBytes else {
            throw .damagedKey("its encrypted part has a wrong length for \(rawValue)")
        }
        let key = SymmetricKey(data: derived.prefix(keyBytes))
        let nonce = Array(derived.dropFirst(keyBytes))
        do {
            switch self {
            case .aes128CTR, .aes192CTR, .aes256CTR:
                return Array(try AES._CTR.decrypt(file.section, using: key, nonce: AES._CTR.Nonce(nonceBytes: nonce)))
            case .aes128CBC, .aes192CBC, .aes256CBC:
                let nonce = try AES._CBC.IV(ivBytes: nonce)
                return Array(try AES._CBC.decrypt(file.section, using: key, iv: nonce, noPadding: true))
            case .aes128GCM, .aes256GCM:
                let nonce = try AES.GCM.Nonce(data: nonce)
                let box = try AES.GCM.SealedBox(nonce: nonce, ciphertext: file.section, tag: file.tag)
                return Array(try AES.GCM.open(box, using: key))
            }
        } catch {
            if tagBytes > 0 { throw .wrongPassphrase(isCertain: false) }
            throw .damagedKey("its encrypted part cannot be decrypted")
        }
    }
}
