// Riff
// SPDX-License-Identifier: Apache-2.0

/// One thing that was said or done in a chat with an agent, a gateway, a Riff server, a hub or Hermes.
public struct ChatEntry: Sendable, Hashable, Identifiable {
    /// The author of an entry; an open set.
    public struct Role: RawRepresentable, Sendable, Hashable {
        /// The name itself.
        public let rawValue: String

        /// Any name, also one this version does not know.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The person who uses the agent.
        public static let user = Role(rawValue: "user")
        /// The agent or the model.
        public static let assistant = Role(rawValue: "assistant")
        /// A thought of the agent, aloud.
        public static let thought = Role(rawValue: "thought")
        /// The output of a tool.
        public static let tool = Role(rawValue: "tool")
        /// Instructions and notices.
        public static let system = Role(rawValue: "system")
    }

    /// The state of an entry.
    public enum State: Sendable, Hashable {
        /// All of it is there.
        case whole
        /// A person's words that are on their way.
        case sending
        /// An answer that is coming, or a tool that is at work.
        case growing
        /// An answer whose end was lost.
        case cut
        /// It did not arrive, or ended with an error, for a reason that a person can read. What came before stays.
        case failed(reason: String)
    }

    /// Its name, which no other entry of its chat has: 1 to 512 bytes of any text.
    public let id: String
    /// The author of the message.
    public var role: Role
    /// What is said.
    public var text: String
    /// When it was said, in seconds since 1970. `nil` in a message that is saved means now, and for one that the store
    /// has already, as before.
    public var time: Double?
    /// The model that said it, where that is known of this message.
    public var model: String?
    /// The tools that were used, in their order.
    public var toolCalls: [ChatEntry.ToolCall]
    /// The files that were sent with it, in order.
    public var attachments: [ChatEntry.Attachment]
    /// The state of the entry.
    public var state: State
    /// Further members under names of the caller's; kept as they are.
    public var extra: JSONObject

    /// Creates an entry.
    public init(
        id: String,
        role: Role,
        text: String,
        time: Double? = nil,
        model: String? = nil,
        toolCalls: [ChatEntry.ToolCall] = [],
        attachments: [ChatEntry.Attachment] = [],
        state: State = .whole,
        extra: JSONObject = [:]
    ) {
        (self.id, self.role, self.text, self.time, self.model) = (id, role, text, time, model)
        (self.toolCalls, self.attachments, self.state, self.extra) = (toolCalls, attachments, state, extra)
    }
}
