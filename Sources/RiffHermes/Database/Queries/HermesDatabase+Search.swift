// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

extension HermesDatabase {
    /// Messages that hold some words.
    ///
    /// By the file's own indexes where it has them, or else by reading; ``HermesSearch/Results/method`` says which.
    ///
    /// - Parameters:
    ///   - search: The words, the order, and where to look.
    ///   - cursor: The `next` of the page before, of the same search; `nil` for the first page.
    ///   - limit: How many, at most 500.
    /// - Returns: What was found; nothing for a text without words.
    /// - Throws: What every method of ``HermesDatabase`` throws.
    public func search(
        _ search: HermesSearch,
        after cursor: HermesCursor? = nil,
        limit: Int = 50
    ) async throws -> HermesSearch.Results {
        try await asking { try await $0.search(search, after: cursor, limit: limit) }
    }
}

/// The queries for a search.
extension HermesQueries {
    func search(_ search: HermesSearch, after cursor: HermesCursor?, limit: Int) async throws -> HermesSearch.Results {
        let limit = min(max(limit, 1), 500)
        let match = HermesMatch(search.text)
        guard !match.words.isEmpty else {
            let page = HermesPage<HermesSearch.Hit>(elements: [], next: nil)
            return HermesSearch.Results(page: page, method: .words, isRankingCapped: false)
        }
        if let index = self.index(for: search, match), cursor.map({ $0.values.count > 1 }) ?? true {
            do {
                return switch search.order {
                case .newest: try await newest(search, index, after: cursor, limit: limit)
                case .best: try await best(search, index, after: cursor, limit: limit)
                }
            } catch let error as DataError
                where cursor == nil && (error.code == .databaseFailed || error.code == .databaseCorrupt)
            {
                // The program that reads it has no FTS5, or the index is damaged; the messages can be read all the
                // same.
            }
        }
        return try await scan(search, match, after: cursor, limit: limit)
    }

    private struct Index {
        let table: String
        let match: HermesMatch
        let expression: String
        let method: HermesSearch.Method
        /// Whether the index may show the texts; otherwise they are read where they lie.
        let readsTexts: Bool

        func pieces(_ text: String) -> [HermesSearch.Hit.Piece] {
            readsTexts ? HermesMatch.pieces(text) : match.pieces(of: text)
        }
    }

    private func index(for search: HermesSearch, _ match: HermesMatch) -> Index? {
        let wantsSubstrings = search.matchesSubstrings || match.needsSubstrings
        let table = wantsSubstrings ? HermesSchema.trigramTable : HermesSchema.wordTable
        guard let index = schema.searchIndexes[table], let expression = match.expression,
            !wantsSubstrings || match.fitsTrigrams
        else { return nil }
        return Index(
            table: table,
            match: match,
            expression: expression,
            method: wantsSubstrings ? .substrings : .words,
            readsTexts: index.readsTexts
        )
    }

    /// The SQL of the text that is searched in a message (`m`).
    private var searchedText: String {
        let texts = ["m.content", schema.message("tool_name"), schema.message("tool_calls")].filter { $0 != "NULL" }
        return texts.map { "coalesce(\($0), '')" }.joined(separator: " || ' ' || ")
    }

    /// Its beginning, where no index shows what was found.
    private var shownText: String { "substr(\(searchedText), 1, 65536)" }

    private var hitColumns: [String] {
        let title =
            schema.has("sessions", "title") ? "(SELECT s.title FROM sessions s WHERE s.id = m.session_id)" : "NULL"
        return ["m.id", "m.session_id", title, "m.role", schema.message("tool_name"), "m.timestamp"]
    }

    private static func snippet(_ table: String) -> String { "snippet(\(table), -1, char(2), char(3), '\u{2026}', 16)" }

    private func terms(_ search: HermesSearch) -> SQLTerms {
        var terms = SQLTerms()
        if let sessionID = search.sessionID { terms.add("+m.session_id = ?", .text(sessionID)) }
        search.messages.add(to: &terms, schema)
        return terms
    }

