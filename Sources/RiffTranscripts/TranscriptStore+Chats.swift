// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

extension TranscriptStore {
    // sample: store: TranscriptStore, thread: ChatThread
    /// Saves a chat of any kind, in one step: all of it or nothing.
    ///
    /// ```swift
    /// try await store.save(thread.chat(ChatID(.gateway, owner: "home", name: "1")))
    /// ```
    ///
    /// Its session is called ``RiffCore/ChatID/text``, so that chats of two agents never mix. Entries that the store
    /// has and the chat does not stay: a live chat may have begun in its middle.
    ///
    /// - Parameter chat: The chat.
    /// - Returns: How many entries were new, and how many were not.
    /// - Throws: As ``save(_:_:keepsDetails:)``.
    @discardableResult
    public func save(_ chat: Chat) async throws -> TranscriptChange {
        try await save(TranscriptSession(chat), chat.entries)
    }

    /// Reads a chat that was saved; `nil` if the store has none of this identity.
    ///
    /// - Parameter id: Which chat.
    /// - Returns: The chat with all of its entries, in the order in which they were saved or said.
    /// - Throws: ``DataError`` with a database code; `CancellationError`.
    public func chat(_ id: ChatID) async throws -> Chat? {
        guard let session = try await session(id.text) else { return nil }
        var entries: [ChatEntry] = []
        var position = Position.oldest
        while true {
            let page = try await messages(of: session.id, position, limit: 1000)
            entries += page.messages
            guard page.isBehindEnd, let later = page.later else { break }
            position = .after(later)
        }
        return Chat(
            id: id,
            title: session.title,
            model: session.model,
            directory: session.directory,
            entries: entries
        )
    }
}

extension TranscriptSession {
    /// The identity of the chat that was saved in it; `nil` where it was saved as a session.
    public var chatID: ChatID? {
        guard let owner = extra[Self.ownerName]?.text, let name = extra[Self.nameName]?.text else { return nil }
        let id = ChatID(source, owner: owner, name: name)
        return id.text.utf8.elementsEqual(self.id.utf8) ? id : nil
    }

    private static let ownerName = "riff.owner"
    private static let nameName = "riff.name"

    fileprivate init(_ chat: Chat) {
        self.init(
            id: chat.id.text,
            source: chat.id.source,
            title: chat.title,
            model: chat.model,
            directory: chat.directory,
            extra: [Self.ownerName: .string(chat.id.owner), Self.nameName: .string(chat.id.name)]
        )
    }
}
