// Riff
// SPDX-License-Identifier: Apache-2.0

extension SvenReplies {
    /// Tells new messages of a Sven server from those that were there before. A pure value: what the server says in,
    /// what is new out.
    ///
    /// The server gives messages whose time is later than the one asked for, in whole seconds, so that a second message
    /// of the same second would be missed. It is therefore asked from one second earlier on, and what was seen is left
    /// out by its id. Only the ids of the newest second are kept: older messages do not come again, and count as old if
    /// they do.
    public struct Inbox: Sendable, Hashable {
        /// The most ids that are kept; more in one second come from no person and no agent.
        private static let limit = 4096

        /// The time of the newest message, as the server wrote it; `nil` before the first one.
        public private(set) var newest: String?
        /// The ids of the newest second.
        public private(set) var seen: [String]

        /// Creates an inbox.
        ///
        /// - Parameters:
        ///   - newest: Where an earlier one ended; everything is new without it.
        ///   - seen: Its ids of that second.
        public init(newest: String? = nil, seen: [String] = []) {
            self.newest = newest
            self.seen = seen.suffix(Self.limit)
        }

        /// The time to ask the server for: the text for `since`, or `nil` for everything it has. A time in a format
        /// that is not known here is given back as it came.
        package var since: String? { newest.map { SvenTime($0)?.previous.text ?? $0 } }

        /// Takes what the server answered.
        ///
        /// - Parameter messages: All messages of an answer, in any order, some of which may be known.
        /// - Returns: Those that are new, in the order of the answer, each once.
        package mutating func take(_ messages: [SvenMessage]) -> [SvenMessage] {
            var known = Set(seen)
            var new: [SvenMessage] = []
            for message in messages {
                if let newest, Self.isEarlier(message.createdAt, newest) { continue }
                if known.insert(message.id).inserted { new.append(message) }
            }
            for message in new {
                if let newest, Self.isEarlier(message.createdAt, newest) { continue }
                if newest != message.createdAt {
                    newest = message.createdAt
                    seen = []
                }
                seen.append(message.id)
            }
            if seen.count > Self.limit { seen.removeFirst(seen.count - Self.limit) }
            return new
        }

        /// As the server compares, by bytes.
        private static func isEarlier(_ left: String, _ right: String) -> Bool {
            left.utf8.lexicographicallyPrecedes(right.utf8)
        }
    }
}
