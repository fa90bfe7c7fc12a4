// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

/// The error of RiffHub: a voice hub could not be asked, does not have what was asked, or is none that is known.
public typealias HubError = DomainError<HubErrorCode>

/// The codes of ``HubError``.
public struct HubErrorCode: ErrorCode {
    /// The status of an HTTP answer.
    public struct Details: Sendable {
        fileprivate let status: Int?
    }

    /// `hub`.
    public static let domain = "hub"
    /// The name itself.
    public let rawValue: String

    /// Creates a code from its name, also from a name that this version does not know.
    public init(rawValue: String) { self.rawValue = rawValue }
}

extension HubError {
    /// The status of the HTTP answer, if it was not a success.
    public var status: Int? { details?.status }

    /// Creates an error with the status of an answer.
    package init(
        _ code: HubErrorCode,
        _ message: String,
        recovery: Recovery? = nil,
        cause: (any Error)? = nil,
        status: Int?
    ) {
        self.init(code, message, recovery: recovery, cause: cause, details: HubErrorCode.Details(status: status))
    }
}
