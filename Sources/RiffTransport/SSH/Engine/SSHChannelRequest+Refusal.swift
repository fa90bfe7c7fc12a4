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
        case .tunnel(let target, _):
            "The server made no connection to \(target.words): it may not answer, or AllowTcpForwarding and "
                + "AllowStreamLocalForwarding in sshd_config may not let this account through"
        }
    }
}

extension SSHChannelRequest {
    /// The name of the request, in words.
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
