// Riff
// SPDX-License-Identifier: Apache-2.0

/// One message of a conversation on a Riff server.
public struct ConversationMessage: Sendable, Hashable, Identifiable {
    /// The speaker of a message.
    public enum Role: String, Sendable, Hashable {
        /// The person who uses Riff.
        case user
        /// The agent that answers.
        case assistant
    }

    /// Its name; never comes again in its conversation.
    public let id: RiffIdentifier
    /// The speaker of the message.
    public let role: Role
    /// The text of the message.
    public let text: String
    /// The attachments of the message: names of files on the host.
    public let attachments: [String]
    /// When the server took it, in seconds since 1970.
    public let time: Double

    /// Creates a message.
    public init(id: RiffIdentifier, role: Role, text: String, attachments: [String] = [], time: Double) {
        self.id = id
        self.role = role
        self.text = text
        self.attachments = attachments
        self.time = time
    }

    /// As it is on the wire and in a file: `{"id", "role", "text", "attachments", "ts"}`.
    public var json: JSONValue {
        [
            "id": .string(id.text), "role": .string(role.rawValue), "text": .string(text),
            "attachments": .array(attachments.map { .string($0) }), "ts": .number(time),
        ]
    }

    /// Creates a message from its JSON form; `nil` if it is none. Other members of the object are dropped.
    public init?(json: JSONValue) {
        guard let id = json["id"]?.text.flatMap({ try? RiffIdentifier($0) }),
            let role = json["role"]?.text.flatMap(Role.init(rawValue:)), let text = json["text"]?.text,
            let time = json["ts"]?.double
        else { return nil }
        let attachments = json["attachments"]?.array?.compactMap(\.text) ?? []
        self.init(id: id, role: role, text: text, attachments: attachments, time: time)
    }
}
