// Riff
// SPDX-License-Identifier: Apache-2.0

package import RiffCore

/// The outcome of one credential.
package enum SSHAuthenticationOutcome: Sendable, Hashable {
    case accepted
    /// The server wants another one, or this one was wrong.
    case refused(SSHRefusal)
    /// The password was right, and the server wants another one before it lets the user in (RFC 4252 section 8); there
    /// was no one to ask for one.
    case passwordExpired
}

/// A refusal (RFC 4252 section 5.1).
package struct SSHRefusal: Sendable, Hashable {
    /// The methods that can go on; `nil` if the engine does not know them, and they have to be asked for.
    package let methods: [String]?
    /// Whether the credential was right, and another one is wanted as well.
    package let isPartialSuccess: Bool

    package init(methods: [String]? = nil, isPartialSuccess: Bool = false) {
        self.methods = methods
        self.isPartialSuccess = isPartialSuccess
    }
}

/// A credential as an engine takes it.
package enum SSHEngineCredential {
    case key(SSHPrivateKey)
    /// `change` is asked for a new password where the server wants one; without it that is an outcome.
    case password(Secret, change: SSHEngineQuestion<SSHEngineRequest>?)
    /// Answers rounds of prompts, one after another.
    case prompts(SSHEngineQuestion<SSHEngineRequest>)
    case signer(SSHPublicKey, sign: SSHSignatureQuestion)
}

/// A function that asks another party for secrets; `done` may be called once, then or later.
package typealias SSHEngineQuestion<Request> = (
    Request, _ done: @escaping (Result<[Secret], TransportError>) -> Void
) -> Void

/// A function that asks another party to sign.
package typealias SSHSignatureQuestion = (
    SSHSigningRequest, _ done: @escaping (Result<SSHSignatureBytes, TransportError>) -> Void
) -> Void

/// A request of the server, in its own words: nothing of it was made harmless.
package struct SSHEngineRequest: Sendable, Hashable {
    package var name: String
    package var instruction: String
    /// For a new password one: the server's words, hidden.
    package var prompts: [Prompt]

    package struct Prompt: Sendable, Hashable {
        package var text: String
        package var echoes: Bool

        package init(text: String, echoes: Bool) {
            self.text = text
            self.echoes = echoes
        }
    }

    package init(name: String = "", instruction: String = "", prompts: [Prompt]) {
        self.name = name
        self.instruction = instruction
        self.prompts = prompts
    }
}

/// The words of a server to the user; nothing of them was made harmless.
package struct SSHEngineWords: Sendable, Hashable {
    package var text: String
    /// Whether the words came over the encrypted connection, whose host key is verified before they are shown. What
    /// came before, in clear, may be anybody's.
    package var isEncrypted: Bool

    package init(text: String, isEncrypted: Bool) {
        self.text = text
        self.isEncrypted = isEncrypted
    }
}

/// The most that a server can say and ask before it lets the user in.
package enum SSHLoginLimits {
    /// Banners, in bytes, and in messages.
    package static let bannerBytes = 64 * 1_024
    package static let banners = 128
    /// Rounds of prompts for one credential.
    package static let rounds = 64
    /// Prompts in one round.
    package static let prompts = 64

    package static var bannersDoNotEnd: TransportError {
        let message =
            "The server says more than \(bannerBytes) bytes in \(banners) messages before it lets anybody in; the "
            + "connection was ended."
        return TransportError(.sshProtocol, message)
    }

    package static var roundsDoNotEnd: TransportError {
        let message = "The server asked \(rounds) times and does not come to an end; the connection was ended."
        return TransportError(.sshProtocol, message)
    }

    package static var questionIsMalformed: TransportError {
        let message =
            "The server asked something that breaks the protocol, or more than \(prompts) questions at once; the "
            + "connection was ended."
        return TransportError(.sshProtocol, message)
    }
}
