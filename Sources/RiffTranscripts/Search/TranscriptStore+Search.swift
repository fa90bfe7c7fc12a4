// Riff
// SPDX-License-Identifier: Apache-2.0

internal import GRDB
internal import RiffCore

extension TranscriptStore {
    /// The most matches that are ranked: the newest.
    package static let rankedMatches = 10_000
    /// The number of messages that are looked through at a time for words that are too short for the index.
    package static let scannedMessages = 50_000

    /// Finds messages: in their text, in the names, inputs and outputs of their tools (of these the first 4 KiB each)
    /// and in the names of their attachments.
    ///
    /// - Parameters:
    ///   - search: What to find.
    ///   - cursor: ``TranscriptResults/next`` of the same search's part before; `nil` for the first one.
    ///   - limit: How many, at most 1000.
    /// - Returns: What was found; nothing for a query without words.
    /// - Throws: ``DataError`` with a database code; `CancellationError`.
    public func search(
        _ search: TranscriptSearch,
        after cursor: TranscriptCursor? = nil,
        limit: Int = 50
    ) async throws -> TranscriptResults {
        let limit = min(max(1, limit), Self.pageLimit)
        return try await read { database in
            guard let finder = try TranscriptFinder(search, after: cursor, limit: limit, database: database) else {
                return TranscriptResults(hits: [], next: nil, order: search.order, extent: .all)
            }
            return try finder.results()
        }
    }
}

/// One search in one transaction.
struct TranscriptFinder {
    private let search: TranscriptSearch
    private let cursor: TranscriptCursor?
    private let limit: Int
    private let database: Database
    /// The session's number and those of its messages.
    private var session: (number: Int64, messages: ClosedRange<Int64>)?

    /// `nil` where nothing can be found: no words, or no such session.
    init?(_ search: TranscriptSearch, after cursor: TranscriptCursor?, limit: Int, database: Database) throws {
        (self.search, self.cursor, self.limit, self.database) = (search, cursor, limit, database)
        guard !search.query.isEmpty else { return nil }
        guard let name = search.session else { return }
        let statement = try database.cachedStatement(
            sql: """
                SELECT s.id, (SELECT min(id) FROM message WHERE session = s.id),
                    (SELECT max(id) FROM message WHERE session = s.id)
                FROM session s WHERE s.key = ?
                """
        )
        guard let row = try Row.fetchOne(statement, arguments: [KeptText.kept(name)]), let first: Int64 = row[1],
            let last: Int64 = row[2]
        else { return nil }
        session = (try row.decode(atIndex: 0), first...last)
    }

    func results() throws -> TranscriptResults {
        let isSubstring =
            search.matching == .substrings || search.matching == .automatic && search.query.needsSubstrings
        if isSubstring {
            guard let trigrams = search.query.trigrams else { return try scanned() }
            return try substrings(trigrams)
        }
        guard let words = search.query.words else {
            return TranscriptResults(hits: [], next: nil, order: search.order, extent: .all)
        }
        return search.order == .rank ? try ranked(words) : try newest(words)
    }

    // MARK: Words

    private func newest(_ words: String) throws -> TranscriptResults {
        let (filter, values) = filter(of: "f.rowid")
        let joins = filter.isEmpty ? "" : self.joins
        // The index is read backwards.
        let sql = """
            SELECT f.rowid FROM message_words f \(joins) WHERE f.message_words MATCH ? AND f.rowid < ? \(filter)
            ORDER BY f.rowid DESC LIMIT ?
            """
        let arguments = Self.arguments([words, cursor?.number ?? .max] + values + [limit + 1])
        let numbers = try Int64.fetchAll(database, sql: sql, arguments: arguments)
        let page = numbers.prefix(limit)
        return TranscriptResults(
            hits: try hits(Array(page), words: words),
            next: numbers.count > limit ? page.last.map { TranscriptCursor(key: 0, number: $0) } : nil,
            order: .newest,
            extent: .all
        )
    }

