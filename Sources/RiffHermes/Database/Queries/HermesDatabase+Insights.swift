// Riff
// SPDX-License-Identifier: Apache-2.0

public import Foundation
internal import RiffCore

extension HermesDatabase {
    /// Counts the sessions of a period, from several sides.
    ///
    /// - Parameters:
    ///   - period: Which sessions: those that began in it.
    ///   - timeZone: Where hours, weekdays and days are the user's; changes of the clock are minded.
    /// - Returns: The insights.
    /// - Throws: What every method of ``HermesDatabase`` throws.
    public func insights(in period: HermesInsights.Period, timeZone: TimeZone = .current) async throws -> HermesInsights
    {
        try await asking { try await $0.insights(in: period, timeZone: timeZone) }
    }

    /// Counts the whole database.
    public func statistics() async throws -> HermesStatistics {
        try await asking { try await $0.statistics() }
    }

    /// Finds the sessions of a period that stand out; one can do so for several reasons.
    public func notableSessions(in period: HermesInsights.Period) async throws -> [HermesInsights.Notable] {
        try await asking { try await $0.notableSessions(in: period) }
    }
}

extension HermesDatabase {
    /// Returns the totals of a period's sessions, and nothing else.
    package func totals(in period: HermesInsights.Period) async throws -> HermesInsights.Totals {
        try await asking { try await $0.groups(period).reduce(into: HermesInsights.Totals()) { $0 += $1.totals } }
    }

    /// The days of a period on which sessions began, and nothing else.
    package func days(in period: HermesInsights.Period, timeZone: TimeZone) async throws -> [HermesInsights.Day] {
        try await asking { queries in
            var calendar = HermesCalendar(timeZone: timeZone)
            for row in try await queries.buckets(period) { calendar.add(row) }
            return calendar.days
        }
    }
}

/// The queries for insights.
extension HermesQueries {
    func insights(in period: HermesInsights.Period, timeZone: TimeZone) async throws -> HermesInsights {
        let groups = try await groups(period)
        var totals = HermesInsights.Totals()
        var models: [String: HermesInsights.Totals] = [:]
        var platforms: [String: HermesInsights.Totals] = [:]
        var kinds: [HermesSession.Kind: HermesInsights.Totals] = [:]
        for group in groups {
            totals += group.totals
            models[group.model, default: HermesInsights.Totals()] += group.totals
            platforms[group.source, default: HermesInsights.Totals()] += group.totals
            kinds[group.kind, default: HermesInsights.Totals()] += group.totals
        }
        var calendar = HermesCalendar(timeZone: timeZone)
        for row in try await buckets(period) { calendar.add(row) }
        return HermesInsights(
            totals: totals,
            models: Self.ordered(models),
            platforms: Self.ordered(platforms),
            kinds: kinds,
            tools: try await tools(period),
            roles: try await roles(period),
            usage: try await usage(period),
            hours: calendar.hours,
            weekdays: calendar.weekdays,
            days: calendar.days
        )
    }

    func statistics() async throws -> HermesStatistics {
        let groups = try await groups(HermesInsights.Period())
        var totals = HermesInsights.Totals()
        var kinds: [HermesSession.Kind: HermesInsights.Totals] = [:]
        for group in groups {
            totals += group.totals
            kinds[group.kind, default: HermesInsights.Totals()] += group.totals
        }
        let sql =
            "SELECT (SELECT count(*) FROM messages), (SELECT min(started_at) FROM sessions), "
            + "(SELECT max(started_at) FROM sessions) LIMIT 1"
        var row = SQLRowReader(try await source.rows(SQLQuery(sql, columns: 3)).first ?? [])
        return HermesStatistics(
            totals: totals,
            kinds: kinds,
            archivedSessions: groups.reduce(0) { $0.adding($1.archived) },
            messages: row.count(),
            oldest: row.real(),
            newest: row.real(),
            sizeBytes: try await source.fingerprint().sizeBytes
        )
    }

