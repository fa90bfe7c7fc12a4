// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffHermes
import RiffTesting
import TestSupport
import Testing

/// What a database of an older version lacks: columns, by table, and whole tables.
struct HermesVintage: Sendable, CustomTestStringConvertible {
    let name: String
    var sessions: Set<String> = []
    var messages: Set<String> = []
    var tables: Set<String> = []

    var testDescription: String { name }

    static let schema22 = HermesVintage(name: "schema 22")
    static let beforeArchive = HermesVintage(
        name: "before archive and rewind",
        sessions: ["archived", "rewind_count", "profile_name"],
        messages: ["active", "compacted", "effect_disposition", "observed", "api_content"],
        tables: ["messages_fts_trigram", "session_model_usage"]
    )
    static let v11 = beforeArchive.without(
        "v0.11",
        sessions: [
            "cwd", "git_branch", "git_repo_root", "display_name", "chat_id", "chat_type", "thread_id", "session_key",
            "origin_json", "handoff_state", "handoff_platform", "handoff_error",
        ],
        messages: ["platform_message_id"]
    )
    static let v10 = v11.without(
        "v0.10",
        sessions: ["api_call_count"],
        messages: ["reasoning_content", "codex_reasoning_items", "codex_message_items"]
    )
    static let v7 = v10.without(
        "v0.7",
        sessions: ["billing_mode", "cost_source", "pricing_version", "title"],
        messages: ["reasoning_details"],
        tables: ["schema_version"]
    )
    static let oldest = v7.without(
        "before v0.7",
        sessions: [
            "reasoning_tokens", "cache_read_tokens", "cache_write_tokens", "estimated_cost_usd", "actual_cost_usd",
            "cost_status", "billing_provider", "billing_base_url", "parent_session_id", "model_config", "end_reason",
            "tool_call_count",
        ],
        messages: ["reasoning", "tool_calls", "tool_call_id", "tool_name", "finish_reason", "token_count"],
        tables: ["messages_fts"]
    )
    static let all = [schema22, beforeArchive, v11, v10, v7, oldest]

    private func without(
        _ name: String,
        sessions: Set<String> = [],
        messages: Set<String> = [],
        tables: Set<String> = []
    ) -> HermesVintage {
        HermesVintage(
            name: name,
            sessions: self.sessions.union(sessions),
            messages: self.messages.union(messages),
            tables: self.tables.union(tables)
        )
    }
}

extension HermesLab {
    /// The recorded rows in tables of a vintage.
    func vintage(_ vintage: HermesVintage, _ name: String = "vintage.db") async throws -> String {
        let source = Self.fixture("state.db")
        func columns(_ table: String, without: Set<String>) async throws -> String {
            try await json("SELECT name FROM pragma_table_info('\(table)')", source).compactMap { $0["name"]?.text }
                .filter { !without.contains($0) }.joined(separator: ", ")
        }
        let sessions = try await columns("sessions", without: vintage.sessions)
        let messages = try await columns("messages", without: vintage.messages)
        var lines = [
            "ATTACH '\(source)' AS old",
            "CREATE TABLE sessions (\(sessions.replacing("id,", with: "id TEXT PRIMARY KEY,", maxReplacements: 1)))",
            "INSERT INTO sessions SELECT \(sessions) FROM old.sessions",
            "CREATE TABLE messages (\(messages.replacing("id,", with: "id INTEGER PRIMARY KEY AUTOINCREMENT,", maxReplacements: 1)))",
            "INSERT INTO messages SELECT \(messages) FROM old.messages",
        ]
        for table in ["session_model_usage", "schema_version"] where !vintage.tables.contains(table) {
            lines.append("CREATE TABLE \(table) AS SELECT * FROM old.\(table)")
        }
        for (table, option) in [("messages_fts", ""), ("messages_fts_trigram", ", tokenize = 'trigram'")]
        where !vintage.tables.contains(table) {
            // Older versions index the table's own column.
            lines.append(
                "CREATE VIRTUAL TABLE \(table) USING fts5(content, content = 'messages', content_rowid = 'id'\(option))"
            )
            lines.append("INSERT INTO \(table)(\(table)) VALUES ('rebuild')")
        }
        let path = "\(folder)/\(name)"
        try await sql(lines.joined(separator: ";\n") + ";", path)
        return path
    }
}

