// Riff
// SPDX-License-Identifier: Apache-2.0

/// A search in the messages: a text, and where to look for it.
public struct HermesSearch: Sendable, Hashable {
    /// The order of what is found.
    public enum Order: Sendable, Hashable {
        /// Newest first.
        case newest
        /// Best first, among the newest ``HermesSearch/rankedMatches`` that match.
        case best
    }

    /// Words that must all be there, wherever; no operators. Case and, for words, accents do not matter.
    public var text: String
    /// The order of the results.
    public var order: Order = .newest
    /// Whether parts of words are found, too. Always so for scripts without spaces.
    public var matchesSubstrings = false
    /// The session to search; `nil` for all.
    public var sessionID: String?
    /// The messages to search; as in Hermes' own search, those that a summary replaced are among them.
    public var messages = HermesMessage.Filter.withCompacted
    /// The most matches that are ranked.
    package var rankedMatches = 10_000

    /// Creates a search for words.
    public init(_ text: String, order: Order = .newest) {
        self.text = text
        self.order = order
    }
}

extension HermesSearch {
    /// The results of a search on one page.
    public struct Results: Sendable, Hashable {
        /// The page of messages.
        public let page: HermesPage<HermesSearch.Hit>
        /// The way in which they were found.
        public let method: Method
        /// Whether more matched than were ranked, so that an older and better one can be missing.
        public let isRankingCapped: Bool

        /// Creates the results of a page from their parts, for previews and tests.
        package init(page: HermesPage<HermesSearch.Hit>, method: Method = .words, isRankingCapped: Bool = false) {
            self.page = page
            self.method = method
            self.isRankingCapped = isRankingCapped
        }
    }
}

extension HermesSearch {
    /// One message that was found.
    public struct Hit: Sendable, Hashable {
        /// The number of the message.
        public let messageID: Int64
        /// The id of the message's session.
        public let sessionID: String
        /// The session's title.
        public let sessionTitle: String?
        /// The author of the message.
        public let role: HermesMessage.Role
        /// The tool that it answers for.
        package let toolName: String?
        /// The time of the message, in seconds since 1970-01-01 UTC.
        public let timestamp: Double
        /// Some words around what was found, with what was found told apart.
        public let snippet: [Piece]
        /// The rank of the match, by BM25; the lower the better. Only of a ranked search.
        package let rank: Double?

        /// A message that was found; of one's own for previews and tests.
        package init(
            messageID: Int64,
            sessionID: String,
            sessionTitle: String? = nil,
            role: HermesMessage.Role,
            toolName: String? = nil,
            timestamp: Double,
            snippet: [Piece],
            rank: Double? = nil
        ) {
            self.messageID = messageID
            self.sessionID = sessionID
            self.sessionTitle = sessionTitle
            self.role = role
            self.toolName = toolName
            self.timestamp = timestamp
            self.snippet = snippet
            self.rank = rank
        }

        /// A part of a snippet.
        public struct Piece: Sendable, Hashable {
            /// The text of the piece.
            public let text: String
            /// Whether it is what was searched for.
            public let isMatch: Bool

            /// A part; of one's own for previews and tests.
            package init(text: String, isMatch: Bool = false) {
                self.text = text
                self.isMatch = isMatch
            }
        }
    }
}

extension HermesSearch {
    /// The ways to search.
    public enum Method: String, Sendable, Hashable {
        /// By the index of words.
        case words
        /// By the index of parts of words.
        case substrings
        /// By reading messages, newest first, some thousand a page: there is no index for this. Order
        /// ``HermesSearch/Order/best`` is then newest first, too.
        case scan
    }
}
