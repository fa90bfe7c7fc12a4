// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffHermes
import RiffTesting
import TestSupport
import Testing

extension HermesInTurn {
    @Suite(.enabled(if: HermesLab.isInstalled, "sqlite3 or python3 is missing"), .timeLimit(.minutes(5)))
    struct HermesInsightsTests {
        /// Two hundred sessions of some weeks, of all kinds, with two messages each.
        private static let many = """
            WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 199)
            INSERT INTO sessions (id, source, model, parent_session_id, started_at, ended_at, message_count, tool_call_count,
            input_tokens, output_tokens, estimated_cost_usd, archived)
            SELECT 's' || i, CASE i % 5 WHEN 0 THEN 'subagent' WHEN 1 THEN 'telegram' ELSE 'cli' END,
            CASE i % 3 WHEN 0 THEN 'small' WHEN 1 THEN 'large' END, CASE i % 5 WHEN 0 THEN 's1' END,
            1790000000 + i * 12345, 1790000000 + i * 12345 + i, i, i % 4, i * 10, i * 3, i * 0.25, i % 7 = 0 FROM n;
            WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 399)
            INSERT INTO messages (session_id, role, content, timestamp, active, compacted)
            SELECT 's' || (i / 2), CASE i % 4 WHEN 0 THEN 'user' WHEN 1 THEN 'assistant' WHEN 2 THEN 'tool' ELSE 'user' END,
            'text ' || i, 1790000000 + i, i % 10 <> 3, 0 FROM n;
            """

