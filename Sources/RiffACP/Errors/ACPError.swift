// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

/// The error of RiffACP: an agent could not be started, talked to, or did not do what it was asked.
public typealias ACPError = DomainError<ACPErrorCode>

/// The codes of ``ACPError``.
public struct ACPErrorCode: ErrorCode {
    /// The answer and the hint.
    public struct Details: Sendable {
        fileprivate let answer: ACP.RPCError?
        fileprivate let hint: ACPErrorHint?
    }

    /// `acp`.
    public static let domain = "acp"
    /// The name itself.
    public let rawValue: String

    /// Creates a code from its name, also from a name that this version does not know.
    public init(rawValue: String) { self.rawValue = rawValue }
}

extension ACPError {
    /// The other side's answer, if it answered with an error.
    public var answer: ACP.RPCError? { details?.answer }
    /// The probable cause, if the other side's words show it.
    public var hint: ACPErrorHint? { details?.hint }

    /// Creates an error with an answer, a hint or both.
    package init(
        _ code: ACPErrorCode,
        _ message: String,
        recovery: Recovery? = nil,
        cause: (any Error)? = nil,
        answer: ACP.RPCError? = nil,
        hint: ACPErrorHint? = nil
    ) {
        let details = ACPErrorCode.Details(answer: answer, hint: hint)
        self.init(code, message, recovery: recovery ?? hint?.recovery, cause: cause, details: details)
    }
}

extension ACPErrorCode {
    /// The other side answered with an error; ``ACPError/answer`` has its number and its words.
    public static let answeredWithError = ACPError.Code(rawValue: "answeredWithError")
    /// The other side's answer is not what its method answers.
    public static let unexpectedAnswer = ACPError.Code(rawValue: "unexpectedAnswer")
    /// The agent said that it does not do this; it was not asked.
    public static let notOffered = ACPError.Code(rawValue: "notOffered")
    /// No answer came in time.
    public static let timeout = ACPError.Code(rawValue: "timeout")
    /// The agent could not be started.
    public static let notStarted = ACPError.Code(rawValue: "notStarted")
    /// The agent's program has ended.
    public static let agentExited = ACPError.Code(rawValue: "agentExited")
    /// The connection to the agent was lost.
    public static let connectionLost = ACPError.Code(rawValue: "connectionLost")
    /// The connection was closed on this side.
    public static let closed = ACPError.Code(rawValue: "closed")
    /// The agent speaks another version of the protocol.
    public static let unsupportedVersion = ACPError.Code(rawValue: "unsupportedVersion")
    /// A parameter is against the protocol; nothing was sent.
    public static let invalidParameter = ACPError.Code(rawValue: "invalidParameter")
}
