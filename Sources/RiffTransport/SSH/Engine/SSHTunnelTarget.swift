// Riff
// SPDX-License-Identifier: Apache-2.0

package import RiffCore

/// The target that a channel without a program is connected to, as the server sees it.
package enum SSHTunnelTarget: Sendable, Hashable {
    /// A TCP port (RFC 4254 section 7.2). The name is looked up on the server.
    case tcp(host: String, port: Int)
    /// A unix socket (`direct-streamlocal@openssh.com`, OpenSSH's PROTOCOL section 2.4), by its absolute path.
    case unix(path: String)

    /// The target in words, for messages.
    package var words: String {
        switch self {
        case .tcp(let host, let port): "\(host), port \(port)"
        case .unix(let path): "the socket \(InertText.quote(path))"
        }
    }
}

extension TransportError {
    /// The server has a rule against it.
    static func forwardingProhibited(to target: SSHTunnelTarget) -> TransportError {
        let settings =
            switch target {
            case .tcp: "AllowTcpForwarding and PermitOpen in sshd_config; no-port-forwarding, restrict or permitopen"
            case .unix: "AllowStreamLocalForwarding in sshd_config; no-port-forwarding or restrict"
            }
        let message =
            "The host does not let this account connect to \(target.words). Allow it there: \(settings) before the key in "
            + "authorized_keys."
        return TransportError(.forwardingProhibited, message)
    }

    /// The server tried.
    static func forwardingFailed(to target: SSHTunnelTarget) -> TransportError {
        let reasons =
            switch target {
            case .tcp: "nothing listens there, the name is not known to it, or no way leads there"
            case .unix: "nothing listens there, or this account may not use it"
            }
        return TransportError(
            .forwardingFailed,
            "The host could not connect to \(target.words): \(reasons).",
            recovery: .retry
        )
    }
}
