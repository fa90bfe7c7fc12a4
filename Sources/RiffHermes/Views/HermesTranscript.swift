// Riff
// SPDX-License-Identifier: Apache-2.0

/// A session with its messages, as far as they were read.
public struct HermesTranscript: DatabaseAnswer, Equatable {
    /// A session, and the place from which it is read.
    public struct Question: Sendable, Hashable {
        /// The place where the reading begins.
        public enum Place: Sendable, Hashable {
            /// With the newest message; more are older ones.
            case newest
            /// With the oldest message; more are newer ones.
            case oldest
            /// A little before a message; more are newer ones.
            case message(id: Int64, timestamp: Double)
        }

        /// The id of the session.
        public var sessionID: String
        /// The place where the reading begins.
        public var place: Place
        /// Which messages.
        package var filter: HermesMessage.Filter

        /// Creates a question for a session from its newest message back.
        public init(
            _ sessionID: String,
            from place: Place = .newest,
            filter: HermesMessage.Filter = HermesMessage.Filter()
        ) {
            self.sessionID = sessionID
            self.place = place
            self.filter = filter
        }

        /// Creates a question for a found message and what surrounds it, summarized messages included: it may be one.
        public init(_ hit: HermesSearch.Hit) {
            let place = Place.message(id: hit.messageID, timestamp: hit.timestamp)
            self.init(hit.sessionID, from: place, filter: .withCompacted)
        }

        var direction: HermesMessage.Direction { place == .newest ? .backward : .forward }
    }

    /// The number of messages that are kept.
    static let limit = 2000
    /// The number of characters of a text.
    static let textLength = 4096

    /// The session; `nil` where there is none of this id (any more).
    public package(set) var session: HermesSession?
    /// The usage of the session by model, provider and task.
    public package(set) var usage: [HermesInsights.ModelUsage]
    /// The messages in the order in which they were written. Long texts are cut (``HermesMessage/isTruncated``);
    /// ``HermesLiveDatabase/message(_:)`` has all of one.
    public var messages: [HermesMessage] { isBackward ? listing.elements.reversed() : listing.elements }
    /// Whether more are older ones, and not newer ones.
    package var isBackward: Bool
    /// Whether there is more to be read.
    public var hasMore: Bool { listing.hasMore }

    package var listing: HermesListing<HermesMessage>
}

extension HermesTranscript {
    /// A transcript of one's own, for previews and tests.
    ///
    /// - Parameters:
    ///   - session: The session.
    ///   - usage: What it used.
    ///   - messages: In the order in which they were written.
    ///   - isBackward: Whether more are older ones.
    ///   - hasMore: Whether there is more to be read.
    package init(
        session: HermesSession?,
        usage: [HermesInsights.ModelUsage] = [],
        messages: [HermesMessage],
        isBackward: Bool = true,
        hasMore: Bool = false
    ) {
        let read = isBackward ? messages.reversed() : messages
        let listing = HermesListing(elements: read, hasMore: hasMore)
        self.init(session: session, usage: usage, isBackward: isBackward, listing: listing)
    }
}
