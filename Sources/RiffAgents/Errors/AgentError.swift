// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

/// The error of RiffAgents: an agent or its server could not be asked, told or answered.
public typealias AgentError = DomainError<AgentErrorCode>

/// The codes of ``AgentError``.
public struct AgentErrorCode: ErrorCode {
    /// `agent`.
    public static let domain = "agent"
    /// The name itself.
    public let rawValue: String

    /// Creates a code from its name, also from a name that this version does not know.
    public init(rawValue: String) { self.rawValue = rawValue }
}

extension AgentErrorCode {
    /// No server of the agent's runs on the host.
    public static let noServer = AgentError.Code(rawValue: "noServer")
    /// The agent's server refused a call, or said something that makes no sense; the message quotes it.
    public static let serverFailed = AgentError.Code(rawValue: "serverFailed")
    /// There is no connection to the agent's server. Nothing was sent.
    public static let notConnected = AgentError.Code(rawValue: "notConnected")
    /// The connection to the agent's server was lost before its answer: what was sent may have arrived.
    public static let serverLost = AgentError.Code(rawValue: "serverLost")
    /// No conversation is known to whom this could be told.
    public static let noThread = AgentError.Code(rawValue: "noThread")
    /// No turn runs.
    public static let noTurn = AgentError.Code(rawValue: "noTurn")
    /// The question is over, or another one stands in its place. Nothing was answered.
    public static let questionGone = AgentError.Code(rawValue: "questionGone")
    /// The question has an answer already, from here or from another client. This one was not given.
    public static let alreadyAnswered = AgentError.Code(rawValue: "alreadyAnswered")
    /// This answer cannot be given to this question in this way. Nothing was answered.
    public static let notAnswerable = AgentError.Code(rawValue: "notAnswerable")
    /// The answer was given, and nothing confirmed it in time.
    public static let answerUnconfirmed = AgentError.Code(rawValue: "answerUnconfirmed")
}
