// Riff
// SPDX-License-Identifier: Apache-2.0

package import RiffCore

/// The error that ends a connection of this engine, or refuses a call.
package typealias SSHError = DomainError<SSHErrorCode>

/// The codes of ``SSHError``.
package struct SSHErrorCode: ErrorCode {
    package static let domain = "ssh"
    package let rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }

    /// The peer does not speak SSH 2.
    package static let notSSH = SSHErrorCode(rawValue: "notSSH")
    /// The peer sent a message that is malformed, or that is not legal in this state.
    package static let protocolViolation = SSHErrorCode(rawValue: "protocolViolation")
    /// A packet's integrity check failed, or its length cannot be right.
    package static let damagedPacket = SSHErrorCode(rawValue: "damagedPacket")
    /// The peer sent more of something than is taken.
    package static let limitExceeded = SSHErrorCode(rawValue: "limitExceeded")
    /// The peer said more in banners than is taken.
    package static let endlessBanners = SSHErrorCode(rawValue: "endlessBanners")
    /// The peer asked for one credential more often than is answered.
    package static let endlessQuestions = SSHErrorCode(rawValue: "endlessQuestions")
    /// The peer asked something malformed, or too much at once.
    package static let malformedQuestion = SSHErrorCode(rawValue: "malformedQuestion")
    /// Both sides have no algorithm of some kind in common; the message has both lists.
    package static let noCommonAlgorithm = SSHErrorCode(rawValue: "noCommonAlgorithm")
    /// The key exchange gave no usable secret, or the host's signature is wrong.
    package static let keyExchangeFailed = SSHErrorCode(rawValue: "keyExchangeFailed")
    /// The caller refused the host key.
    package static let hostKeyRefused = SSHErrorCode(rawValue: "hostKeyRefused")
    /// The peer ended the connection with a message.
    package static let disconnected = SSHErrorCode(rawValue: "disconnected")
    /// The peer's bytes ended without a message.
    package static let connectionLost = SSHErrorCode(rawValue: "connectionLost")
    /// The caller ended the connection.
    package static let closed = SSHErrorCode(rawValue: "closed")
    /// A call is not possible in this state.
    package static let notPossible = SSHErrorCode(rawValue: "notPossible")
    /// A key of the caller cannot be used.
    package static let unusableKey = SSHErrorCode(rawValue: "unusableKey")
}

extension SSHError {
    /// Returns the error of a peer's message that is malformed or not legal in this state.
    static func violation(_ what: String) -> SSHError {
        SSHError(.protocolViolation, "The server broke the SSH protocol: \(what).")
    }

    /// The peer sent more of something than is taken.
    static func limit(_ what: String, _ code: SSHErrorCode = .limitExceeded) -> SSHError {
        SSHError(code, "The server sent \(what), which is more than is taken.")
    }

    /// One error for everything that can be wrong with a packet, so that a forger learns nothing from it.
    static var damagedPacket: SSHError {
        SSHError(.damagedPacket, "The data of the SSH connection was damaged or changed on its way.")
    }
}
