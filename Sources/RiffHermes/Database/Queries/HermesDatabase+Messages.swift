// Riff
// SPDX-License-Identifier: Apache-2.0

extension HermesMessage {
    /// A choice of a session's messages.
    public struct Filter: Sendable, Hashable {
        /// Whether messages that were taken back are included.
        public var includesRewound = false
        /// Whether messages that a summary replaced are included. Those that Hermes wrote again come once.
        public var includesCompacted = false
        /// The authors of the messages; `nil` for all.
        public var roles: Set<HermesMessage.Role>?

        /// Creates a filter for the conversation as the model has it.
        public init() {}

        /// The filter of the conversation with the messages that are in it as a summary only: those that Hermes itself
        /// searches.
        package static var withCompacted: HermesMessage.Filter {
            var filter = HermesMessage.Filter()
            filter.includesCompacted = true
            return filter
        }

        /// A filter for all messages that were ever written, each once.
        public static var everything: HermesMessage.Filter {
            var filter = HermesMessage.Filter()
            filter.includesRewound = true
            filter.includesCompacted = true
            return filter
        }

        func add(to terms: inout SQLTerms, _ schema: HermesSchema) {
            if !includesRewound, let condition = schema.notRewound { terms.add(condition) }
            if let condition = includesCompacted ? schema.notCopied : schema.notCompacted { terms.add(condition) }
            if let roles { terms.add("m.role", in: Set(roles.map(\.rawValue))) }
        }
    }
}

extension HermesMessage {
    /// The end from which a list of messages is read.
    public enum Direction: Sendable, Hashable {
        /// From the oldest on.
        case forward
        /// From the newest back.
        case backward
    }
}

extension HermesDatabase {
    /// Reads a page of the messages of a session.
    ///
    /// - Parameters:
    ///   - sessionID: The session.
    ///   - filter: Which of them.
    ///   - direction: From which end. A page of either direction has its messages in the order in which they are read.
    ///   - cursor: The `next` of the page before; `nil` for the first page.
    ///   - limit: How many, at most 1000.
    ///   - contentLimit: How many characters of a text are read; ``message(_:)`` has all of them.
    /// - Returns: A page.
    /// - Throws: What every method of ``HermesDatabase`` throws.
    public func messages(
        of sessionID: String,
        _ filter: HermesMessage.Filter = HermesMessage.Filter(),
        _ direction: HermesMessage.Direction = .forward,
        after cursor: HermesCursor? = nil,
        limit: Int = 50,
        contentLimit: Int = 16_384
    ) async throws -> HermesPage<HermesMessage> {
        try await asking {
            try await $0.messages(
                of: sessionID,
                filter,
                direction,
                after: cursor,
                limit: limit,
                contentLimit: contentLimit
            )
        }
    }

    /// Reads one message with all of its text; returns `nil` if there is none of this number.
    public func message(_ id: Int64) async throws -> HermesMessage? {
        try await asking { try await $0.message(id) }
    }
}

/// The queries for messages.
extension HermesQueries {
    func messages(
        of sessionID: String,
        _ filter: HermesMessage.Filter,
        _ direction: HermesMessage.Direction,
        after cursor: HermesCursor?,
        limit: Int,
        contentLimit: Int
    ) async throws -> HermesPage<HermesMessage> {
        let limit = min(max(limit, 1), 1000)
        let (sign, order) = direction == .forward ? (">", "") : ("<", " DESC")
        var terms = SQLTerms()
        terms.add("m.session_id = ?", .text(sessionID))
        if let cursor, cursor.values.count == 2 {
            terms.add("m.timestamp \(sign)= ? AND (m.timestamp \(sign) ? OR m.id \(sign) ?)")
            terms.values += [cursor.values[0], cursor.values[0], cursor.values[1]]
        }
        filter.add(to: &terms, schema)
        let columns = HermesMessage.columns(schema, limit: min(max(1, contentLimit), 1 << 30))
        let sql =
            "SELECT \(columns.joined(separator: ", ")) FROM messages m \(terms.clause)"
            + "ORDER BY m.timestamp\(order), m.id\(order) LIMIT \(limit + 1)"
        let rows = try await source.rows(SQLQuery(sql, terms.values, columns: columns.count))
        let messages = rows.prefix(limit).map { HermesMessage($0) }
        let next = rows.count > limit ? messages.last.map { HermesCursor(.real($0.timestamp), .integer($0.id)) } : nil
        return HermesPage(elements: messages, next: next)
    }

    func message(_ id: Int64) async throws -> HermesMessage? {
        let columns = HermesMessage.columns(schema, limit: nil)
        let sql = "SELECT \(columns.joined(separator: ", ")) FROM messages m WHERE m.id = ? LIMIT 1"
        return try await source.rows(SQLQuery(sql, [.integer(id)], columns: columns.count)).first
            .map { HermesMessage($0) }
    }
}
