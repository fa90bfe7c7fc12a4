// Riff
// SPDX-License-Identifier: Apache-2.0

/// What a search found, as far as it was read.
public struct HermesFound: DatabaseAnswer, Equatable {
    /// The messages, in the order that was asked for.
    public package(set) var hits: HermesListing<HermesSearchHit>
    /// How they were found.
    public package(set) var method: HermesSearchResults.Method
    /// Whether more matched than were ranked, so that an older and better one can be missing.
    public package(set) var isRankingCapped: Bool

    /// What was found, of one's own for previews and tests.
    package init(
        hits: HermesListing<HermesSearchHit>,
        method: HermesSearchResults.Method = .words,
        isRankingCapped: Bool = false
    ) {
        self.hits = hits
        self.method = method
        self.isRankingCapped = isRankingCapped
    }

    /// Whether there is more to be read.
    public var hasMore: Bool { hits.hasMore }
}

extension HermesSearchHit: Identifiable {
    /// The message's.
    public var id: Int64 { messageID }
}

extension HermesToolUse: Identifiable {
    /// A call, and the message in which it stands.
    public struct ID: Sendable, Hashable {
        /// The message.
        public let messageID: Int64
        /// The call.
        public let callID: String
    }

    /// Which one it is.
    public var id: ID { ID(messageID: messageID, callID: call.id) }
}