extension HermesInTurn {
    @Suite(.enabled(if: HermesLab.isInstalled, "sqlite3 or python3 is missing"), .timeLimit(.minutes(10)))
    struct HermesVintageTests {
        @Test(arguments: HermesVintage.all, HermesRecordedTests.ways)
        func `every vintage is read`(vintage: HermesVintage, way: String) async throws {
            try await HermesLab.with { lab in
                let path = try await lab.vintage(vintage)
                let before = try lab.bytes(path)
                let database = try await HermesRecordedTests.open(path, way)
                try await Self.check(database, vintage)
                await database.close()
                #expect(try lab.bytes(path) == before)
            }
        }

        @Test func `each column may be missing by itself`() async throws {
            try await HermesLab.with { lab in
                let needed = [
                    "sessions": ["id", "started_at"], "messages": ["id", "session_id", "role", "content", "timestamp"],
                ]
                var number = 0
                for table in ["sessions", "messages"] {
                    let names = try await lab.json(
                        "SELECT name FROM pragma_table_info('\(table)')",
                        HermesLab.fixture("state.db")
                    ).compactMap { $0["name"]?.text }
                    for name in names where !(needed[table] ?? []).contains(name) {
                        var vintage = HermesVintage(name: name)
                        if table == "sessions" { vintage.sessions = [name] } else { vintage.messages = [name] }
                        number += 1
                        let path = try await lab.vintage(vintage, "\(number).db")
                        let database = try await HermesDatabase.open(path)
                        try await Self.check(database, vintage)
                        await database.close()
                    }
                }
                #expect(number == 44 + 16)
            }
        }

        static func check(_ database: HermesDatabase, _ vintage: HermesVintage) async throws {
            let sessions = try await database.sessions(.everything).elements
            #expect(sessions.count == 4)
            let newest = try #require(sessions.first)
            #expect(newest.id == "20260121_031836_a3cbaa" || newest.id.hasSuffix("a3cbaa"))
            #expect(newest.title == (vintage.sessions.contains("title") ? nil : "Fake title"))
            #expect(newest.requestCount == (vintage.sessions.contains("api_call_count") ? 0 : 2))
            #expect(newest.tokens.input == (vintage.sessions.contains("input_tokens") ? 0 : 200))
            #expect(newest.preview == "List the files. @tool terminal {\"command\":\"ls\"}")
            let child = try #require(sessions.first { $0.id.hasSuffix("a7668d") })
            #expect(child.kind == (vintage.sessions.contains("parent_session_id") ? .root : .subagent))
            var all = 0
            for session in sessions {
                for message in try await database.messages(of: session.id, limit: 1000).elements {
                    all += 1
                    #expect(message.isActive)
                    #expect(try await database.message(message.id)?.content == message.content)
                }
            }
            #expect(all == 51)
            let results = try await database.search(HermesSearch("greeting"))
            #expect(results.method == (vintage.tables.contains("messages_fts") ? .scan : .words))
            #expect(!results.page.elements.isEmpty)
            let hasNoCalls = vintage.messages.contains("tool_calls")
            let uses = try await database.toolActivity().elements
            #expect(uses.isEmpty == hasNoCalls)
            let statistics = try await database.statistics()
            #expect(statistics.totals.sessions == 4)
            #expect(statistics.messages == 51)
            let insights = try await database.insights(in: HermesInsights.Period())
            #expect(insights.hours.reduce(0, +) == 4)
            #expect(insights.tools.isEmpty == hasNoCalls)
            _ = try await database.notableSessions(in: HermesInsights.Period())
            #expect(try await database.usage(of: newest.id).isEmpty == false)
        }

