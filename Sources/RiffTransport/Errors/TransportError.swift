// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

/// The error of RiffTransport: bytes could not be brought to or from a machine.
public typealias TransportError = DomainError<TransportErrorCode>

/// The codes of ``TransportError``.
public struct TransportErrorCode: ErrorCode {
    /// `transport`.
    public static let domain = "transport"
    /// The name itself.
    public let rawValue: String

    /// Creates a code from its name, also from a name that this version does not know.
    public init(rawValue: String) { self.rawValue = rawValue }
}

extension TransportErrorCode {
    /// The operation was tried on something that was already closed, by us or by the peer.
    public static let closed = TransportError.Code(rawValue: "closed")
    /// The operation did not end before its deadline.
    public static let timeout = TransportError.Code(rawValue: "timeout")
    /// The connection was there and was lost.
    public static let connectionLost = TransportError.Code(rawValue: "connectionLost")
}
