// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore
internal import Synchronization

#if SSH
internal import RiffSSH
#endif

extension SSHPrivateKey {
    // sample: text: String, passphrase: Secret?
    /// Opens the key: decrypts it, and makes sure that its numbers belong together. An import screen calls it before it
    /// keeps a key, so that a wrong passphrase shows there and not at the first connection.
    ///
    /// ```swift
    /// let key = try SSHPrivateKey(pem: Secret(text), passphrase: passphrase)
    /// let opened = try await key.opened()
    /// ```
    ///
    /// OpenSSH's format (AES in CTR, CBC and GCM mode), PKCS#8 (PBES2 with AES), SEC1 and PKCS#1 are opened, of
    /// Ed25519, ECDSA and RSA keys. An encrypted key of `ssh-keygen`, of 24 rounds, takes about 0.2 seconds of a
    /// computer and less than a second of a phone; one that asks for more than 1,024 rounds is refused. The work is
    /// done on a thread of its own. Cancelling the task ends it.
    ///
    /// - Returns: The same key, not encrypted, in OpenSSH's format: its public half, its type and its comment are
    ///   always there. Kept in a ``SecretStore`` it is as safe as the encrypted one with its passphrase beside it, and
    ///   connects without the delay.
    /// - Throws: ``CoreError`` with `passphraseWrong`, with `keyUnsupported` for a cipher, a key derivation or a type
    ///   that cannot be used (its name is in the message), or with `invalidKey` for a damaged key; `CancellationError`;
    ///   ``TransportError`` with `sshUnavailable` in a build without SSH.
    public func opened() async throws -> SSHPrivateKey {
        #if SSH
        let flag = CancellationFlag()
        return try await withTaskCancellationHandler {
            try await onBlockingThread { try OpenedPrivateKey(self, isCancelled: { flag.isRaised }).plain }
        } onCancel: {
            flag.raise()
        }
        #else
        throw TransportError(.sshUnavailable, "This build has no SSH, and opens no keys.")
        #endif
    }
}

extension SSHCredential {
    /// The credential with its key opened, where it is an encrypted one.
    ///
    /// libssh2 opens keys inside of a call, on the event loop that others share, as slowly as the file says, and tells
    /// a wrong passphrase and a damaged file by the same code.
    ///
    /// - Throws: ``TransportError`` with `keyUnusable`; `CancellationError`.
    func opened() async throws -> SSHCredential {
        #if SSH
        guard case .key(let key) = kind, key.isEncrypted else { return self }
        do {
            return .key(try await key.opened())
        } catch let error as CoreError {
            // The old encryption of PEM files: the library knows it, and it takes no time.
            if error.code == .keyUnsupported, key.hasPEMEncryption { return self }
            throw TransportError(.keyUnusable, error.message, recovery: error.recovery, cause: error)
        }
        #else
        return self
        #endif
    }
}

/// Tells work on another thread that its task was cancelled.
private final class CancellationFlag: Sendable {
    private let raised = Atomic(false)

    var isRaised: Bool { raised.load(ordering: .relaxed) }

    func raise() { raised.store(true, ordering: .relaxed) }
}
