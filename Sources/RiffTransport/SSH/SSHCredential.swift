// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

/// One way to prove who the user is. A host takes several, tried in order until the server is content.
public struct SSHCredential: Sendable {
    package enum Kind: Sendable {
        case key(SSHPrivateKey)
        case password(Secret)
        case prompts(@Sendable ([SSHPrompt]) async throws -> [Secret])
        case signer(any SSHSigner)
    }

    package let kind: Kind

    /// A private key held in memory (ed25519 or ECDSA; RSA where libssh2 is 1.11 or later).
    public static func key(_ key: SSHPrivateKey) -> SSHCredential { SSHCredential(kind: .key(key)) }

    /// A password, sent only after the host key was verified and only over the encrypted connection.
    public static func password(_ password: Secret) -> SSHCredential { SSHCredential(kind: .password(password)) }

    /// Answers to the server's prompts (RFC 4256), such as a one-time code.
    ///
    /// - Parameter answer: Called for each round of prompts, possibly several times; gives one answer for each prompt,
    ///   in their order. What it throws ends the attempt. A connection with such a credential gets a thread of its own,
    ///   which waits in the meantime.
    /// - Returns: The credential.
    public static func keyboardInteractive(
        _ answer: @escaping @Sendable ([SSHPrompt]) async throws -> [Secret]
    ) -> SSHCredential {
        SSHCredential(kind: .prompts(answer))
    }

    /// A key that cannot be read, only asked to sign: an agent's, or a secure enclave's.
    public static func signer(_ signer: any SSHSigner) -> SSHCredential { SSHCredential(kind: .signer(signer)) }

    /// The method's name on the wire (RFC 4252).
    var method: String {
        switch kind {
        case .key, .signer: "publickey"
        case .password: "password"
        case .prompts: "keyboard-interactive"
        }
    }
}

/// A seam: a private key that only signs.
///
/// To the implementer: `sign` may take as long as a person needs to touch a sensor; throw a ``RiffError`` where it
/// cannot be done, `CancellationError` when the task was cancelled.
public protocol SSHSigner: Sendable {
    /// The key the server has authorized.
    var publicKey: SSHPublicKey { get }

    /// Signs the bytes.
    ///
    /// - Parameter data: What to sign, not hashed.
    /// - Returns: The signature's bytes without the algorithm's name: 64 bytes for ed25519 (RFC 8032), the two mpints
    ///   `r` and `s` for ECDSA (RFC 5656 section 3.1.2).
    /// - Throws: A ``RiffError``, or `CancellationError`.
    func sign(_ data: [UInt8]) async throws -> [UInt8]
}
