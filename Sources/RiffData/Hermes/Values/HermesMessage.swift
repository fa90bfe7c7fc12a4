// Riff
// SPDX-License-Identifier: Apache-2.0

/// One message of a session. Times are seconds since 1970-01-01 UTC.
public struct HermesMessage: Sendable, Hashable, Identifiable {
    /// Who wrote it. Open: a later version may have more.
    public struct Role: RawRepresentable, Sendable, Hashable {
        /// The name itself.
        public let rawValue: String

        /// Any name.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// A person, or another agent in a person's place.
        public static let user = Role(rawValue: "user")
        /// The model.
        public static let assistant = Role(rawValue: "assistant")
        /// A tool, which answers a call.
        public static let tool = Role(rawValue: "tool")
        /// Hermes itself.
        public static let system = Role(rawValue: "system")
    }

    /// Its number; unique in the database, and growing.
    public let id: Int64
    /// Its session.
    public let sessionID: String
    /// Who wrote it.
    public let role: Role
    /// The text; its beginning where ``isTruncated``.
    public let content: String
    /// Whether more of the text, of the reasoning or of the calls is in the database (``HermesDatabase/message(_:)``).
    public let isTruncated: Bool
    /// What the model said to itself.
    public let reasoning: String?
    /// The calls that the model made in it.
    public let toolCalls: [HermesToolCall]
    /// The call that it answers.
    public let toolCallID: String?
    /// The tool that it answers for.
    public let toolName: String?
    /// When it was written. Several can have the same time; their numbers tell the order.
    public let timestamp: Double
    /// Its tokens, where they were counted.
    public let tokenCount: Int64?
    /// Why the model stopped.
    public let finishReason: String?
    /// Its number on the platform it came from.
    public let platformMessageID: String?
    /// Whether it still belongs to the conversation; `false` once it was taken back (rewound).
    public let isActive: Bool
    /// Whether a summary stands for it since a compression.
    public let isCompacted: Bool
}

/// One call of a tool.
public struct HermesToolCall: Sendable, Hashable {
    /// What its answer names.
    public let id: String
    /// The tool.
    public let name: String
    /// What it was given: JSON, as the model wrote it.
    public let arguments: String
}

/// A call of a tool with its answer.
public struct HermesToolUse: Sendable, Hashable {
    /// The session.
    public let sessionID: String
    /// The message in which the model made it.
    public let messageID: Int64
    /// When that was, in seconds since 1970-01-01 UTC.
    public let timestamp: Double
    /// The call.
    public let call: HermesToolCall
    /// The answer; `nil` where there is none, or not within the next 500 messages.
    public let result: Result?

    /// What a tool answered.
    public struct Result: Sendable, Hashable {
        /// The message.
        public let messageID: Int64
        /// When, in seconds since 1970-01-01 UTC.
        public let timestamp: Double
        /// The beginning of the answer.
        public let content: String
        /// Whether the answer is longer.
        public let isTruncated: Bool
    }
}
