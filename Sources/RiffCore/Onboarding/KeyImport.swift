// Riff
// SPDX-License-Identifier: Apache-2.0

/// The import of a private key that a person brings to onboarding.
public enum KeyImport {
    /// Reads a key for use with hosts.
    ///
    /// - Parameters:
    ///   - pem: The key file's text.
    ///   - passphrase: What opens it, where it is encrypted.
    /// - Returns: The key.
    /// - Throws: ``CoreError`` with `rsaKeyRefused`, `passphraseNeeded`, `keyUnsupported` or `invalidKey`.
    public static func read(_ pem: Secret, passphrase: Secret? = nil) throws(CoreError) -> SSHPrivateKey {
        // Told before the passphrase is asked for, where the key's form shows its type.
        guard try SSHPrivateKey.publicKey(inPEM: pem)?.algorithm != .rsa, !isOldRSA(pem) else { throw rsaRefused }
        let key = try SSHPrivateKey(pem: pem, passphrase: passphrase)
        guard key.algorithm != .rsa else { throw rsaRefused }
        return key
    }

    /// Reads a key and opens it.
    static func read(
        _ pem: Secret,
        passphrase: Secret?,
        openedBy tester: any HostTester
    ) async throws -> SSHPrivateKey {
        let key = try await tester.open(try read(pem, passphrase: passphrase))
        // Some forms show their type only now.
        guard key.algorithm != .rsa else { throw rsaRefused }
        return key
    }

    /// Whether a text is worth reading as a private key: what enables a form's button. It says yes to an encrypted key
    /// without its passphrase.
    package static func isLikelyKey(_ text: String) -> Bool {
        do throws(CoreError) {
            _ = try read(Secret(text))
            return true
        } catch {
            return error.code == .passphraseNeeded
        }
    }

    private static func isOldRSA(_ pem: Secret) -> Bool {
        String(decoding: pem.bytes, as: UTF8.self).contains("BEGIN RSA PRIVATE KEY")
    }

    /// Servers of today refuse the signatures that SSH libraries without SHA-2 make with RSA keys, and such a refusal
    /// looks like a key that is not authorized.
    private static var rsaRefused: CoreError {
        let message =
            "RSA keys are not taken: servers refuse the signatures that some SSH libraries make with them. Make a new key "
            + "here, or import an Ed25519 key (ssh-keygen -t ed25519)."
        return CoreError(.rsaKeyRefused, message, recovery: .keySettings)
    }
}

extension CoreErrorCode {
    /// An RSA key was to be imported.
    public static let rsaKeyRefused = CoreError.Code(rawValue: "rsaKeyRefused")
}
