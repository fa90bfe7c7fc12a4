// Riff
// SPDX-License-Identifier: Apache-2.0

extension HermesSession {
    /// A choice of sessions.
    public struct Filter: Sendable, Hashable {
        /// Kinds; `nil` for all.
        public var kinds: Set<HermesSession.Kind>? = [.root, .continuation, .branch, .orphan]
        /// Archived ones, others, or (`nil`) both.
        public var archived: Bool? = false
        /// The sources of the sessions; `nil` for all.
        public var sources: Set<String>?
        /// Those that belong to this one.
        public var parentID: String?
        /// Those that began at or after this time, in seconds since 1970-01-01 UTC.
        public var startedFrom: Double?
        /// Those that began before this time.
        public var startedBefore: Double?

        /// Creates a filter for what a user started and did not archive, with what continues it.
        public init() {}

        /// A filter for all sessions.
        public static var everything: HermesSession.Filter {
            var filter = HermesSession.Filter()
            filter.kinds = nil
            filter.archived = nil
            return filter
        }
    }
}

extension HermesDatabase {
    /// Reads a page of the sessions, newest first.
    ///
    /// - Parameters:
    ///   - filter: Which of them.
    ///   - cursor: The `next` of the page before; `nil` for the first page.
    ///   - limit: How many, at most 1000.
    ///   - previewLength: How many characters of a session's first message are read; 0 for none.
    /// - Returns: A page.
    /// - Throws: What every method of ``HermesDatabase`` throws.
    public func sessions(
        _ filter: HermesSession.Filter = HermesSession.Filter(),
        after cursor: HermesCursor? = nil,
        limit: Int = 50,
        previewLength: Int = 120
    ) async throws -> HermesPage<HermesSession> {
        try await asking { try await $0.sessions(filter, after: cursor, limit: limit, previewLength: previewLength) }
    }

    /// Reads one session; returns `nil` if there is none of this id.
    public func session(_ id: String) async throws -> HermesSession? {
        try await asking { try await $0.session(id) }
    }

    /// Reads the usage of a session by model, provider and task, side tasks such as titles included.
    ///
    /// - Returns: The largest first; from the session's own counts where the vintage keeps no others.
    /// - Throws: What every method of ``HermesDatabase`` throws.
    public func usage(of sessionID: String) async throws -> [HermesInsights.ModelUsage] {
        try await asking { try await $0.usage(of: sessionID) }
    }
}

/// The queries for sessions.
extension HermesQueries {
    func sessions(
        _ filter: HermesSession.Filter,
        after cursor: HermesCursor?,
        limit: Int,
        previewLength: Int
    ) async throws -> HermesPage<HermesSession> {
        let limit = min(max(limit, 1), 1000)
        var terms = filter.terms(schema)
        if let cursor, cursor.values.count == 2 {
            terms.add("s.started_at <= ? AND (s.started_at < ? OR s.id < ?)", cursor.values[0], cursor.values[0])
            terms.values.append(cursor.values[1])
        }
        let columns = HermesSession.columns(schema, previewLength: max(0, previewLength))
        let sql =
            "SELECT \(columns.joined(separator: ", ")) FROM sessions s \(terms.clause)"
            + "ORDER BY s.started_at DESC, s.id DESC LIMIT \(limit + 1)"
        let rows = try await source.rows(SQLQuery(sql, terms.values, columns: columns.count))
        let sessions = rows.prefix(limit).map { HermesSession($0) }
        let next = rows.count > limit ? sessions.last.map { HermesCursor(.real($0.startedAt), .text($0.id)) } : nil
        return HermesPage(elements: sessions, next: next)
    }

    func session(_ id: String) async throws -> HermesSession? {
        let columns = HermesSession.columns(schema, previewLength: 120)
        let sql = "SELECT \(columns.joined(separator: ", ")) FROM sessions s WHERE s.id = ? LIMIT 1"
        return try await source.rows(SQLQuery(sql, [.text(id)], columns: columns.count)).first.map(HermesSession.init)
    }

    func usage(of sessionID: String) async throws -> [HermesInsights.ModelUsage] {
        guard schema.hasModelUsage else {
            return try await session(sessionID).map { [HermesInsights.ModelUsage($0)] } ?? []
        }
        let columns = HermesInsights.ModelUsage.columns(schema)
        let sql =
            "SELECT \(columns.joined(separator: ", ")) FROM session_model_usage u WHERE u.session_id = ? "
            + "ORDER BY \(HermesInsights.ModelUsage.size(schema)) DESC, 1, 2, 3 LIMIT 1000"
        return try await source.rows(SQLQuery(sql, [.text(sessionID)], columns: columns.count))
            .map { HermesInsights.ModelUsage($0) }
    }
}

/// Conditions of a statement, and what is bound in them.
struct SQLTerms {
    private(set) var conditions: [String] = []
    var values: [SQLValue] = []

    mutating func add(_ condition: String, _ values: SQLValue...) {
        conditions.append(condition)
        self.values += values
    }

    mutating func add(_ other: SQLTerms) {
        conditions += other.conditions
        values += other.values
    }

    mutating func add(_ expression: String, in texts: Set<String>) {
        add("\(expression) IN (\(texts.map { _ in "?" }.joined(separator: ", ")))")
        values += texts.sorted().map(SQLValue.text)
    }

    /// `WHERE ... `, or nothing.
    var clause: String { conditions.isEmpty ? "" : "WHERE \(conditions.joined(separator: " AND ")) " }
}

extension HermesSession.Filter {
    func terms(_ schema: HermesSchema) -> SQLTerms {
        var terms = SQLTerms()
        // A plus keeps SQLite from taking another index than the one of the list's order.
        if let parentID { terms.add("\(schema.session("parent_session_id")) = ?", .text(parentID)) }
        if let kinds {
            if kinds == [.root], schema.has("sessions", "parent_session_id") {
                terms.add("+s.parent_session_id IS NULL")
            }
            terms.add("(\(HermesSession.kind(schema)))", in: Set(kinds.map(\.rawValue)))
        }
        if let sources { terms.add("+\(schema.session("source", else: "''"))", in: sources) }
        if let startedFrom { terms.add("s.started_at >= ?", .real(startedFrom)) }
        if let startedBefore { terms.add("s.started_at < ?", .real(startedBefore)) }
        if let archived, schema.hasArchive { terms.add("+s.archived IS \(archived ? "NOT 0" : "0")") }
        if archived == true, !schema.hasArchive { terms.add("0") }
        return terms
    }
}
