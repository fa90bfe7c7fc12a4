// Riff
// SPDX-License-Identifier: Apache-2.0

extension HermesSearch {
    /// The messages that a search found, as far as they were read.
    public struct Found: DatabaseAnswer, Equatable {
        /// The messages, in the order that was asked for.
        public package(set) var hits: HermesListing<HermesSearch.Hit>
        /// The way in which they were found.
        public package(set) var method: HermesSearch.Method
        /// Whether more matched than were ranked, so that an older and better one can be missing.
        public package(set) var isRankingCapped: Bool

        /// Creates results from their parts, for previews and tests.
        package init(
            hits: HermesListing<HermesSearch.Hit>,
            method: HermesSearch.Method = .words,
            isRankingCapped: Bool = false
        ) {
            self.hits = hits
            self.method = method
            self.isRankingCapped = isRankingCapped
        }

        /// Whether there is more to be read.
        public var hasMore: Bool { hits.hasMore }
    }
}

extension HermesSearch.Hit: Identifiable {
    /// The number of the message.
    public var id: Int64 { messageID }
}

extension HermesToolUse: Identifiable {
    /// The identity of a call: the call, and the message that has it.
    public struct ID: Sendable, Hashable {
        /// The identifier of the message.
        package let messageID: Int64
        /// The identifier of the call.
        package let callID: String
    }

    /// The message and the call together.
    public var id: ID { ID(messageID: messageID, callID: call.id) }
}
