// Riff
// SPDX-License-Identifier: Apache-2.0

package import RiffCore

/// Opens private keys: decrypts what is encrypted, and makes sure that the key can sign.
///
/// An encrypted file may ask for rounds that take seconds (all that are taken: 7 seconds on a machine that does
/// OpenSSH's 24 rounds in 0.16), so it belongs on a thread that may block.
package struct OpenedPrivateKey: Sendable {
    /// The key that signs.
    package let signingKey: SSHSigningKey
    /// The same key in OpenSSH's format, not encrypted, with its public half and its comment.
    package let plain: SSHPrivateKey

    /// Opens a key.
    ///
    /// - Parameters:
    ///   - key: The key, with its passphrase if it is encrypted.
    ///   - isCancelled: Asked now and then, at least once in ten milliseconds of a phone's processor.
    /// - Throws: ``CoreError`` with `passphraseWrong`, `keyUnsupported`, `invalidKey` or `passphraseNeeded`;
    ///   `CancellationError`.
    package init(_ key: SSHPrivateKey, isCancelled: () -> Bool = { false }) throws {
        let block = try PEMBlock(key.pem)
        var contents = try PrivateKeyContents(block)
        if contents.isEncrypted {
            guard let passphrase = key.passphrase, !passphrase.isEmpty else {
                throw CoreError(.passphraseNeeded, "The private key is encrypted; its passphrase is needed.")
            }
            contents = try Self.decrypted(block, passphrase, isCancelled)
        }
        guard let numbers = contents.numbers else {
            throw CoreError.unsupportedKeyType(contents.algorithm ?? SSHKeyAlgorithm(rawValue: "unknown"))
        }
        signingKey = try SSHSigningKey(numbers)
        plain = try SSHPrivateKey(numbers, comment: contents.publicKey?.comment ?? "")
    }

    private static func decrypted(
        _ block: PEMBlock,
        _ passphrase: Secret,
        _ isCancelled: () -> Bool
    ) throws -> PrivateKeyContents {
        switch block.label {
        case PEMBlock.openSSH:
            let file = try OpenSSHPrivateKeyFormat(block.body)
            let section = try Self.section(of: file, passphrase, isCancelled)
            return try file.contents(ofSection: section)
        case "ENCRYPTED PRIVATE KEY": return try EncryptedPKCS8(block.body).contents(passphrase: passphrase)
        default:
            throw CoreError.unsupportedKey(
                "The private key is encrypted in the old way of PEM files (DEK-Info, with MD5), which is not taken. "
                    + "Encrypt it again with: ssh-keygen -p -f FILE"
            )
        }
    }

    private static func section(
        of file: OpenSSHPrivateKeyFormat,
        _ passphrase: Secret,
        _ isCancelled: () -> Bool
    ) throws -> [UInt8] {
        guard let cipher = OpenSSHKeyCipher(rawValue: file.cipher) else {
            throw CoreError.unsupportedKey(
                "The private key is encrypted with \(InertText.quote(file.cipher)), which is not taken. "
                    + "Encrypt it again with: ssh-keygen -p -Z aes256-ctr -f FILE"
            )
        }
        let derived = try BcryptKeyDerivation.key(
            passphrase: passphrase.bytes,
            salt: file.salt,
            rounds: Int(file.rounds),
            count: cipher.keyBytes + cipher.nonceBytes,
            isCancelled: isCancelled
        )
        guard var derived else {
            throw CoreError.unsupportedKey(
                "The private key asks for \(file.rounds) rounds of its key derivation, and "
                    + "\(BcryptKeyDerivation.roundLimit) are the most that are done. Encrypt it again with: "
                    + "ssh-keygen -p -a 24 -f FILE"
            )
        }
        defer { derived.wipe() }
        return try cipher.section(of: file, derived: derived)
    }
}