    /// What is searched in an index: a session's messages lie close together in it.
    private func matches(_ search: HermesSearch, _ index: Index) -> SQLTerms {
        var terms = SQLTerms()
        terms.add("\(index.table) MATCH ?", .text(index.expression))
        if let sessionID = search.sessionID {
            for (sign, end) in [(">=", "min"), ("<=", "max")] {
                terms.add(
                    "\(index.table).rowid \(sign) (SELECT \(end)(id) FROM messages WHERE session_id = ?)",
                    .text(sessionID)
                )
            }
        }
        return terms
    }

    // MARK: Newest first

    private func newest(
        _ search: HermesSearch,
        _ index: Index,
        after cursor: HermesCursor?,
        limit: Int
    ) async throws -> HermesSearch.Results {
        let table = index.table
        var terms = matches(search, index)
        if let before = cursor?.values[0] { terms.add("\(table).rowid < ?", before) }
        terms.add(self.terms(search))
        let columns = hitColumns + [index.readsTexts ? Self.snippet(table) : shownText, "NULL"]
        // In the index's own order, backwards, so that it stops after a page.
        let sql =
            "SELECT \(columns.joined(separator: ", ")) FROM \(table) CROSS JOIN messages m ON m.id = \(table).rowid "
            + "\(terms.clause)ORDER BY \(table).rowid DESC LIMIT \(limit + 1)"
        let rows = try await source.rows(SQLQuery(sql, terms.values, columns: columns.count))
        let hits = rows.prefix(limit).map { HermesSearch.Hit($0, index.pieces) }
        let next = rows.count > limit ? hits.last.map { HermesCursor(.integer($0.messageID), .null) } : nil
        return HermesSearch.Results(
            page: HermesPage(elements: hits, next: next),
            method: index.method,
            isRankingCapped: false
        )
    }

    // MARK: Best first

    private func best(
        _ search: HermesSearch,
        _ index: Index,
        after cursor: HermesCursor?,
        limit: Int
    ) async throws -> HermesSearch.Results {
        let table = index.table
        let cap = min(max(1, search.rankedMatches), 1 << 40)
        // Some of the best can be taken back; more are looked at than are shown.
        let candidates = limit * 2 + 1
        var matches = matches(search, index)
        var source = table
        if let narrow = narrowing(search) {
            // What is ranked is what is asked for, however many others match.
            source += " CROSS JOIN messages m ON m.id = \(table).rowid"
            matches.add(narrow)
        }
        // Messages that came since the first page would move all others: they are for the next search.
        let isRanked = cursor?.values.count == 3
        let (top, place) = isRanked ? (cursor?.values[0], cursor?.values[1].integer ?? 0) : (nil, 0)
        let newest = "(SELECT max(id) FROM messages)"
        if let top { matches.add("\(table).rowid <= ?", top) } else { matches.add("\(table).rowid <= \(newest)") }
        let ranked =
            "SELECT id, rank, \(top == nil ? newest : "NULL") FROM (SELECT \(table).rowid AS id, bm25(\(table)) AS rank "
            + "FROM \(source) \(matches.clause)ORDER BY \(table).rowid DESC LIMIT \(cap)) "
            + "ORDER BY rank, id DESC LIMIT \(candidates) OFFSET \(max(place, 0))"
        let best = try await self.source.rows(SQLQuery(ranked, matches.values, columns: 3))
        let counted = try await self.source.rows(
            SQLQuery(
                "SELECT count(*) FROM (SELECT 1 FROM \(source) \(matches.clause)LIMIT \(cap + 1)) LIMIT 1",
                matches.values,
                columns: 1
            )
        )
        let ids = best.compactMap { $0[0].integer }
        let found = try await hits(ids, search, index)
        var hits: [HermesSearch.Hit] = []
        var looked = 0
        for row in best where hits.count < limit {
            looked += 1
            guard let id = row[0].integer, let hit = found[id] else { continue }
            hits.append(hit.ranked(row[1].real))
        }
        let hasMore = looked < best.count || best.count == candidates
        let next = best.first.flatMap {
            hasMore ? HermesCursor(top ?? $0[2], .integer(place + Int64(looked)), .null) : nil
        }
        return HermesSearch.Results(
            page: HermesPage(elements: hits, next: next),
            method: index.method,
            isRankingCapped: (counted.first?[0].integer ?? 0) > Int64(cap)
        )
    }

