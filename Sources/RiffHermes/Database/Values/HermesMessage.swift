// Riff
// SPDX-License-Identifier: Apache-2.0

/// One message of a session. Times are seconds since 1970-01-01 UTC.
public struct HermesMessage: Sendable, Hashable, Identifiable {
    /// The author of a message; an open set.
    public struct Role: RawRepresentable, Sendable, Hashable {
        /// The name itself.
        public let rawValue: String

        /// Creates a role, also one that this version does not know.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// A person, or another agent in a person's place.
        public static let user = Role(rawValue: "user")
        /// The language model.
        public static let assistant = Role(rawValue: "assistant")
        /// A tool, which answers a call.
        public static let tool = Role(rawValue: "tool")
        /// The Hermes agent itself.
        public static let system = Role(rawValue: "system")
    }

    /// The message's number; unique in the database, and growing.
    public let id: Int64
    /// The id of the message's session.
    public let sessionID: String
    /// The author of the message.
    public var role: Role
    /// The text; its beginning where ``isTruncated``.
    public var content: String
    /// Whether more of the text, of the reasoning or of the calls is in the database (``HermesDatabase/message(_:)``).
    public var isTruncated = false
    /// The model's reasoning, if it was kept.
    public var reasoning: String?
    /// The calls that the model made in it.
    public var toolCalls: [HermesMessage.ToolCall] = []
    /// The call that it answers.
    package var toolCallID: String?
    /// The tool that it answers for.
    public var toolName: String?
    /// The time at which it was written. Several can have the same time; their numbers tell the order.
    public var timestamp: Double
    /// Its tokens, where they were counted.
    package var tokenCount: Int64?
    /// Why the model stopped.
    package var finishReason: String?
    /// Its number on the platform it came from.
    package var platformMessageID: String?
    /// Whether the model is still given the message; `false` once it was taken back (``isRewound``) or a summary
    /// replaced it (``isCompacted``).
    public var isActive = true
    /// Whether a summary replaced the message in a compression.
    public var isCompacted = false

    /// Whether it was taken back.
    package var isRewound: Bool { !isActive && !isCompacted }
}

extension HermesMessage {
    /// A message of one's own, for previews and tests; what is not given has its default, and can be set.
    package init(id: Int64, sessionID: String, role: Role, content: String, timestamp: Double) {
        self.init(
            id: id,
            sessionID: sessionID,
            role: role,
            content: content,
            reasoning: nil,
            timestamp: timestamp
        )
    }
}

extension HermesMessage {
    /// One call of a tool.
    public struct ToolCall: Sendable, Hashable {
        /// The id that the answer names.
        public let id: String
        /// The name of the tool.
        public let name: String
        /// The arguments: JSON, as the model wrote it.
        public let arguments: String

        /// Creates a call.
        package init(id: String, name: String, arguments: String) {
            self.id = id
            self.name = name
            self.arguments = arguments
        }
    }
}

/// A call of a tool with its answer.
public struct HermesToolUse: Sendable, Hashable {
    /// The id of the session.
    public let sessionID: String
    /// The message in which the model made it.
    public let messageID: Int64
    /// The time of the call, in seconds since 1970-01-01 UTC.
    public let timestamp: Double
    /// The call of the tool.
    public let call: HermesMessage.ToolCall
    /// The answer; `nil` where there is none, or not within the next 500 messages.
    public let result: Result?

    /// A call with its answer; of one's own for previews and tests.
    package init(
        sessionID: String,
        messageID: Int64,
        timestamp: Double,
        call: HermesMessage.ToolCall,
        result: Result? = nil
    ) {
        self.sessionID = sessionID
        self.messageID = messageID
        self.timestamp = timestamp
        self.call = call
        self.result = result
    }

    /// The answer of a tool.
    public struct Result: Sendable, Hashable {
        /// The identifier of the message.
        package let messageID: Int64
        /// When, in seconds since 1970-01-01 UTC.
        package let timestamp: Double
        /// The beginning of the answer.
        public let content: String
        /// Whether the answer is longer.
        public let isTruncated: Bool

        /// An answer; of one's own for previews and tests.
        package init(messageID: Int64, timestamp: Double, content: String, isTruncated: Bool = false) {
            self.messageID = messageID
            self.timestamp = timestamp
            self.content = content
            self.isTruncated = isTruncated
        }
    }
}