        @Test(arguments: HermesRecordedTests.ways)
        func `archived, rewound, compacted, continued and branched are told apart`(way: String) async throws {
            try await HermesLab.with { lab in
                let path = try await lab.made(
                    "kinds.db",
                    """
                    INSERT INTO sessions (id, source, parent_session_id, started_at, ended_at, end_reason, archived, model_config)
                    VALUES
                    ('old', 'cli', NULL, 1, 2, 'compression', 0, NULL), ('new', 'cli', 'old', 2, 3, 'branched', 0, NULL),
                    ('twig', 'cli', 'new', 3, NULL, NULL, 0, NULL), ('away', 'cli', NULL, 4, NULL, NULL, 1, NULL),
                    ('helper', 'subagent', 'twig', 5, NULL, NULL, 0, NULL),
                    ('marked', 'cli', 'twig', 6, NULL, NULL, 0, '{"_delegate_from": "twig"}'),
                    ('orphan', 'cli', 'gone', 7, NULL, NULL, 0, NULL);
                    INSERT INTO messages (id, session_id, role, content, timestamp, active, compacted) VALUES
                    (1, 'old', 'user', 'same time b', 5.5, 1, 0), (2, 'old', 'user', 'same time a', 5.5, 1, 0),
                    (3, 'old', 'user', 'taken back', 6, 0, 0), (4, 'old', 'user', 'summed up', 4, 0, 1),
                    (9223372036854775806, 'old', 'tool', CAST(X'610062' AS TEXT), 7, 1, 0);
                    UPDATE sessions SET input_tokens = 9223372036854775807 WHERE id = 'old';
                    """
                )
                let database = try await HermesRecordedTests.open(path, way)
                let kinds = try await database.sessions(.everything).elements.reversed().map {
                    "\($0.id) \($0.kind.rawValue)"
                }
                #expect(
                    kinds == [
                        "old root", "new continuation", "twig branch", "away root", "helper subagent",
                        "marked subagent",
                        "orphan orphan",
                    ]
                )
                #expect(try await database.sessions().elements.map(\.id) == ["orphan", "twig", "new", "old"])
                var filter = HermesSession.Filter()
                filter.archived = true
                #expect(try await database.sessions(filter).elements.map(\.id) == ["away"])
                filter = .everything
                filter.parentID = "twig"
                #expect(try await database.sessions(filter).elements.map(\.id) == ["marked", "helper"])
                filter = .everything
                filter.startedFrom = 2
                filter.startedBefore = 4
                #expect(try await database.sessions(filter).elements.map(\.id) == ["twig", "new"])
                let ids = try await database.messages(of: "old").elements.map(\.id)
                #expect(ids == [1, 2, 9_223_372_036_854_775_806])
                let everything = try await database.all {
                    try await database.messages(of: "old", .everything, after: $0, limit: 1)
                }
                #expect(everything.map(\.id) == [4, 1, 2, 3, 9_223_372_036_854_775_806])
                #expect(everything.last?.content == "a\0b")
                #expect(everything.map(\.isCompacted) == [true, false, false, false, false])
                #expect(everything.map(\.isActive) == [false, true, true, false, true])
                #expect(everything.map(\.isRewound) == [false, false, false, true, false])
                #expect(try await database.session("old")?.tokens.input == .max)
                #expect(try await database.session("old")?.preview == "summed up")
                // A text longer than the limit is cut, and says so; the whole is there for who asks.
                let cut = try await database.messages(of: "old", limit: 1, contentLimit: 4).elements[0]
                #expect(cut.content == "same" && cut.isTruncated)
                #expect(try await database.message(cut.id)?.content == "same time b")
                await database.close()
            }
        }

