// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffHermes
import RiffTesting
import RiffTransport
import TestSupport
import Testing

extension HermesInTurn {
    /// A database that hermes-agent wrote, and what the sqlite3 program says of it.
    @Suite(.enabled(if: HermesLab.isInstalled, "sqlite3 or python3 is missing"), .timeLimit(.minutes(5)))
    struct HermesRecordedTests {
        /// Here, and on a host by either program.
        static let ways = ["here", "sqlite3", "python3"]

        static func open(_ path: String, _ way: String, limits: HermesDatabase.Limits = HermesDatabase.Limits())
            async throws
            -> HermesDatabase
        {
            guard way != "here" else { return try await HermesDatabase.open(path, limits: limits) }
            return try await HermesDatabase.open(
                path,
                on: LocalHostSession(shell: "/bin/sh"),
                hostName: "this machine",
                access: try #require(HermesDatabase.Access(rawValue: way)),
                limits: limits
            )
        }

        static func with(
            _ way: String,
            wal: Bool = false,
            _ body: (HermesLab, String, HermesDatabase) async throws -> Void
        ) async throws {
            try await HermesLab.with { lab in
                let path = try await lab.recorded(wal: wal)
                let before = try lab.bytes(path)
                let database = try await open(path, way)
                do { try await body(lab, path, database) } catch {
                    await database.close()
                    throw error
                }
                await database.close()
                #expect(try lab.bytes(path) == before)
            }
        }

        @Test(arguments: ways)
        func `every session, with its counts and costs`(way: String) async throws {
            try await Self.with(way) { lab, path, database in
                let expected = try await lab.json(
                    """
                    SELECT *, json_extract(model_config, '$.cwd') AS config_cwd,
                    (SELECT content FROM messages m WHERE m.session_id = sessions.id AND role = 'user' ORDER BY id LIMIT 1)
                    AS first, (SELECT max(timestamp) FROM messages m WHERE m.session_id = sessions.id) AS last
                    FROM sessions ORDER BY started_at DESC
                    """,
                    path
                )
                let sessions = try await database.all {
                    try await database.sessions(.everything, after: $0, limit: 3)
                }
                #expect(database.schema.version == 22)
                #expect(sessions.map(\.id) == expected.map { $0["id"]?.text })
                for (session, row) in zip(sessions, expected) {
                    #expect(session.source == row["source"]?.text)
                    #expect(session.parentID == row["parent_session_id"]?.text)
                    #expect(session.model == row["model"]?.text)
                    #expect(session.title == row["title"]?.text)
                    #expect(close(session.startedAt, row["started_at"]))
                    #expect(close(session.endedAt, row["ended_at"]))
                    #expect(close(session.lastMessageAt, row["last"]))
                    #expect(session.endReason == row["end_reason"]?.text)
                    #expect(session.messageCount == row["message_count"]?.integer)
                    #expect(session.toolCallCount == row["tool_call_count"]?.integer)
                    #expect(session.requestCount == row["api_call_count"]?.integer)
                    #expect(session.tokens.input == row["input_tokens"]?.integer)
                    #expect(session.tokens.output == row["output_tokens"]?.integer)
                    #expect(session.tokens.cacheRead == row["cache_read_tokens"]?.integer)
                    #expect(session.cost.estimated == row["estimated_cost_usd"]?.double)
                    #expect(session.cost.actual == row["actual_cost_usd"]?.double)
                    #expect(session.workingDirectory == (row["cwd"]?.text ?? row["config_cwd"]?.text))
                    #expect(session.preview == (row["first"]?.text).map { String($0.prefix(120)) })
                    #expect(!session.isArchived)
                    #expect(session.kind == (row["source"]?.text == "subagent" ? .subagent : .root))
                    #expect(try await database.session(session.id)?.messageCount == session.messageCount)
                }
                // What a person sees first has no subagents in it.
                #expect(try await database.sessions().elements.count == expected.count - 1)
                #expect(try await database.session("none") == nil)
            }
        }