        @Test(arguments: HermesRecordedTests.ways)
        func `models, kinds, roles, weekdays and days are those that the sqlite3 program counts`(way: String)
            async throws
        {
            try await HermesLab.with { lab in
                let path = try await lab.made("many.db", Self.many)
                let database = try await HermesRecordedTests.open(path, way)
                let zone = try #require(TimeZone(identifier: "Asia/Kolkata"))
                let (from, before) = (1_790_100_000.0, 1_792_000_000.0)
                let insights = try await database.insights(
                    in: HermesInsights.Period(from: from, before: before),
                    timeZone: zone
                )
                let period = "started_at >= 1790100000 AND started_at < 1792000000"
                func counts(_ key: String) async throws -> [String: [Double]] {
                    let rows = try await lab.json(
                        """
                        SELECT \(key) AS k, count(*) AS n, sum(message_count) AS m, sum(input_tokens) AS i, sum(output_tokens) AS o,
                        sum(estimated_cost_usd) AS c, sum(tool_call_count) AS t, sum(ended_at - started_at) AS s
                        FROM sessions WHERE \(period) GROUP BY 1
                        """,
                        path
                    )
                    return Dictionary(
                        rows.map { row in
                            (row["k"]?.text ?? "", ["n", "m", "i", "o", "c", "t", "s"].map { row[$0]?.double ?? .nan })
                        }
                    ) { first, _ in first }
                }
                func figures(_ totals: HermesInsights.Totals) -> [Double] {
                    let counts = [totals.sessions, totals.messages, totals.tokens.input, totals.tokens.output]
                    return counts.map(Double.init) + [
                        totals.cost.best ?? .nan, Double(totals.toolCalls), totals.seconds,
                    ]
                }
                let models = Dictionary(insights.models.map { ($0.name, figures($0.totals)) }) { first, _ in first }
                #expect(try await counts("coalesce(model, '')") == models)
                #expect(insights.models.map(\.totals.sessions) == insights.models.map(\.totals.sessions).sorted(by: >))
                let platforms = Dictionary(insights.platforms.map { ($0.name, figures($0.totals)) }) { first, _ in first
                }
                #expect(try await counts("source") == platforms)
                let kinds = Dictionary(insights.kinds.map { ($0.key.rawValue, figures($0.value)) }) { first, _ in first
                }
                #expect(try await counts("CASE source WHEN 'subagent' THEN source ELSE 'root' END") == kinds)
                #expect(try await counts("'all'") == ["all": figures(insights.totals)])
                let roles = try await lab.json(
                    "SELECT role, count(*) AS n FROM messages m JOIN sessions s ON s.id = m.session_id WHERE \(period) "
                        + "AND m.active GROUP BY 1",
                    path
                )
                #expect(
                    Dictionary(roles.map { ($0["role"]?.text ?? "", $0["n"]?.integer ?? 0) }) { first, _ in first }
                        == Dictionary(insights.roles.map { ($0.key.rawValue, $0.value) }) { first, _ in first }
                )
                let weekdays = try await lab.json(
                    "SELECT (strftime('%w', started_at + 19800, 'unixepoch') + 6) % 7 AS d, count(*) AS n FROM sessions "
                        + "WHERE \(period) GROUP BY 1",
                    path
                )
                #expect(weekdays.count == 7)
                for row in weekdays { #expect(insights.weekdays[Int(row["d"]?.integer ?? -1)] == row["n"]?.integer) }
                let days = try await lab.json(
                    """
                    SELECT strftime('%Y-%m-%d', started_at + 19800, 'unixepoch') AS d, count(*) AS n, sum(message_count) AS m,
                    sum(input_tokens + output_tokens) AS t, sum(estimated_cost_usd) AS c FROM sessions WHERE \(period) GROUP BY 1
                    ORDER BY 1
                    """,
                    path
                )
                #expect(days.count > 20)
                #expect(
                    insights.days.map { String(format: "%04d-%02d-%02d", $0.year, $0.month, $0.day) }
                        == days.compactMap { $0["d"]?.text }
                )
                #expect(insights.days.map(\.sessions) == days.map { $0["n"]?.integer })
                #expect(insights.days.map(\.messages) == days.map { $0["m"]?.integer })
                #expect(insights.days.map(\.tokens) == days.map { $0["t"]?.integer })
                #expect(insights.days.map(\.cost) == days.map { $0["c"]?.double })
                let hours = try await lab.json(
                    "SELECT CAST(strftime('%H', started_at + 19800, 'unixepoch') AS INTEGER) AS h, count(*) AS n "
                        + "FROM sessions WHERE \(period) GROUP BY 1",
                    path
                )
                for row in hours { #expect(insights.hours[Int(row["h"]?.integer ?? -1)] == row["n"]?.integer) }
                #expect(insights.hours.reduce(0, +) == insights.totals.sessions)
                // The parts of it that an overview asks for are the same.
                #expect(
                    try await database.totals(in: HermesInsights.Period(from: from, before: before)) == insights.totals
                )
                #expect(
                    try await database.days(in: HermesInsights.Period(from: from, before: before), timeZone: zone)
                        == insights.days
                )
                await database.close()
            }
        }

        @Test(arguments: HermesRecordedTests.ways)
        func `one odd row spoils nothing`(way: String) async throws {
            try await HermesLab.with { lab in
                let odd = [
                    #"["a", 1, null, [2], {"function": 3}, {"function": {"name": {"x": 1}}}]"#, #"{"name": "no list"}"#,
                    "no JSON", "", "[", #""text""#, "null",
                    #"[{"name": "flat"}, {"function": {"name": "terminal", "arguments": "{}"}}]"#,
                ]
                let rows = odd.map { "('s', 'assistant', '', 1, CAST('\($0)' AS TEXT))" }
                let path = try await lab.made(
                    "odd.db",
                    """
                    INSERT INTO sessions (id, source, started_at, ended_at, message_count, tool_call_count, input_tokens,
                    output_tokens, estimated_cost_usd, actual_cost_usd) VALUES
                    ('s', 'cli', 1790000000, 1790000001, 9223372036854775807, 9223372036854775807, 9223372036854775807,
                    9223372036854775807, 9e307, NULL),
                    ('t', 'cli', 1790000000, 1e300, 9223372036854775807, 1, 1, 9223372036854775807, 9e307, 9223372036854775807),
                    ('early', 'cli', -1e300, NULL, -9223372036854775808, 1, -9223372036854775808, 0, NULL, NULL),
                    ('late', 'cli', 1e300, -1e300, 'many', X'00', 1.5, '2', 'free', '-'),
                    ('endless', 'cli', 9e999, -9e999, NULL, NULL, NULL, NULL, 9e999, -9e999);
                    INSERT INTO session_model_usage (session_id, model, input_tokens) VALUES
                    ('s', 'm', 9223372036854775807), ('t', 'm', 9223372036854775807);
                    INSERT INTO messages (session_id, role, content, timestamp, tool_calls) VALUES \(rows.joined(separator: ", ")),
                    ('s', 'assistant', '', 1, X'5b5d00ff');
                    INSERT INTO messages (id, session_id, role, content, timestamp, tool_calls) VALUES
                    (9223372036854775806, 's', 'assistant', 'word', 9e999, '[{"id": "c", "name": "last"}]'),
                    (9223372036854775807, 's', 'tool', 'word', -1e300, NULL), (-9223372036854775808, 's', 'user', 'word', 0, NULL);
                    """
                )
                let database = try await HermesRecordedTests.open(path, way)
                let insights = try await database.insights(in: HermesInsights.Period(), timeZone: .gmt)
                #expect(insights.tools.map { "\($0.name) \($0.calls)" } == ["flat 1", "last 1", "terminal 1"])
                #expect(insights.totals.sessions == 5)
                #expect(insights.totals.tokens.output == .max)
                #expect(insights.usage.map(\.tokens.input) == [.max])
                #expect(insights.hours.reduce(0, +) == 2)
                #expect(insights.days.count == 1)
                _ = try await database.statistics()
                _ = try await database.notableSessions(in: HermesInsights.Period())
                #expect(try await database.toolActivity().elements.map(\.call.name) == ["last"])
                var filter = HermesToolUse.Filter()
                filter.sessionID = "s"
                let uses = try await database.toolActivity(filter).elements
                #expect(Set(uses.map(\.call.name)).isSuperset(of: ["last", "flat", "terminal"]))
                for session in try await database.all({ try await database.sessions(.everything, after: $0, limit: 2) })
                {
                    _ = (session.seconds, session.tokens.total, HermesWords.time(session.startedAt, in: .gmt))
                    _ = try await database.messages(of: session.id, contentLimit: .max)
                    _ = try await database.usage(of: session.id)
                }
                var search = HermesSearch("word", order: .best)
                search.rankedMatches = .max
                #expect(try await database.search(search).page.elements.count == 3)
                search.matchesSubstrings = true
                _ = try await database.search(search)
                #expect(try await database.search(HermesSearch("wo")).method == .words)
                await database.close()
            }
        }
    }
}
