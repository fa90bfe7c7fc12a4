// Riff
// SPDX-License-Identifier: Apache-2.0

/// A chat as every list, search, export and view of chats has it, whoever held it.
///
/// A live chat of any kind makes one of itself at any moment: `ACPTranscript`, `ChatThread`, `MessageThread`,
/// `HubChatMessage` and `HermesTranscript` have `chat(_:)`.
public struct Chat: Sendable, Hashable, Identifiable {
    /// Which chat it is.
    public let id: ChatID
    /// The title that the user or the agent gave it.
    public var title: String?
    /// The model that answers.
    public var model: String?
    /// The agent's working directory: an absolute path on its host.
    public var directory: String?
    /// The entries, oldest first.
    public var entries: [ChatEntry]

    /// Creates a chat.
    public init(
        id: ChatID,
        title: String? = nil,
        model: String? = nil,
        directory: String? = nil,
        entries: [ChatEntry] = []
    ) {
        (self.id, self.title, self.model) = (id, title, model)
        (self.directory, self.entries) = (directory, entries)
    }
}