        @Test(arguments: ways)
        func `every message, forward and backward`(way: String) async throws {
            try await Self.with(way) { lab, path, database in
                let expected = try await lab.json("SELECT * FROM messages ORDER BY session_id, timestamp, id", path)
                var messages: [HermesMessage] = []
                let sessions = try await database.sessions(.everything).elements.map(\.id).sorted()
                for id in sessions {
                    let forward = try await database.all {
                        try await database.messages(of: id, .everything, after: $0, limit: 4)
                    }
                    let backward = try await database.all {
                        try await database.messages(of: id, .everything, .backward, after: $0, limit: 5)
                    }
                    #expect(backward.map(\.id) == forward.map(\.id).reversed())
                    messages += forward
                }
                #expect(messages.map(\.id) == expected.map { $0["id"]?.integer })
                for (message, row) in zip(messages, expected) {
                    #expect(message.sessionID == row["session_id"]?.text)
                    #expect(message.role.rawValue == row["role"]?.text)
                    #expect(message.content == row["content"]?.text)
                    #expect(!message.isTruncated)
                    #expect(message.reasoning == (row["reasoning"]?.text ?? row["reasoning_content"]?.text))
                    #expect(message.toolCallID == row["tool_call_id"]?.text)
                    #expect(message.toolName == row["tool_name"]?.text)
                    #expect(close(message.timestamp, row["timestamp"]))
                    #expect(message.finishReason == row["finish_reason"]?.text)
                    #expect(message.isActive && !message.isCompacted)
                    let calls = try row["tool_calls"]?.text.map { try JSONValue(parsing: $0).array ?? [] } ?? []
                    #expect(message.toolCalls.map(\.id) == calls.map { $0["id"]?.text })
                    #expect(message.toolCalls.map(\.name) == calls.map { $0["function"]?["name"]?.text })
                    #expect(message.toolCalls.map(\.arguments) == calls.map { $0["function"]?["arguments"]?.text })
                    #expect(try await database.message(message.id) == message)
                }
            }
        }

        @Test(arguments: ways)
        func `every call of a tool with its answer`(way: String) async throws {
            try await Self.with(way) { lab, path, database in
                let expected = try await lab.json(
                    """
                    SELECT m.id AS message, m.session_id AS session, json_extract(c.value, '$.id') AS id,
                    json_extract(c.value, '$.function.name') AS name,
                    json_extract(c.value, '$.function.arguments') AS arguments, r.id AS result, r.content AS content
                    FROM messages m, json_each(m.tool_calls) c LEFT JOIN messages r ON r.role = 'tool'
                    AND r.session_id = m.session_id AND r.tool_call_id = json_extract(c.value, '$.id')
                    ORDER BY m.id DESC, c.key
                    """,
                    path
                )
                let uses = try await database.all {
                    try await database.toolActivity(after: $0, limit: 4, resultLimit: 100_000)
                }
                #expect(uses.map(\.call.id) == expected.map { $0["id"]?.text })
                for (use, row) in zip(uses, expected) {
                    #expect(use.messageID == row["message"]?.integer)
                    #expect(use.sessionID == row["session"]?.text)
                    #expect(use.call.name == row["name"]?.text)
                    #expect(use.call.arguments == row["arguments"]?.text)
                    #expect(use.result?.messageID == row["result"]?.integer)
                    #expect(use.result?.content == row["content"]?.text)
                }
                var filter = HermesToolUse.Filter()
                filter.names = ["terminal"]
                let terminals = try await database.toolActivity(filter).elements
                #expect(terminals.count == expected.count { $0["name"] == "terminal" })
                filter.sessionID = expected[0]["session"]?.text
                let own = try await database.toolActivity(filter).elements
                #expect(own.map(\.sessionID).allSatisfy { $0 == filter.sessionID })
                #expect(!own.isEmpty)
            }
        }

