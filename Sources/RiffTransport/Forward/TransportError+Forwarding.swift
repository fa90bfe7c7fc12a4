// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

extension TransportErrorCode {
    /// The host does not let this account connect to that address (RFC 4254 section 5.1, administratively prohibited):
    /// `AllowTcpForwarding`, `PermitOpen`, or `restrict` before the key.
    public static let forwardingProhibited = TransportError.Code(rawValue: "forwardingProhibited")
    /// The host tried to connect to the address and could not: nothing listens, the name is unknown, no way leads
    /// there.
    public static let forwardingFailed = TransportError.Code(rawValue: "forwardingFailed")
    /// Another program listens on the local port.
    public static let portInUse = TransportError.Code(rawValue: "portInUse")
    /// The local port cannot be listened on: it is reserved, or the interface does not exist.
    public static let listenFailed = TransportError.Code(rawValue: "listenFailed")
    /// As many connections as a forward carries are open.
    public static let tooManyConnections = TransportError.Code(rawValue: "tooManyConnections")
    /// This kind of host, or this build, cannot do it.
    public static let unsupported = TransportError.Code(rawValue: "unsupported")
}

extension TransportError {
    /// Says that something cannot be done, for now.
    static func unsupportedForwarding(_ what: String) -> TransportError {
        TransportError(.unsupported, "This version cannot \(what). Use the host's own ssh for it.")
    }
}