    private func ranked(_ words: String) throws -> TranscriptResults {
        let (filter, values) = filter(of: "f.rowid")
        // Other tables are looked up only where they decide: for 10,000 rows that costs more than ranking them.
        let joins = filter.isEmpty ? "" : self.joins
        // The newest of those that are looked for: a word that is in very many others does not take their places.
        let oldest = try Int64.fetchOne(
            database,
            sql: """
                SELECT f.rowid FROM message_words f \(joins) WHERE f.message_words MATCH ? \(filter)
                ORDER BY f.rowid DESC LIMIT 1 OFFSET ?
                """,
            arguments: Self.arguments([words] + values + [TranscriptStore.rankedMatches])
        )
        let sql = """
            SELECT number, rank FROM (
                SELECT f.rowid AS number, bm25(message_words) AS rank FROM message_words f \(joins)
                WHERE f.message_words MATCH ? AND f.rowid > ? \(filter)
            ) WHERE rank > ? OR rank = ? AND number < ? ORDER BY rank, number DESC LIMIT ?
            """
        let rank = cursor?.key ?? -.infinity
        let arguments = Self.arguments(
            [words, oldest ?? .min] + values + [rank, rank, cursor?.number ?? .max, limit + 1]
        )
        let found = try Row.fetchAll(database, sql: sql, arguments: arguments).map { row in
            TranscriptCursor(key: try row.decode(atIndex: 1), number: try row.decode(atIndex: 0))
        }
        let page = found.prefix(limit)
        return TranscriptResults(
            hits: try hits(page.map(\.number), words: words),
            next: found.count > limit ? page.last : nil,
            order: .rank,
            extent: oldest == nil ? .all : .newestMatches(TranscriptStore.rankedMatches)
        )
    }

    // MARK: Substrings

    private func substrings(_ trigrams: String) throws -> TranscriptResults {
        let (filter, values) = filter(of: "f.rowid")
        let (comparison, patterns) = comparison()
        let sql = """
            SELECT f.rowid FROM message_grams f CROSS JOIN message m ON m.id = f.rowid \(sessionJoin)
            WHERE f.message_grams MATCH ? AND f.rowid < ? \(filter)
            AND \(comparison) ORDER BY f.rowid DESC LIMIT ?
            """
        let arguments = Self.arguments([trigrams, cursor?.number ?? .max] + values + patterns + [limit + 1])
        let numbers = try Int64.fetchAll(database, sql: sql, arguments: arguments)
        let page = numbers.prefix(limit)
        return TranscriptResults(
            hits: try hits(Array(page), words: nil),
            next: numbers.count > limit ? page.last.map { TranscriptCursor(key: 0, number: $0) } : nil,
            order: .newest,
            extent: .all
        )
    }

    /// Looks through the newest messages themselves.
    private func scanned() throws -> TranscriptResults {
        let (filter, values) = filter(of: "m.id")
        let (comparison, patterns) = comparison()
        let newest = cursor?.number ?? .max
        let depth = TranscriptStore.scannedMessages
        let oldest = try Int64.fetchOne(
            database,
            sql: "SELECT id FROM message WHERE id < ? ORDER BY id DESC LIMIT 1 OFFSET ?",
            arguments: [newest, depth]
        )
        let sql = """
            SELECT m.id FROM message m \(sessionJoin)
            WHERE m.id < ? AND m.id > ? \(filter) AND \(comparison) ORDER BY m.id DESC LIMIT ?
            """
        let arguments = Self.arguments([newest, oldest ?? .min] + values + patterns + [limit + 1])
        let numbers = try Int64.fetchAll(database, sql: sql, arguments: arguments)
        let page = numbers.prefix(limit)
        // Behind the last one of a full page; else behind what was looked through.
        let place = numbers.count > limit ? page.last : oldest.map { $0 == .max ? $0 : $0 + 1 }
        return TranscriptResults(
            hits: try hits(Array(page), words: nil),
            next: place.map { TranscriptCursor(key: 0, number: $0) },
            order: .newest,
            extent: oldest == nil ? .all : .messages(depth)
        )
    }

