// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

/// One way to prove who the user is. A host takes several, tried in order until the server is content.
public struct SSHCredential: Sendable {
    package enum Kind: Sendable {
        case key(SSHPrivateKey)
        case password(Secret)
        case prompts(@Sendable (SSHPrompts) async throws -> [Secret])
        case conversation
        case signer(any SSHSigner)
    }

    package let kind: Kind

    /// A private key held in memory (ed25519 or ECDSA; RSA where libssh2 is 1.11 or later).
    public static func key(_ key: SSHPrivateKey) -> SSHCredential { SSHCredential(kind: .key(key)) }

    /// A password, sent only after the host key was verified and only over the encrypted connection.
    ///
    /// A server that asks for it by a prompt instead (keyboard-interactive) gets it as the answer to the first
    /// question, if that is a single, hidden one. Further questions, and a request for a new password where this one
    /// expired, go to the configuration's ``SSHHost/Configuration/conversation``.
    public static func password(_ password: Secret) -> SSHCredential { SSHCredential(kind: .password(password)) }

    /// Answers to the server's questions (RFC 4256), such as a one-time code, by the configuration's
    /// ``SSHHost/Configuration/conversation``; without one it is passed over.
    public static var questions: SSHCredential { SSHCredential(kind: .conversation) }

    /// Answers to the server's questions (RFC 4256), such as a one-time code, by a closure.
    ///
    /// - Parameter answer: Called for each round of questions, possibly several times, also for one that has only
    ///   something to read; gives one answer for each question, in their order. What it throws ends the attempt.
    /// - Returns: The credential.
    public static func keyboardInteractive(
        _ answer: @escaping @Sendable (SSHPrompts) async throws -> [Secret]
    ) -> SSHCredential {
        SSHCredential(kind: .prompts(answer))
    }

    /// A key that cannot be read, only asked to sign: an agent's, or a secure enclave's.
    public static func signer(_ signer: any SSHSigner) -> SSHCredential { SSHCredential(kind: .signer(signer)) }
}
