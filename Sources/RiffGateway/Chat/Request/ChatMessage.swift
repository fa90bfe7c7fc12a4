// Riff
// SPDX-License-Identifier: Apache-2.0

package import RiffCore

/// One message of a conversation with a chat model.
public struct ChatMessage: Sendable, Hashable {
    /// The speaker of a message: an open set.
    public struct Role: RawRepresentable, Sendable, Hashable {
        /// The word on the wire.
        public let rawValue: String

        /// Any word, also one this version does not know.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The author of instructions on how to answer.
        public static let system = Role(rawValue: "system")
        /// The same, to newer models.
        public static let developer = Role(rawValue: "developer")
        /// The person who asks.
        public static let user = Role(rawValue: "user")
        /// The model that answers.
        public static let assistant = Role(rawValue: "assistant")
        /// The result of a tool.
        public static let tool = Role(rawValue: "tool")
    }

    /// The speaker of the message.
    public var role: Role
    /// What is said; a single text goes out as a text, everything else as a list of parts.
    public var content: [ChatMessage.Part]
    /// Which of several persons, or which tool.
    public var name: String?
    /// The calls that the model made.
    public var toolCalls: [ChatToolCall]
    /// Which call a tool answers.
    public var toolCallID: String?

    /// Creates a message.
    package init(
        _ role: Role,
        content: [ChatMessage.Part],
        name: String? = nil,
        toolCalls: [ChatToolCall] = [],
        toolCallID: String? = nil
    ) {
        self.role = role
        self.content = content
        self.name = name
        self.toolCalls = toolCalls
        self.toolCallID = toolCallID
    }

    /// Returns a message with instructions on how to answer.
    public static func system(_ text: String) -> ChatMessage { ChatMessage(.system, content: [.text(text)]) }
    /// Returns a message with a person's text.
    public static func user(_ text: String) -> ChatMessage { ChatMessage(.user, content: [.text(text)]) }
    /// Returns a message with a person's texts and images.
    public static func user(_ parts: [ChatMessage.Part]) -> ChatMessage { ChatMessage(.user, content: parts) }
    /// Returns a message with a model's text.
    public static func assistant(_ text: String) -> ChatMessage { ChatMessage(.assistant, content: [.text(text)]) }
    /// Returns a message with a tool's result for a call.
    public static func tool(_ text: String, answering call: ChatToolCall) -> ChatMessage {
        ChatMessage(.tool, content: [.text(text)], toolCallID: call.id)
    }

    /// Creates a message of a model's text and calls in a reply, to be sent with the next question; its thoughts, which
    /// it does not need, and calls that are not complete stay out.
    package init(_ choice: ChatReply.Choice) {
        self.init(
            .assistant,
            content: choice.content.isEmpty ? [] : [.text(choice.content)],
            toolCalls: choice.toolCalls.filter(\.isComplete)
        )
    }

    /// The message as JSON.
    package var json: JSONValue {
        var object = JSONObject()
        object.write("role", role.rawValue)
        switch content.first {
        case nil: object.append("content", toolCalls.isEmpty ? "" : .null)
        case .text(let text) where content.count == 1: object.append("content", .string(text))
        case .some: object.append("content", .array(content.map(\.json)))
        }
        object.write("name", name)
        if !toolCalls.isEmpty { object.append("tool_calls", .array(toolCalls.map(\.json))) }
        object.write("tool_call_id", toolCallID)
        return .object(object)
    }
}

extension ChatToolCall {
    /// The call as it goes back to the model.
    fileprivate var json: JSONValue {
        let arguments = arguments.isEmpty ? "{}" : arguments
        return [
            "id": .string(id), "type": "function",
            "function": ["name": .string(name), "arguments": .string(arguments)],
        ]
    }
}