    /// The condition that compares a message with the query itself.
    private func comparison() -> (sql: String, values: [any DatabaseValueConvertible]) {
        var patterns: [any DatabaseValueConvertible] = []
        func like(_ term: FTSQuery.Term) -> String {
            guard !FTSText.hasCaseBeyondASCII(term.text) else {
                // LIKE takes upper and lower case for the same in ASCII only; the index does so everywhere.
                patterns += [term.text, term.text]
                return "\(FTSFolding.function)(m.text, ?) OR \(FTSFolding.function)(m.tools, ?)"
            }
            let pattern = FTSText.pattern(term.text)
            patterns += [pattern, pattern]
            return "m.text LIKE ? ESCAPE '\\' OR m.tools LIKE ? ESCAPE '\\'"
        }
        let found = search.query.groups.map { group in "(\(group.map(like).joined(separator: " OR ")))" }
        let missing = search.query.excluded.map { term in "NOT (\(like(term)))" }
        return ((found + missing).joined(separator: " AND "), patterns)
    }

    // MARK: Both

    /// The tables that the filter looks at, in the order that is best, which the planner does not know.
    private var joins: String { "CROSS JOIN message m ON m.id = f.rowid \(sessionJoin)" }
    private var sessionJoin: String { search.isArchived == nil ? "" : "CROSS JOIN session s ON s.id = m.session" }

    /// Returns the other conditions that a message must meet.
    private func filter(of number: String) -> (sql: String, values: [any DatabaseValueConvertible]) {
        var sql = ""
        var values: [any DatabaseValueConvertible] = []
        if let session {
            // A session's messages lie close together: the index is read there only.
            sql += "AND \(number) BETWEEN ? AND ? AND m.session = ? "
            values += [session.messages.lowerBound, session.messages.upperBound, session.number]
        }
        if !search.roles.isEmpty {
            let marks = Array(repeating: "?", count: search.roles.count).joined(separator: ", ")
            sql += "AND m.role IN (\(marks)) "
            values += search.roles.map { KeptText.kept($0.rawValue) as any DatabaseValueConvertible }
        }
        if let isArchived = search.isArchived {
            sql += "AND s.archived = ? "
            values.append(isArchived)
        }
        return (sql, values)
    }

    private static func arguments(_ values: [any DatabaseValueConvertible]) -> StatementArguments {
        StatementArguments(values.map(\.databaseValue))
    }

    /// The hits of some messages, in their order.
    private func hits(_ numbers: [Int64], words: String?) throws -> [TranscriptHit] {
        // Text may hold any mark; none holds one that was made up just now.
        let nonce = String(UInt64.random(in: .min ... .max), radix: 36)
        let (open, close) = ("\u{1}\(nonce)\u{2}", "\u{1}\(nonce)\u{3}")
        let needles = search.query.groups.flatMap { $0 }.map(\.text)
        let row = try database.cachedStatement(
            sql: """
                SELECT s.key, s.title, m.key, m.role, m.time\(words == nil ? ", m.text, m.tools" : "") FROM message m
                JOIN session s ON s.id = m.session WHERE m.id = ?
                """
        )
        let excerpt = try database.cachedStatement(
            sql: """
                SELECT snippet(message_words, -1, ?, ?, '\u{2026}', 24) FROM message_words
                WHERE message_words MATCH ? AND rowid = ?
                """
        )
        return try numbers.compactMap { number in
            guard let row = try Row.fetchOne(row, arguments: [number]) else { return nil }
            let snippet: TranscriptHit.Snippet
            if let words {
                let text = try String.fetchOne(excerpt, arguments: [open, close, words, number]) ?? ""
                snippet = TranscriptHit.Snippet(marked: text, open: open, close: close)
            } else {
                let text = TranscriptHit.Snippet(of: try row.decode(atIndex: 5), finding: needles)
                snippet =
                    text.marks.isEmpty ? TranscriptHit.Snippet(of: try row.decode(atIndex: 6), finding: needles) : text
            }
            return TranscriptHit(
                session: KeptText.whole(try row.decode(atIndex: 0)),
                sessionTitle: KeptText.whole(orNil: row[1]),
                message: KeptText.whole(try row.decode(atIndex: 2)),
                role: ChatEntry.Role(rawValue: KeptText.whole(try row.decode(atIndex: 3))),
                time: try row.decode(Double.self, atIndex: 4),
                snippet: snippet,
                cursor: TranscriptCursor(key: 0, number: number)
            )
        }
    }
}
