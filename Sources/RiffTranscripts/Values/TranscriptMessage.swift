// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

/// One message of a session in a ``TranscriptStore``.
public struct TranscriptMessage: Sendable, Hashable, Identifiable {
    /// Who says it; an open set.
    public struct Role: RawRepresentable, Sendable, Hashable {
        /// The name itself.
        public let rawValue: String

        /// Any name, also one this version does not know.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The person.
        public static let user = Role(rawValue: "user")
        /// The agent or the model.
        public static let assistant = Role(rawValue: "assistant")
        /// What the agent thought aloud.
        public static let thought = Role(rawValue: "thought")
        /// What a tool returned.
        public static let tool = Role(rawValue: "tool")
        /// Instructions and notices.
        public static let system = Role(rawValue: "system")
    }

    /// Its name, which no other message of its session has: 1 to 512 bytes of any text.
    public let id: String
    /// Who says it.
    public var role: Role
    /// What is said.
    public var text: String
    /// When it was said, in seconds since 1970. `nil` in a message that is saved means now, and for one that the store
    /// has already, as before.
    public var time: Double?
    /// The model that said it, where that is known of this message.
    public var model: String?
    /// The tools that were used, in their order.
    public var toolCalls: [TranscriptToolCall]
    /// What was sent with it, in its order.
    public var attachments: [TranscriptAttachment]
    /// What else is known of it, under names of the caller's; kept as it is.
    public var extra: JSONObject

    /// A message.
    public init(
        id: String,
        role: Role,
        text: String,
        time: Double? = nil,
        model: String? = nil,
        toolCalls: [TranscriptToolCall] = [],
        attachments: [TranscriptAttachment] = [],
        extra: JSONObject = [:]
    ) {
        (self.id, self.role, self.text, self.time, self.model) = (id, role, text, time, model)
        (self.toolCalls, self.attachments, self.extra) = (toolCalls, attachments, extra)
    }

    /// A message of a conversation on a Riff server.
    public init(_ message: ConversationMessage) {
        self.init(
            id: message.id.text,
            role: Role(rawValue: message.role.rawValue),
            text: message.text,
            time: message.time,
            attachments: message.attachments.map { TranscriptAttachment(name: $0) }
        )
    }
}

extension ConversationMessage {
    /// A message of a store as one of a conversation on a Riff server; `nil` where its name is no identifier, its role
    /// is neither a person's nor an agent's, or it has no time. Tool calls and what else is known of it are left out.
    package init?(_ message: TranscriptMessage) {
        guard let id = try? RiffIdentifier(message.id), let role = Role(rawValue: message.role.rawValue),
            let time = message.time
        else { return nil }
        self.init(id: id, role: role, text: message.text, attachments: message.attachments.map(\.name), time: time)
    }
}