        @Test(arguments: ways)
        func `statistics, insights and costs`(way: String) async throws {
            try await Self.with(way) { lab, path, database in
                let sums = try await lab.json(
                    """
                    SELECT count(*) AS n, sum(message_count) AS messages, sum(tool_call_count) AS calls,
                    sum(input_tokens) AS input, sum(output_tokens) AS output, sum(estimated_cost_usd) AS cost,
                    (SELECT count(*) FROM messages) AS stored, min(started_at) AS first FROM sessions
                    """,
                    path
                )[0]
                let statistics = try await database.statistics()
                #expect(statistics.totals.sessions == sums["n"]?.integer)
                #expect(statistics.totals.messages == sums["messages"]?.integer)
                #expect(statistics.totals.toolCalls == sums["calls"]?.integer)
                #expect(statistics.totals.tokens.input == sums["input"]?.integer)
                #expect(statistics.totals.tokens.output == sums["output"]?.integer)
                #expect(statistics.totals.cost.estimated == sums["cost"]?.double)
                #expect(statistics.messages == sums["stored"]?.integer)
                #expect(statistics.kinds[.subagent]?.sessions == 1)
                #expect(close(statistics.oldest, sums["first"]))
                let first = try #require(statistics.oldest)
                let insights = try await database.insights(
                    in: HermesInsights.Period(from: first, before: first + 86_400),
                    timeZone: try #require(TimeZone(identifier: "Asia/Kolkata"))
                )
                #expect(insights.totals == statistics.totals)
                let tools = try await lab.json(
                    """
                    SELECT json_extract(c.value, '$.function.name') AS name, count(*) AS n
                    FROM messages, json_each(tool_calls) c GROUP BY 1 ORDER BY 2 DESC, 1
                    """,
                    path
                )
                #expect(insights.tools.map(\.name) == tools.map { $0["name"]?.text })
                #expect(insights.tools.map(\.calls) == tools.map { $0["n"]?.integer })
                let usage = try await lab.json(
                    """
                    SELECT model, billing_provider, task, sum(api_call_count) AS n, sum(input_tokens) AS input,
                    sum(estimated_cost_usd) AS cost FROM session_model_usage GROUP BY 1, 2, 3 ORDER BY 5 DESC, 1, 2, 3
                    """,
                    path
                )
                #expect(insights.usage.map(\.task) == usage.map { $0["task"]?.text })
                #expect(insights.usage.map(\.requestCount) == usage.map { $0["n"]?.integer })
                #expect(insights.usage.map(\.tokens.input) == usage.map { $0["input"]?.integer })
                #expect(insights.usage.map(\.cost.estimated) == usage.map { $0["cost"]?.double })
                let platforms = try await lab.json(
                    "SELECT source, count(*) AS n FROM sessions GROUP BY 1 ORDER BY 2 DESC, 1",
                    path
                )
                #expect(insights.platforms.map(\.name) == platforms.map { $0["source"]?.text })
                let hours = try await lab.json(
                    """
                    SELECT CAST(strftime('%H', started_at + 19800, 'unixepoch') AS INTEGER) AS h, count(*) AS n
                    FROM sessions GROUP BY 1
                    """,
                    path
                )
                for row in hours { #expect(insights.hours[Int(row["h"]?.integer ?? -1)] == row["n"]?.integer) }
                #expect(insights.hours.reduce(0, +) == statistics.totals.sessions)
                let id = try await lab.json("SELECT id FROM sessions ORDER BY message_count DESC LIMIT 1", path)[0]
                let notable = try await database.notableSessions(in: HermesInsights.Period())
                #expect(notable.first { $0.reason == .mostMessages }?.session.id == id["id"]?.text)
                let acp = try #require(notable.first?.session.id)
                #expect(try await database.usage(of: acp).count >= 1)
            }
        }

        @Test(arguments: ways)
        func `a search finds what LIKE finds`(way: String) async throws {
            try await Self.with(way) { lab, path, database in
                for (text, method) in [
                    ("greeting", HermesSearch.Method.words), ("日本語", .substrings), ("本語", .scan),
                ] {
                    let expected = try await lab.json(
                        """
                        SELECT id FROM messages WHERE coalesce(content, '') || ' ' || coalesce(tool_name, '') || ' ' ||
                        coalesce(tool_calls, '') LIKE '%\(text)%' ORDER BY id DESC
                        """,
                        path
                    )
                    var cursor: HermesCursor?
                    var hits: [HermesSearch.Hit] = []
                    repeat {
                        let results = try await database.search(HermesSearch(text), after: cursor, limit: 2)
                        #expect(results.method == method)
                        hits += results.page.elements
                        cursor = results.page.next
                    } while cursor != nil
                    #expect(hits.map(\.messageID) == expected.map { $0["id"]?.integer })
                    #expect(!hits.isEmpty)
                    #expect(hits.allSatisfy { $0.snippet.contains { $0.isMatch && $0.text.lowercased() == text } })
                }
                let ranked = try await database.search(HermesSearch("tool said", order: .best), limit: 5)
                #expect(ranked.page.elements.count == 5)
                let ranks = ranked.page.elements.compactMap(\.rank)
                #expect(ranks == ranks.sorted() && ranks.count == 5)
                #expect(!ranked.isRankingCapped)
                for odd in ["\"", "NEAR(", "a AND", "*", "content: x", "it's ; .quit", "-", ""] {
                    _ = try await database.search(HermesSearch(odd))
                    _ = try await database.search(HermesSearch(odd, order: .best))
                }
            }
        }
    }
}

/// Whether a time is the one that sqlite3's JSON shows, which rounds to 15 digits.
private func close(_ value: Double?, _ json: JSONValue?) -> Bool {
    guard let value else { return json == nil || json == .null }
    return json?.double.map { abs($0 - value) < 1e-4 } ?? false
}

/// Suites that use programs run one after another.
@Suite(.serialized) enum HermesInTurn {}
