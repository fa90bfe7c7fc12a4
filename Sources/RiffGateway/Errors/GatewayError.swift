// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

/// The error of RiffGateway: a gateway could not be asked, or did not do what it was asked.
public typealias GatewayError = DomainError<GatewayErrorCode>

/// The codes of ``GatewayError``.
public struct GatewayErrorCode: ErrorCode {
    /// A gateway's own words about an error, and its status.
    public struct Details: Sendable {
        fileprivate let answer: GatewayProblem?
        fileprivate let status: Int?
        fileprivate let retryAfter: Duration?
        fileprivate let payload: String?
    }

    /// `gateway`.
    public static let domain = "gateway"
    /// The name itself.
    public let rawValue: String

    /// Creates a code from its name, also from a name that this version does not know.
    public init(rawValue: String) { self.rawValue = rawValue }
}

extension GatewayError {
    /// The gateway's own words, if there are any.
    public var answer: GatewayProblem? { details?.answer }
    /// The status of the HTTP answer, if it was not a success.
    public var status: Int? { details?.status }
    /// The time that the gateway asks to wait before the request is sent again.
    public var retryAfter: Duration? { details?.retryAfter }
    /// The text that could not be understood, at most its first 64 KiB: for diagnosis, never shown or logged by itself.
    public var payload: String? { details?.payload }

    /// Creates an error with parts of a gateway's answer.
    package init(
        _ code: GatewayErrorCode,
        _ message: String,
        recovery: Recovery? = nil,
        cause: (any Error)? = nil,
        answer: GatewayProblem? = nil,
        status: Int? = nil,
        retryAfter: Duration? = nil,
        payload: String? = nil
    ) {
        let details = GatewayErrorCode.Details(
            answer: answer,
            status: status,
            retryAfter: retryAfter,
            payload: payload
        )
        self.init(code, message, recovery: recovery, cause: cause, details: details)
    }
}
