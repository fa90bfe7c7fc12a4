// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

extension TransportError {
    /// A server has to answer before it closes (RFC 4254 section 5.4). dropbear 2022.83 may start a program all the
    /// same.
    static var unanswered: TransportError {
        TransportError(
            .closedUnanswered,
            "The server closed the channel before it answered. Try again.",
            recovery: .retry
        )
    }

    static var channelClosed: TransportError {
        TransportError(.closed, "The channel was closed before it was answered.", recovery: .retry)
    }
}

extension SSHChannelKind {
    /// The beginning of the error for a server's refusal; the protocol has a reason, which follows.
    var refusal: String {
        switch self {
        case .session: "The server refused a channel"
        case .tunnel(let host, let port, _):
            "The server made no connection to \(host), port \(port): it may not answer, or AllowTcpForwarding in "
                + "sshd_config may not let this account through"
        }
    }
}

extension TransportError {
    /// The server has a rule against it.
    static func forwardingProhibited(host: String, port: Int) -> TransportError {
        let message =
            "The host does not let this account connect to \(host), port \(port). Allow it there: AllowTcpForwarding and "
            + "PermitOpen in sshd_config; no-port-forwarding, restrict or permitopen before the key in authorized_keys."
        return TransportError(.forwardingProhibited, message)
    }

    /// The server tried.
    static func forwardingFailed(host: String, port: Int) -> TransportError {
        let message =
            "The host could not connect to \(host), port \(port): nothing listens there, the name is not known to it, or "
            + "no way leads there."
        return TransportError(.forwardingFailed, message, recovery: .retry)
    }
}

extension SSHChannelRequest {
    /// What was asked for, in words.
    var name: String {
        switch self {
        case .terminal: "a terminal"
        case .exec: "to run a command"
        case .subsystem(let name): "the subsystem \"\(name)\""
        case .resize: "a new size"
        }
    }

    /// The error for a server's refusal, in words for who can change it: the protocol has none (RFC 4254 section 5.4).
    package var refused: TransportError {
        switch self {
        case .terminal:
            TransportError(
                .channelRequestRefused,
                "The server gives this account no terminal. Allow it one: PermitTTY in sshd_config, no-pty or restrict "
                    + "in authorized_keys."
            )
        case .exec:
            TransportError(
                .channelRequestRefused,
                "The server runs no commands for this account, or for this key. Use another account, or allow them there."
            )
        case .subsystem("sftp"):
            TransportError(
                .sftpUnavailable,
                "The host has no file service (SFTP). Turn it on in its SSH server, for OpenSSH with the line \"Subsystem "
                    + "sftp internal-sftp\" in sshd_config, for dropbear by installing OpenSSH's sftp-server."
            )
        case .subsystem, .resize:
            TransportError(.channelRequestRefused, "The server refused \(name).")
        }
    }
}
