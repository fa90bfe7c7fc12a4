// Riff
// SPDX-License-Identifier: Apache-2.0

/// One message of a conversation on a Riff server.
public struct ConversationMessage: Sendable, Hashable, Identifiable {
    /// Who says it.
    public enum Role: String, Sendable, Hashable {
        /// The person.
        case user
        /// The agent.
        case assistant
    }

    /// Its name; never comes again in its conversation.
    public let id: RiffIdentifier
    /// Who said it.
    public let role: Role
    /// What was said.
    public let text: String
    /// What was sent with it: names of files on the host.
    public let attachments: [String]
    /// When the server took it, in seconds since 1970.
    public let time: Double

    /// A message.
    package init(id: RiffIdentifier, role: Role, text: String, attachments: [String] = [], time: Double) {
        (self.id, self.role, self.text, self.attachments, self.time) = (id, role, text, attachments, time)
    }

    /// As it is on the wire and in a file: `{"id", "role", "text", "attachments", "ts"}`.
    public var json: JSONValue {
        [
            "id": .string(id.text), "role": .string(role.rawValue), "text": .string(text),
            "attachments": .array(attachments.map { .string($0) }), "ts": .number(time),
        ]
    }

    /// Reads a message; `nil` where it is none. What else its object holds is dropped.
    package init?(json: JSONValue) {
        guard let id = json["id"]?.text.flatMap({ try? RiffIdentifier($0) }),
            let role = json["role"]?.text.flatMap(Role.init(rawValue:)), let text = json["text"]?.text,
            let time = json["ts"]?.double
        else { return nil }
        let attachments = json["attachments"]?.array?.compactMap(\.text) ?? []
        self.init(id: id, role: role, text: text, attachments: attachments, time: time)
    }
}
