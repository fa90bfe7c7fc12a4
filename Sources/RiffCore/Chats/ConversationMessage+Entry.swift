// Riff
// SPDX-License-Identifier: Apache-2.0

extension ChatEntry {
    /// Creates the entry of a message on a Riff server.
    public init(_ message: ConversationMessage) {
        self.init(
            id: message.id.text,
            role: Role(rawValue: message.role.rawValue),
            text: message.text,
            time: message.time,
            attachments: message.attachments.map { Attachment(name: $0) }
        )
    }
}

extension ConversationMessage {
    /// An entry as a message of a conversation on a Riff server; `nil` where its name is no identifier, its role is
    /// neither a person's nor an agent's, or it has no time. Tool calls and what else is known of it are left out.
    package init?(_ entry: ChatEntry) {
        guard let id = try? RiffIdentifier(entry.id), let role = Role(rawValue: entry.role.rawValue),
            let time = entry.time
        else { return nil }
        self.init(id: id, role: role, text: entry.text, attachments: entry.attachments.map(\.name), time: time)
    }
}
