// Riff
// SPDX-License-Identifier: Apache-2.0

#if SSH
internal import RiffCore
internal import RiffSSH

extension SwiftSSHEngine {
    /// Returns the seam's error for one that a call of the client's threw.
    func transportError(_ error: SSHError) -> TransportError {
        switch error.code {
        case .noCommonAlgorithm: TransportError(.noCommonAlgorithm, error.message)
        case .notSSH:
            TransportError(
                .notSSHServer,
                "What answers at \(host) is not an SSH server. Check the port.",
                recovery: .openSettings(.port)
            )
        case .connectionLost where login.asks:
            TransportError(
                .connectionLost,
                "The server closed the connection while it waited for an answer.",
                recovery: .retry
            )
        case .connectionLost, .disconnected:
            TransportError(.connectionLost, error.message, recovery: .retry)
        case .closed: TransportError(.closed, error.message)
        case .unusableKey: TransportError(.keyUnusable, error.message, cause: error)
        case .endlessBanners: SSHLoginLimits.bannersDoNotEnd
        case .endlessQuestions: SSHLoginLimits.roundsDoNotEnd
        case .malformedQuestion: SSHLoginLimits.questionIsMalformed
        default: TransportError(.sshProtocol, error.message, recovery: .retry, cause: error)
        }
    }

    /// The error that ended the connection; before the keys are exchanged there is more to say of it.
    func endingError(_ error: SSHError) -> TransportError {
        guard login.isExchanging else { return transportError(error) }
        if error.code == .noCommonAlgorithm, let offer = preamble.kexInit,
            let mismatch = login.algorithms?.mismatch(with: offer, on: host)
        {
            return mismatch
        }
        if let version = preamble.serverVersion, version.utf8.count > 253 {
            let message =
                "\(host) identifies itself in \(version.utf8.count) bytes, and 253 is the most that SSH allows. Shorten "
                + "VersionAddendum in its sshd_config."
            return TransportError(.sshProtocol, message)
        }
        guard error.code == .connectionLost || error.code == .notSSH else { return transportError(error) }
        if preamble.serverVersion != nil, error.code == .connectionLost {
            return TransportError(
                .connectionLost,
                "The server closed the connection during the key exchange.",
                recovery: .retry
            )
        }
        guard preamble.hasBeenTurnedAway else { return transportError(SSHError(.notSSH, error.message)) }
        let message =
            "\(host) closed the connection before it said that it speaks SSH. It may have too many new connections "
            + "at once (MaxStartups) or refuse this address for a while. Try again in a moment."
        return TransportError(.droppedBeforeBanner, message, recovery: .retry)
    }
}

extension SSHError {
    static var noConnection: SSHError { SSHError(.notPossible, "No keys were exchanged yet.") }
}
#endif