        @Test(arguments: HermesRecordedTests.ways)
        func `branches, continuations and subagents are told apart as Hermes tells them`(way: String) async throws {
            try await HermesLab.with { lab in
                let statements = """
                    INSERT INTO sessions (id, source, parent_session_id, started_at, ended_at, end_reason, model_config) VALUES
                    ('open', 'cli', NULL, 1, NULL, NULL, NULL), ('branched', 'cli', NULL, 1, 5, 'branched', NULL),
                    ('packed', 'cli', NULL, 1, 5, 'compression', NULL), ('left', 'cli', NULL, 1, 5, 'cli_close', NULL),
                    ('a marked branch of one that goes on', 'cli', 'open', 6, NULL, NULL, '{"_branched_from": "open"}'),
                    ('a marked branch of a packed one', 'cli', 'packed', 6, NULL, NULL, '{"_branched_from":"packed"}'),
                    ('an unmarked child of one that goes on', 'cli', 'open', 6, NULL, NULL, '{"_branched_from": null}'),
                    ('a branch of old', 'cli', 'branched', 5, NULL, NULL, NULL),
                    ('a child of one that branched later', 'cli', 'branched', 4, NULL, NULL, NULL),
                    ('what goes on', 'cli', 'packed', 5, NULL, NULL, '{}'), ('a tool of it', 'tool', 'packed', 5, NULL, NULL, NULL),
                    ('a marked subagent of it', 'cli', 'packed', 3, NULL, NULL, '{"_delegate_from": "packed"}'),
                    ('a child of one that was left', 'cli', 'left', 4, NULL, NULL, NULL),
                    ('nobody knows', 'cli', 'gone', 6, NULL, NULL, NULL),
                    ('a marked subagent of one that is gone', 'cli', NULL, 6, NULL, NULL, '{"_delegate_from": "__orphaned__"}');
                    """
                let path = try await lab.made("kin.db", statements)
                for isOld in [false, true] {
                    if isOld {
                        // Before archives and marks: the parents tell all the same.
                        try await lab.sql(
                            "DROP INDEX idx_messages_session_active; DROP INDEX idx_messages_active_null; ALTER TABLE sessions "
                                + "DROP COLUMN archived; ALTER TABLE messages DROP COLUMN active; ALTER TABLE messages DROP COLUMN "
                                + "compacted;",
                            path
                        )
                    }
                    let database = try await HermesRecordedTests.open(path, way)
                    let sessions = try await database.sessions(.everything).elements
                    let kinds = Dictionary(grouping: sessions) { $0.kind.rawValue }.mapValues { $0.map(\.id).sorted() }
                    #expect(kinds["root"] == ["branched", "left", "open", "packed"])
                    #expect(
                        kinds["branch"] == [
                            "a branch of old", "a marked branch of a packed one", "a marked branch of one that goes on",
                        ]
                    )
                    #expect(kinds["continuation"] == ["what goes on"])
                    #expect(
                        kinds["subagent"] == [
                            "a child of one that branched later", "a child of one that was left",
                            "a marked subagent of it", "a marked subagent of one that is gone", "a tool of it",
                            "an unmarked child of one that goes on",
                        ]
                    )
                    #expect(kinds["orphan"] == ["nobody knows"])
                    let statistics = try await database.statistics()
                    #expect(statistics.kinds.mapValues(\.sessions).values.reduce(0, +) == 15)
                    #expect(statistics.kinds[.subagent]?.sessions == 6)
                    await database.close()
                }
            }
        }

        @Test(arguments: HermesRecordedTests.ways)
        func `what a summary stands for is found, and what was taken back is not`(way: String) async throws {
            try await HermesLab.with { lab in
                let call = { (id: String) in
                    #"[{"id": "\#(id)", "function": {"name": "terminal", "arguments": "{}"}}]"#
                }
                // As Hermes' archive_and_compact and its rewind leave them.
                let path = try await lab.made(
                    "compacted.db",
                    """
                    INSERT INTO sessions (id, source, started_at) VALUES ('s', 'cli', 1);
                    INSERT INTO messages (id, session_id, role, content, timestamp, tool_calls, active, compacted) VALUES
                    (1, 's', 'user', 'apple summed up', 1, NULL, 0, 1), (2, 's', 'assistant', '', 2, '\(call("a"))', 0, 1),
                    (3, 's', 'user', 'apple taken back', 3, NULL, 0, 0), (4, 's', 'assistant', '', 4, '\(call("b"))', 0, 0),
                    (5, 's', 'user', 'apple of old', 5, NULL, 1, 0), (6, 's', 'assistant', '', 6, '\(call("c"))', 1, 0);
                    """
                )
                let database = try await HermesRecordedTests.open(path, way)
                for order in [HermesSearch.Order.newest, .best] {
                    let found = try await database.search(HermesSearch("apple", order: order)).page.elements
                    #expect(Set(found.map(\.messageID)) == [1, 5])
                    // And is there where it is opened.
                    for hit in found {
                        let shown = try await database.messages(of: "s", HermesTranscript.Question(hit).filter).elements
                        #expect(shown.map(\.id).contains(hit.messageID))
                    }
                }
                #expect(try await database.toolActivity().elements.map(\.call.id) == ["c", "a"])
                #expect(try await database.session("s")?.preview == "apple summed up")
                var filter = HermesMessage.Filter()
                #expect(try await database.messages(of: "s", filter).elements.map(\.id) == [5, 6])
                filter.includesRewound = true
                #expect(try await database.messages(of: "s", filter).elements.map(\.id) == [3, 4, 5, 6])
                #expect(try await database.messages(of: "s", .withCompacted).elements.map(\.id) == [1, 2, 5, 6])
                await database.close()
            }
        }
    }
}