    func notableSessions(in period: HermesInsights.Period) async throws -> [HermesInsights.Notable] {
        let tokens = HermesTokens.columns.prefix(4).map { "coalesce(\(schema.session($0)), 0)" }
        let costs = [schema.session("actual_cost_usd"), schema.session("estimated_cost_usd")]
        let measures: [(HermesInsights.Notable.Reason, String)] = [
            (.longest, "\(schema.session("ended_at")) - s.started_at"),
            (.mostMessages, schema.session("message_count")),
            (.mostTokens, tokens.joined(separator: " + ")),
            (.mostToolCalls, schema.session("tool_call_count")),
            // Hermes writes an actual cost of 0 where it knows none.
            (.costliest, "coalesce(nullif(\(costs[0]), 0), \(costs[1]))"),
        ]
        // One walk over the period's sessions; those that nothing is known of are left out.
        let terms = period.filter.terms(schema)
        let names = measures.indices.map { "m\($0)" }
        let best = names.map { "(SELECT id FROM p WHERE \($0) > 0 ORDER BY \($0) DESC, t DESC LIMIT 1)" }
        let list = zip(measures, names).map { "\($0.1) AS \($1)" }.joined(separator: ", ")
        let sql =
            "WITH p AS (SELECT s.id AS id, s.started_at AS t, \(list) FROM sessions s \(terms.clause)LIMIT -1) "
            + "SELECT \(best.joined(separator: ", ")) LIMIT 1"
        let row = try await source.rows(SQLQuery(sql, terms.values, columns: measures.count)).first ?? []
        var found: [String: HermesSession] = [:]
        var notable: [HermesInsights.Notable] = []
        for (measure, value) in zip(measures, row) {
            guard let id = value.text else { continue }
            if found[id] == nil { found[id] = try await session(id) }
            if let session = found[id] { notable.append(HermesInsights.Notable(reason: measure.0, session: session)) }
        }
        return notable
    }

    // MARK: Statements

    fileprivate struct Group {
        let source: String
        let model: String
        let kind: HermesSession.Kind
        let totals: HermesInsights.Totals
        let archived: Int64
    }

    fileprivate func groups(_ period: HermesInsights.Period) async throws -> [Group] {
        let terms = period.filter.terms(schema)
        let ended = schema.session("ended_at")
        let sums =
            (["message_count", "tool_call_count"] + HermesTokens.columns).flatMap { SQLSum.columns(schema.session($0)) }
            + HermesCost.columns(isSum: true) { schema.session($0) }
        var columns = [
            schema.session("source", else: "''"), schema.session("model"), HermesSession.kind(schema), "count(*)",
        ]
        columns += sums
        columns += ["total(max(0, \(ended) - s.started_at))"]
        columns += ["sum(\(schema.session("archived", else: "0")) IS NOT 0)"]
        let sql =
            "SELECT \(columns.joined(separator: ", ")) FROM sessions s \(terms.clause)GROUP BY 1, 2, 3 ORDER BY 1, 2, 3 "
            + "LIMIT 100000"
        return try await source.rows(SQLQuery(sql, terms.values, columns: columns.count)).map { row in
            var row = SQLRowReader(row)
            let names = (row.text() ?? "", row.text() ?? "", HermesSession.Kind(rawValue: row.text() ?? ""))
            var totals = HermesInsights.Totals()
            totals.sessions = row.count()
            totals.messages = row.sum()
            totals.toolCalls = row.sum()
            totals.tokens = HermesTokens(&row, isSum: true)
            totals.cost = HermesCost(&row)
            totals.seconds = row.real() ?? 0
            return Group(source: names.0, model: names.1, kind: names.2, totals: totals, archived: row.count())
        }
    }

    /// Sessions by quarters of an hour: no clock of today is off by another fraction.
    fileprivate func buckets(_ period: HermesInsights.Period) async throws -> [SQLRow] {
        let terms = period.filter.terms(schema)
        let tokens = ["input_tokens", "output_tokens"].map { "coalesce(\(schema.session($0)), 0)" }
        let costs = [schema.session("actual_cost_usd"), schema.session("estimated_cost_usd")]
        let sql =
            "SELECT CAST(s.started_at / 900 AS INTEGER), count(*), "
            + (SQLSum.columns(schema.session("message_count")) + SQLSum.columns(tokens.joined(separator: " + ")))
            .joined(separator: ", ") + ", total(coalesce(nullif(\(costs[0]), 0), \(costs[1]))) "
            + "FROM sessions s \(terms.clause)GROUP BY 1 ORDER BY 1 LIMIT 1000000"
        return try await source.rows(SQLQuery(sql, terms.values, columns: 7))
    }

