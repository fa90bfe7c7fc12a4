// Riff
// SPDX-License-Identifier: Apache-2.0

package import RiffCore

/// A credential for one attempt.
package enum SSHLogin: Sendable {
    /// Asks which methods there are; some servers let everybody in.
    case none
    case password(Secret)
    /// A key that is here: signed at once, without asking whether it would do.
    case key(SSHSigningKey)
    /// A key that another party holds (an agent, a secure element). Asking first spares a person a touch for a key that
    /// the server does not take.
    case outsideKey(SSHPublicKey, asksFirst: Bool)
    /// Questions that the server asks (RFC 4256).
    case questions
}

/// The state of authentication.
struct SSHAuthenticationState: Sendable {
    enum Service: Sendable {
        case none, requested, accepted
    }

    enum Stage: Sendable {
        /// An RSA key waits for the server to say which signatures it takes.
        case waiting
        case sent
        /// The server was asked whether a key would do.
        case asked
        /// The holder of the key signs.
        case signing
        /// A person answers so many questions.
        case answering(Int)
        /// A person makes a new password.
        case changing
    }

    struct Attempt: Sendable {
        let user: String
        let login: SSHLogin
        var stage: Stage
        var algorithm: SSHSignatureAlgorithm?
    }

    var service = Service.none
    var attempt: Attempt?
    var isDone = false
    var bannerBytes = 0
    var questionRounds = 0
}