    /// The conditions of a search that may leave out so many messages that the newest matches could all be among them.
    private func narrowing(_ search: HermesSearch) -> SQLTerms? {
        guard search.sessionID != nil || search.messages.roles != nil || !search.messages.includesCompacted else {
            return nil
        }
        return terms(search)
    }

    private func hits(_ ids: [Int64], _ search: HermesSearch, _ index: Index) async throws -> [Int64: HermesSearch.Hit]
    {
        guard !ids.isEmpty else { return [:] }
        let table = index.table
        var filter = terms(search)
        filter.add("m.id IN (\(ids.map(String.init).joined(separator: ", ")))")
        // The snippet of each by a search in that one message.
        let snippet = "(SELECT \(Self.snippet(table)) FROM \(table) WHERE \(table) MATCH ? AND \(table).rowid = m.id)"
        let columns = hitColumns + [index.readsTexts ? snippet : shownText, "NULL"]
        let values: [SQLValue] = index.readsTexts ? [.text(index.expression)] : []
        let sql =
            "SELECT \(columns.joined(separator: ", ")) FROM messages m \(filter.clause)LIMIT \(ids.count)"
        let query = SQLQuery(sql, values + filter.values, columns: columns.count)
        let hits = try await source.rows(query).map { HermesSearch.Hit($0, index.pieces) }
        return Dictionary(hits.map { ($0.messageID, $0) }) { first, _ in first }
    }

    // MARK: By reading

    private func scan(
        _ search: HermesSearch,
        _ match: HermesMatch,
        after cursor: HermesCursor?,
        limit: Int
    ) async throws -> HermesSearch.Results {
        var terms = terms(search)
        let top: Int64
        if let before = cursor?.values[0].integer { top = before.adding(-1) } else { top = try await newestMessage() }
        let bottom = Self.bottom(of: top)
        terms.add("m.id >= ? AND m.id <= ?", .integer(bottom), .integer(top))
        let text = searchedText
        for pattern in match.patterns { terms.add("(\(text)) LIKE ? ESCAPE '\\'", .text(pattern)) }
        let columns = hitColumns + [shownText, "NULL"]
        let sql =
            "SELECT \(columns.joined(separator: ", ")) FROM messages m \(terms.clause)ORDER BY m.id DESC LIMIT \(limit + 1)"
        let rows = try await source.rows(SQLQuery(sql, terms.values, columns: columns.count))
        let hits = rows.prefix(limit).map { HermesSearch.Hit($0) { match.pieces(of: $0) } }
        let next = rows.count > limit ? hits.last?.messageID : (bottom > 0 ? bottom : nil)
        return HermesSearch.Results(
            page: HermesPage(elements: hits, next: next.map { HermesCursor(.integer($0)) }),
            method: .scan,
            isRankingCapped: false
        )
    }
}

extension HermesSearch.Hit {
    fileprivate init(_ row: SQLRow, _ pieces: (String) -> [Piece]) {
        var row = SQLRowReader(row)
        messageID = row.integer() ?? 0
        sessionID = row.text() ?? ""
        sessionTitle = row.text()
        role = HermesMessage.Role(rawValue: row.text() ?? "")
        toolName = row.text()
        timestamp = row.real() ?? 0
        snippet = pieces(row.text() ?? "")
        rank = row.real()
    }

    private init(_ hit: HermesSearch.Hit, rank: Double?) {
        messageID = hit.messageID
        sessionID = hit.sessionID
        sessionTitle = hit.sessionTitle
        role = hit.role
        toolName = hit.toolName
        timestamp = hit.timestamp
        snippet = hit.snippet
        self.rank = rank
    }

    fileprivate func ranked(_ rank: Double?) -> HermesSearch.Hit { HermesSearch.Hit(self, rank: rank) }
}