    /// Calls by name: out of the JSON of the calls, or where SQLite has none for it, out of the answers.
    private func tools(_ period: HermesInsights.Period) async throws -> [(name: String, calls: Int64)] {
        let terms = period.filter.terms(schema)
        let tail = "GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 10000"
        var rows: [SQLRow] = []
        do {
            guard schema.has("messages", "tool_calls") else { return [] }
            // Anything can stand in the column, and what is no JSON may not be asked for a part of it.
            let name =
                "CASE c.type WHEN 'object' THEN CASE coalesce(json_type(c.value, '$.function.name'), "
                + "json_type(c.value, '$.name')) WHEN 'text' THEN coalesce(json_extract(c.value, '$.function.name'), "
                + "json_extract(c.value, '$.name')) END END"
            let calls =
                "json_each(CASE WHEN json_valid(m.tool_calls) THEN CASE json_type(m.tool_calls) WHEN 'array' "
                + "THEN m.tool_calls ELSE '[]' END ELSE '[]' END) c"
            var terms = terms
            terms.add("m.tool_calls IS NOT NULL")
            for condition in schema.counted { terms.add(condition) }
            terms.add("\(name) IS NOT NULL")
            let sql =
                "SELECT \(name), count(*) FROM sessions s CROSS JOIN messages m ON m.session_id = s.id "
                + "CROSS JOIN \(calls) \(terms.clause)\(tail)"
            rows = try await source.rows(SQLQuery(sql, terms.values, columns: 2))
        } catch let error as DataError where error.code == .databaseFailed {
            guard schema.has("messages", "tool_name") else { return [] }
            var terms = terms
            terms.add("m.role = 'tool' AND m.tool_name IS NOT NULL")
            for condition in schema.counted { terms.add(condition) }
            let sql =
                "SELECT m.tool_name, count(*) FROM sessions s CROSS JOIN messages m ON m.session_id = s.id "
                + "\(terms.clause)\(tail)"
            rows = try await source.rows(SQLQuery(sql, terms.values, columns: 2))
        }
        return rows.map { ($0[0].text ?? "", $0[1].integer ?? 0) }
    }

    private func roles(_ period: HermesInsights.Period) async throws -> [HermesMessage.Role: Int64] {
        var terms = period.filter.terms(schema)
        for condition in schema.counted { terms.add(condition) }
        let sql =
            "SELECT m.role, count(*) FROM sessions s CROSS JOIN messages m ON m.session_id = s.id \(terms.clause)"
            + "GROUP BY 1 LIMIT 1000"
        let rows = try await source.rows(SQLQuery(sql, terms.values, columns: 2))
        let counts = rows.map { (HermesMessage.Role(rawValue: $0[0].text ?? ""), $0[1].integer ?? 0) }
        return Dictionary(counts) { $0.adding($1) }
    }

    private func usage(_ period: HermesInsights.Period) async throws -> [HermesInsights.ModelUsage] {
        guard schema.hasModelUsage else { return [] }
        let terms = period.filter.terms(schema)
        let columns = HermesInsights.ModelUsage.columns(schema, isSum: true)
        let sql =
            "SELECT \(columns.joined(separator: ", ")) FROM sessions s CROSS JOIN session_model_usage u "
            + "ON u.session_id = s.id \(terms.clause)GROUP BY 1, 2, 3 "
            + "ORDER BY total(\(HermesInsights.ModelUsage.size(schema))) DESC, 1, 2, 3 LIMIT 10000"
        return try await source.rows(SQLQuery(sql, terms.values, columns: columns.count))
            .map { HermesInsights.ModelUsage($0, isSum: true) }
    }

    private static func ordered(_ totals: [String: HermesInsights.Totals]) -> [(
        name: String, totals: HermesInsights.Totals
    )] {
        totals.sorted { ($1.value.sessions, $0.key) < ($0.value.sessions, $1.key) }.map { ($0.key, $0.value) }
    }
}
