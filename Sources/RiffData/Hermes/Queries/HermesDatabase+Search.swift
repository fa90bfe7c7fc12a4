// Riff
// SPDX-License-Identifier: Apache-2.0

extension HermesDatabase {
    /// Messages that hold some words.
    ///
    /// By the file's own indexes where it has them, or else by reading; ``HermesSearchResults/method`` says which.
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
    ) async throws -> HermesSearchResults {
        let limit = min(max(limit, 1), 500)
        let match = HermesMatch(search.text)
        guard !match.words.isEmpty else {
            let page = HermesPage<HermesSearchHit>(elements: [], next: nil)
            return HermesSearchResults(page: page, method: .words, isRankingCapped: false)
        }
        if let (table, method) = index(for: search, match), let expression = match.expression,
            cursor.map({ $0.values.count > 1 }) ?? true
        {
            do {
                let index = Index(table: table, expression: expression, method: method)
                return switch search.order {
                case .newest: try await newest(search, index, after: cursor, limit: limit)
                case .best: try await best(search, index, after: cursor, limit: limit)
                }
            } catch let error as DataError
                where cursor == nil && (error.code == .databaseFailed || error.code == .databaseCorrupt)
            {
                // The program that reads it has no FTS5, or the index is damaged; the messages can be read all the same.
            }
        }
        return try await scan(search, match, after: cursor, limit: limit)
    }

    private struct Index {
        let table: String
        let expression: String
        let method: HermesSearchResults.Method
    }

    private func index(for search: HermesSearch, _ match: HermesMatch) -> (String, HermesSearchResults.Method)? {
        let wantsSubstrings = search.matchesSubstrings || match.needsSubstrings
        if wantsSubstrings {
            guard schema.hasSubstringIndex, match.fitsTrigrams else { return nil }
            return (HermesSchema.trigramTable, .substrings)
        }
        return schema.hasWordIndex ? (HermesSchema.wordTable, .words) : nil
    }

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

    // MARK: Newest first

    private func newest(
        _ search: HermesSearch,
        _ index: Index,
        after cursor: HermesCursor?,
        limit: Int
    ) async throws -> HermesSearchResults {
        let table = index.table
        var terms = SQLTerms()
        terms.add("\(table) MATCH ?", .text(index.expression))
        if let before = cursor?.values[0] { terms.add("\(table).rowid < ?", before) }
        let filter = self.terms(search)
        for condition in filter.conditions { terms.add(condition) }
        terms.values += filter.values
        let columns = hitColumns + [Self.snippet(table), "NULL"]
        // In the index's own order, backwards, so that it stops after a page.
        let sql =
            "SELECT \(columns.joined(separator: ", ")) FROM \(table) CROSS JOIN messages m ON m.id = \(table).rowid "
            + "\(terms.clause)ORDER BY \(table).rowid DESC LIMIT \(limit + 1)"
        let rows = try await source.rows(SQLQuery(sql, terms.values, columns: columns.count))
        let hits = rows.prefix(limit).map { HermesSearchHit($0) { HermesMatch.pieces($0) } }
        let next = rows.count > limit ? hits.last.map { HermesCursor(.integer($0.messageID), .null) } : nil
        return HermesSearchResults(
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
    ) async throws -> HermesSearchResults {
        let table = index.table
        let cap = max(1, search.rankedMatches)
        // Some of the best can be of another session or taken back; more are looked at than are shown.
        let candidates = limit * (search.sessionID == nil ? 2 : 20) + 1
        var values: [SQLValue] = [.text(index.expression)]
        var behind = ""
        if let cursor {
            behind = "WHERE rank > ? OR (rank = ? AND id < ?) "
            values += [cursor.values[0], cursor.values[0], cursor.values[1]]
        }
        let ranked =
            "SELECT id, rank FROM (SELECT rowid AS id, bm25(\(table)) AS rank FROM \(table) WHERE \(table) MATCH ? "
            + "ORDER BY rowid DESC LIMIT \(cap)) \(behind)ORDER BY rank, id DESC LIMIT \(candidates)"
        let best = try await source.rows(SQLQuery(ranked, values, columns: 2))
        let counted = try await source.rows(
            SQLQuery(
                "SELECT count(*) FROM (SELECT 1 FROM \(table) WHERE \(table) MATCH ? LIMIT \(cap + 1)) LIMIT 1",
                [.text(index.expression)],
                columns: 1
            )
        )
        let ids = best.compactMap { $0[0].integer }
        let found = try await hits(ids, search, index)
        var hits: [HermesSearchHit] = []
        var last: SQLRow?
        for row in best {
            last = row
            guard let id = row[0].integer, let hit = found[id] else { continue }
            hits.append(hit.ranked(row[1].real))
            if hits.count == limit { break }
        }
        let hasMore = hits.count == limit ? last != best.last || best.count == candidates : best.count == candidates
        let next = hasMore ? last.map { HermesCursor($0[1], $0[0]) } : nil
        return HermesSearchResults(
            page: HermesPage(elements: hits, next: next),
            method: index.method,
            isRankingCapped: (counted.first?[0].integer ?? 0) > Int64(cap)
        )
    }

    private func hits(_ ids: [Int64], _ search: HermesSearch, _ index: Index) async throws -> [Int64: HermesSearchHit] {
        guard !ids.isEmpty else { return [:] }
        let table = index.table
        var filter = terms(search)
        filter.add("m.id IN (\(ids.map(String.init).joined(separator: ", ")))")
        // The snippet of each by a search in that one message.
        let snippet = "(SELECT \(Self.snippet(table)) FROM \(table) WHERE \(table) MATCH ? AND \(table).rowid = m.id)"
        let columns = hitColumns + [snippet, "NULL"]
        let sql =
            "SELECT \(columns.joined(separator: ", ")) FROM messages m \(filter.clause)LIMIT \(ids.count)"
        let query = SQLQuery(sql, [.text(index.expression)] + filter.values, columns: columns.count)
        let hits = try await source.rows(query).map { HermesSearchHit($0) { HermesMatch.pieces($0) } }
        return Dictionary(hits.map { ($0.messageID, $0) }) { first, _ in first }
    }

    // MARK: By reading

    private func scan(
        _ search: HermesSearch,
        _ match: HermesMatch,
        after cursor: HermesCursor?,
        limit: Int
    ) async throws -> HermesSearchResults {
        var terms = terms(search)
        let top: Int64
        if let before = cursor?.values[0].integer { top = before - 1 } else { top = try await newestMessage() }
        let bottom = max(top - Self.window + 1, 0)
        terms.add("m.id >= ? AND m.id <= ?", .integer(bottom), .integer(top))
        let texts = ["m.content", schema.message("tool_name"), schema.message("tool_calls")].filter { $0 != "NULL" }
        let text = texts.map { "coalesce(\($0), '')" }.joined(separator: " || ' ' || ")
        for pattern in match.patterns { terms.add("(\(text)) LIKE ? ESCAPE '\\'", .text(pattern)) }
        let columns = hitColumns + ["substr(\(text), 1, 65536)", "NULL"]
        let sql =
            "SELECT \(columns.joined(separator: ", ")) FROM messages m \(terms.clause)ORDER BY m.id DESC LIMIT \(limit + 1)"
        let rows = try await source.rows(SQLQuery(sql, terms.values, columns: columns.count))
        let hits = rows.prefix(limit).map { HermesSearchHit($0) { match.pieces(of: $0) } }
        let next = rows.count > limit ? hits.last?.messageID : (bottom > 0 ? bottom : nil)
        return HermesSearchResults(
            page: HermesPage(elements: hits, next: next.map { HermesCursor(.integer($0)) }),
            method: .scan,
            isRankingCapped: false
        )
    }
}

extension HermesSearchHit {
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

    private init(_ hit: HermesSearchHit, rank: Double?) {
        messageID = hit.messageID
        sessionID = hit.sessionID
        sessionTitle = hit.sessionTitle
        role = hit.role
        toolName = hit.toolName
        timestamp = hit.timestamp
        snippet = hit.snippet
        self.rank = rank
    }

    fileprivate func ranked(_ rank: Double?) -> HermesSearchHit { HermesSearchHit(self, rank: rank) }
}
