// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

/// The error of RiffACP: an agent could not be started, talked to, or did not do what it was asked.
public struct ACPError: RiffError {
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
    /// What the other side answered, where it answered with an error.
    public let answer: ACP.RPCError?
    /// What is probably wrong, where the other side's words show it.
    public let hint: ACPErrorHint?

    /// The code with its target in front.
    public var stableCode: String { "acp.\(code.rawValue)" }

    /// An error of this target.
    public init(
        _ code: Code,
        _ message: String,
        recovery: Recovery? = nil,
        cause: (any Error)? = nil,
        answer: ACP.RPCError? = nil,
        hint: ACPErrorHint? = nil
    ) {
        self.code = code
        self.message = message
        self.recovery = recovery ?? hint?.recovery
        self.cause = cause
        self.answer = answer
        self.hint = hint
    }
}

extension ACPError.Code {
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
