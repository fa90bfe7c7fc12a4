// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

/// A conversation in a ``TranscriptStore``: what a list shows of it.
public struct TranscriptSession: Sendable, Hashable, Identifiable {
    /// Its name, which no other session in the store has: 1 to 512 bytes of any text.
    public let id: String
    /// The kind of place where it was held.
    public var source: ChatSource
    /// The title that the user or the agent gave it.
    public var title: String?
    /// The model that answered.
    public var model: String?
    /// The directory that the agent worked in: an absolute path on its host.
    public var directory: String?
    /// When it began, in seconds since 1970. `nil` in a session that is saved means now.
    public var createdAt: Double?
    /// When it was last used, in seconds since 1970: of its newest message, where that is later than what was saved.
    public var updatedAt: Double?
    /// Whether a person put it away.
    public var isArchived: Bool
    /// The other facts about the session, under names of the caller's; kept as they are.
    public var extra: JSONObject

    /// The number of its messages in the store; not taken over when it is saved.
    public package(set) var messageCount: Int64 = 0
    /// The beginning of the first thing that a person said in it, in one line; not taken over when it is saved.
    public internal(set) var preview = ""

    /// Creates a session.
    public init(
        id: String,
        source: ChatSource = .other,
        title: String? = nil,
        model: String? = nil,
        directory: String? = nil,
        createdAt: Double? = nil,
        updatedAt: Double? = nil,
        isArchived: Bool = false,
        extra: JSONObject = [:]
    ) {
        (self.id, self.source, self.title, self.model, self.directory) = (id, source, title, model, directory)
        (self.createdAt, self.updatedAt, self.isArchived) = (createdAt, updatedAt, isArchived)
        self.extra = extra
    }
}
