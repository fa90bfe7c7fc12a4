// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

/// The error of RiffGateway: a gateway could not be asked, or did not do what it was asked.
public struct GatewayError: RiffError {
    /// The open set of codes; each room adds its own as static members beside the code that throws it.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The name itself.
        public let rawValue: String

        /// Any name, also one this version does not know.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// What went wrong, to switch on.
    public let code: Code
    /// What failed, on what, and what the caller can do.
    public let message: String
    /// What a front end can offer, where there is something.
    public let recovery: Recovery?
    /// The error beneath, for diagnosis; never needed to understand ``message``.
    public let cause: (any Error)?
    /// The gateway's own words, where it said some.
    public let answer: GatewayProblem?
    /// The status of the HTTP answer, where it was not a success.
    public let status: Int?
    /// How long the gateway asks to wait before the request is sent again.
    public let retryAfter: Duration?
    /// What could not be understood, at most its first 64 KiB: for diagnosis, never shown or logged by itself.
    public let payload: String?

    /// The code with its target in front.
    public var stableCode: String { "gateway.\(code.rawValue)" }

    /// An error of this target.
    public init(
        _ code: Code,
        _ message: String,
        recovery: Recovery? = nil,
        cause: (any Error)? = nil,
        answer: GatewayProblem? = nil,
        status: Int? = nil,
        retryAfter: Duration? = nil,
        payload: String? = nil
    ) {
        self.code = code
        self.message = message
        self.recovery = recovery
        self.cause = cause
        self.answer = answer
        self.status = status
        self.retryAfter = retryAfter
        self.payload = payload
    }
}
