// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

/// The error of RiffServer: the server half cannot start, or a request cannot be served.
public typealias ServerError = DomainError<ServerErrorCode>

/// The codes of ``ServerError``.
public struct ServerErrorCode: ErrorCode {
    /// `server`.
    public static let domain = "server"
    /// The name itself.
    public let rawValue: String

    /// Creates a code from its name, also from a name that this version does not know.
    public init(rawValue: String) { self.rawValue = rawValue }
}
