// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

/// A query to a ``TranscriptStore``.
public struct TranscriptSearch: Sendable, Hashable {
    /// The way that words are found.
    public enum Matching: Sendable, Hashable {
        /// ``words``; ``substrings`` where the query needs it: Chinese, Japanese, Korean, Thai, emoji, signs.
        case automatic
        /// Whole words, whatever their case and their accents.
        case words
        /// Parts of the text, whatever their case, with their accents.
        case substrings
    }

    /// The order of the results.
    public enum Order: Sendable, Hashable {
        /// The message that says most of it in the fewest words (BM25). Words only: substrings come newest first.
        case rank
        /// The newest message.
        case newest
    }

    /// The query to find.
    public var query: FTSQuery
    /// The way that words are found.
    public var matching: Matching
    /// The order of the results.
    public var order: Order
    /// Only in this session; `nil` for all.
    public var session: TranscriptSession.ID?
    /// Only of these; empty for all.
    public var roles: Set<ChatEntry.Role>
    /// Only in sessions that were put away, or that were not; `nil` for both.
    public var isArchived: Bool?

    /// Creates a search.
    public init(
        _ query: FTSQuery,
        matching: Matching = .automatic,
        order: Order = .rank,
        session: TranscriptSession.ID? = nil,
        roles: Set<ChatEntry.Role> = [],
        isArchived: Bool? = nil
    ) {
        (self.query, self.matching, self.order) = (query, matching, order)
        (self.session, self.roles, self.isArchived) = (session, roles, isArchived)
    }

    /// A search for what was typed, as it is.
    public init(_ text: String, order: Order = .rank) { self.init(FTSQuery(text), order: order) }
}

/// A message that was found.
public struct TranscriptHit: Sendable, Hashable {
    /// The session that it belongs to.
    public let session: TranscriptSession.ID
    /// The session's title.
    public let sessionTitle: String?
    /// The id of the message.
    public let message: ChatEntry.ID
    /// The author of the message.
    public let role: ChatEntry.Role
    /// When it was said, in seconds since 1970.
    public let time: Double
    /// The part of it that was found.
    public let snippet: TranscriptHit.Snippet
    /// The message's place in its session: `.before` and `.after` read the messages around it.
    public let cursor: TranscriptCursor
}

extension TranscriptHit {
    /// A part of a message, in one line, in which what was found is marked.
    public struct Snippet: Sendable, Hashable {
        /// The part, with an ellipsis where something was left out.
        public let text: String
        /// The matches in the snippet, from left to right.
        public let marks: [Range<String.Index>]
    }
}

/// The results of a search.
public struct TranscriptResults: Sendable {
    /// The extent of a search.
    public enum Extent: Sendable, Hashable {
        /// The whole store was searched.
        case all
        /// Only so many of the newest matches were ranked; there are older ones.
        case newestMatches(Int)
        /// The words are too short for the index: only so many messages were looked through, and `next` continues after
        /// them, also if nothing was found.
        case messages(Int)
    }

    /// The messages that were found.
    public let hits: [TranscriptHit]
    /// The cursor for the part that follows; `nil` at the end.
    public let next: TranscriptCursor?
    /// The order of the results, which is not the requested one if substrings were looked for.
    public let order: TranscriptSearch.Order
    /// The extent of the search.
    public let extent: Extent
}
