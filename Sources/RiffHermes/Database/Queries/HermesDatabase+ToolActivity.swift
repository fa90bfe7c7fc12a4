// Riff
// SPDX-License-Identifier: Apache-2.0

extension HermesToolUse {
    /// A choice of tool calls.
    public struct Filter: Sendable, Hashable {
        /// The session of the calls; `nil` for all.
        public var sessionID: String?
        /// The names of the tools; `nil` for all.
        public var names: Set<String>?
        /// Also calls in messages that were taken back.
        package var includesRewound = false

        /// Creates a filter for all calls but those that were taken back; those before a compression are among them.
        public init() {}
    }
}

extension HermesDatabase {
    /// Reads a page of tool calls, newest first, each with the beginning of its answer.
    ///
    /// There is no index of calls, so a page looks through 20,000 messages at most: it can be short or empty while
    /// there are more to come.
    ///
    /// - Parameters:
    ///   - filter: Which of them.
    ///   - cursor: The `next` of the page before; `nil` for the first page.
    ///   - limit: How many messages with calls, at most 500; one can have several calls.
    ///   - resultLimit: How many characters of an answer are read.
    /// - Returns: A page.
    /// - Throws: What every method of ``HermesDatabase`` throws.
    public func toolActivity(
        _ filter: HermesToolUse.Filter = HermesToolUse.Filter(),
        after cursor: HermesCursor? = nil,
        limit: Int = 50,
        resultLimit: Int = 2000
    ) async throws -> HermesPage<HermesToolUse> {
        try await asking { try await $0.toolActivity(filter, after: cursor, limit: limit, resultLimit: resultLimit) }
    }
}

/// The queries for tool activity.
extension HermesQueries {
    /// The number of messages that one page of tool activity or of an unindexed search looks through.
    static var window: Int64 { 20_000 }

    /// Returns the number at which a window ends that begins with a number.
    static func bottom(of top: Int64) -> Int64 { top < window ? 0 : top - window + 1 }

    func toolActivity(
        _ filter: HermesToolUse.Filter,
        after cursor: HermesCursor?,
        limit: Int,
        resultLimit: Int
    ) async throws -> HermesPage<HermesToolUse> {
        guard schema.has("messages", "tool_calls"), filter.names?.isEmpty != true else {
            return HermesPage(elements: [], next: nil)
        }
        let limit = min(max(limit, 1), 500)
        var terms = SQLTerms()
        terms.add("m.tool_calls IS NOT NULL")
        if let sessionID = filter.sessionID { terms.add("m.session_id = ?", .text(sessionID)) }
        let before = cursor?.values.first?.integer
        var from: Int64?
        if filter.sessionID == nil {
            let top: Int64
            if let before { top = before.adding(-1) } else { top = try await newestMessage() }
            let bottom = Self.bottom(of: top)
            from = bottom
            terms.add("m.id >= ? AND m.id <= ?", .integer(bottom), .integer(top))
        } else if let before {
            terms.add("m.id < ?", .integer(before))
        }
        if !filter.includesRewound, let condition = schema.notRewound { terms.add(condition) }
        if let condition = schema.notCopied { terms.add(condition) }
        if let names = filter.names { terms.addCalls(of: names) }
        let sql =
            "SELECT m.id, m.session_id, m.timestamp, m.tool_calls FROM messages m \(terms.clause)"
            + "ORDER BY m.id DESC LIMIT \(limit + 1)"
        let rows = try await source.rows(SQLQuery(sql, terms.values, columns: 4))
        let hasMore = rows.count > limit
        let found = rows.prefix(limit)
        let next = hasMore ? found.last?[0].integer : from.flatMap { $0 > 0 ? $0 : nil }
        return HermesPage(
            elements: try await uses(Array(found), filter, resultLimit: max(1, resultLimit)),
            next: next.map { HermesCursor(.integer($0)) }
        )
    }

    private func uses(_ rows: [SQLRow], _ filter: HermesToolUse.Filter, resultLimit: Int) async throws
        -> [HermesToolUse]
    {
        let calls = rows.flatMap { row in
            HermesMessage.ToolCall.list(row[3].text ?? "").filter { filter.names?.contains($0.name) ?? true }.map {
                (row, $0)
            }
        }
        let results = try await results(of: rows, filter, calls: Set(calls.map(\.1.id)), limit: resultLimit)
        return calls.map { row, call in
            let (session, message) = (row[1].text ?? "", row[0].integer ?? 0)
            let answers = results[CallKey(session: session, call: call.id)] ?? []
            return HermesToolUse(
                sessionID: session,
                messageID: message,
                timestamp: row[2].real ?? 0,
                call: call,
                // Numbers of calls can come again in a session; an answer stands behind its call.
                result: answers.first { $0.messageID > message }
            )
        }
    }

    private struct CallKey: Hashable {
        let session: String
        let call: String
    }

    private func results(
        of rows: [SQLRow],
        _ filter: HermesToolUse.Filter,
        calls: Set<String>,
        limit: Int
    ) async throws -> [CallKey: [HermesToolUse.Result]] {
        let numbers = rows.compactMap { $0[0].integer }
        guard let oldest = numbers.min(), let newest = numbers.max(), !calls.isEmpty,
            schema.has("messages", "tool_call_id")
        else { return [:] }
        var terms = SQLTerms()
        terms.add("m.id > ? AND m.id <= ?", .integer(oldest), .integer(newest.adding(500)))
        // A plus: an index of sessions would be worse than the few messages between. In one session its calls can lie
        // far apart, with all other sessions' messages between them.
        let session = filter.sessionID == nil ? "+m.session_id" : "m.session_id"
        terms.add(session, in: Set(rows.compactMap { $0[1].text }))
        terms.add("m.role = 'tool'")
        terms.add("m.tool_call_id", in: calls)
        let sql =
            "SELECT m.session_id, m.tool_call_id, m.id, m.timestamp, substr(m.content, 1, \(limit)), "
            + "length(m.content) > \(limit) FROM messages m \(terms.clause)ORDER BY m.id LIMIT 20000"
        var found: [CallKey: [HermesToolUse.Result]] = [:]
        for row in try await source.rows(SQLQuery(sql, terms.values, columns: 6)) {
            let result = HermesToolUse.Result(
                messageID: row[2].integer ?? 0,
                timestamp: row[3].real ?? 0,
                content: row[4].text ?? "",
                isTruncated: row[5].isTrue
            )
            found[CallKey(session: row[0].text ?? "", call: row[1].text ?? ""), default: []].append(result)
        }
        return found
    }

    /// The number of the newest message; 0 where there is none.
    func newestMessage() async throws -> Int64 {
        try await source.rows(SQLQuery("SELECT max(id) FROM messages LIMIT 1", columns: 1)).first?[0].integer ?? 0
    }
}

extension SQLTerms {
    /// Messages whose calls may be of these tools: their names stand somewhere in the JSON.
    fileprivate mutating func addCalls(of names: Set<String>) {
        let terms = names.map { _ in "instr(m.tool_calls, ?) > 0" }.joined(separator: " OR ")
        add("(\(terms))")
        values += names.sorted().map(SQLValue.text)
    }
}
