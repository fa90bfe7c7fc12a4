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
    struct HermesSearchTests {
        private static func lab(_ body: (HermesLab, String, HermesDatabase) async throws -> Void) async throws {
            try await HermesLab.with { lab in
                let path = try await lab.made(
                    "search.db",
                    """
                    INSERT INTO sessions (id, source, started_at, title) VALUES ('a', 'cli', 1, 'Session A'), ('b', 'cli', 2, NULL);
                    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300)
                    INSERT INTO messages (id, session_id, role, content, timestamp, active)
                    SELECT i, CASE i % 3 WHEN 0 THEN 'a' ELSE 'b' END, 'user',
                    replace(hex(zeroblob(i % 7)), '00', 'apple ') || 'pear ' || i || CASE i % 2 WHEN 0 THEN ' 100%_sure' ELSE '' END,
                    i, i % 10 <> 0 FROM n;
                    """
                )
                let database = try await HermesDatabase.open(path)
                try await body(lab, path, database)
                await database.close()
            }
        }

        @Test(arguments: [10_000, 100]) func `ranked pages come in order and have each message once`(cap: Int)
            async throws
        {
            try await Self.lab { lab, path, database in
                var search = HermesSearch("apple", order: .best)
                search.rankedMatches = cap
                var cursor: HermesCursor?
                var hits: [HermesSearch.Hit] = []
                repeat {
                    let results = try await database.search(search, after: cursor, limit: 7)
                    #expect(results.isRankingCapped == (cap == 100))
                    hits += results.page.elements
                    cursor = results.page.next
                } while cursor != nil
                #expect(Set(hits.map(\.messageID)).count == hits.count)
                #expect(hits.compactMap(\.rank) == hits.compactMap(\.rank).sorted())
                let newest =
                    "SELECT rowid FROM messages_fts WHERE messages_fts MATCH 'apple' ORDER BY rowid DESC LIMIT \(cap)"
                let expected = try await lab.json("SELECT id FROM messages WHERE active AND id IN (\(newest))", path)
                #expect(Set(hits.map(\.messageID)) == Set(expected.compactMap { $0["id"]?.integer }))
                #expect(hits.first { $0.sessionID == "a" }?.sessionTitle == "Session A")
            }
        }

        @Test func `in one session`() async throws {
            try await Self.lab { lab, path, database in
                for order in [HermesSearch.Order.newest, .best] {
                    var search = HermesSearch("pear", order: order)
                    search.sessionID = "a"
                    var cursor: HermesCursor?
                    var ids: Set<Int64> = []
                    repeat {
                        let results = try await database.search(search, after: cursor, limit: 4)
                        ids.formUnion(results.page.elements.map(\.messageID))
                        cursor = results.page.next
                    } while cursor != nil
                    let expected = try await lab.json("SELECT id FROM messages WHERE session_id = 'a' AND active", path)
                    #expect(ids == Set(expected.compactMap { $0["id"]?.integer }))
                }
            }
        }

        @Test func `a session and a role are found behind more newer matches than are ranked`() async throws {
            try await Self.lab { lab, path, database in
                try await lab.sql(
                    "INSERT INTO sessions (id, source, started_at) VALUES ('old', 'cli', 3); UPDATE messages SET session_id = "
                        + "'old', role = 'assistant', active = 1 WHERE id IN (7, 9);",
                    path
                )
                var search = HermesSearch("pear", order: .best)
                search.rankedMatches = 50
                search.sessionID = "old"
                let inSession = try await database.search(search)
                #expect(Set(inSession.page.elements.map(\.messageID)) == [7, 9])
                #expect(!inSession.isRankingCapped)
                search.sessionID = nil
                search.messages.roles = [.assistant]
                #expect(Set(try await database.search(search).page.elements.map(\.messageID)) == [7, 9])
                search.messages.roles = [.user]
                #expect(try await database.search(search).isRankingCapped)
                search.sessionID = "none"
                #expect(try await database.search(search).page.elements.isEmpty)
            }
        }

        @Test(arguments: [10_000, 100])
        func `ranked pages hold together while a writer adds`(cap: Int) async throws {
            try await Self.lab { lab, path, database in
                var search = HermesSearch("apple", order: .best)
                search.rankedMatches = cap
                let before = try await database.search(search, limit: 500).page.elements.map(\.messageID)
                #expect(before.count > 80)
                var ids: [Int64] = []
                var cursor: HermesCursor?
                repeat {
                    let results = try await database.search(search, after: cursor, limit: 9)
                    ids += results.page.elements.map(\.messageID)
                    cursor = results.page.next
                    // Better ones than all that are there, and words that change what a match is worth.
                    try await lab.sql(
                        "INSERT INTO messages (session_id, role, content, timestamp) VALUES ('a', 'user', 'apple apple apple', 1), "
                            + "('a', 'user', 'pear and plum', 2), ('a', 'user', 'plum', 3);",
                        path
                    )
                } while cursor != nil
                // Nothing that came since; what a match is worth moves a little with it, and a few across a page's end.
                #expect(Set(ids).isSubset(of: Set(before)))
                #expect(Set(before).subtracting(ids).count <= 9)
                #expect(try await database.search(search, limit: 1).page.elements.first?.messageID ?? 0 > 300)
            }
        }

        @Test func `Korean is found within its words`() async throws {
            try await Self.lab { lab, path, database in
                try await lab.sql(
                    "INSERT INTO messages (id, session_id, role, content, timestamp) VALUES (1000, 'a', 'user', "
                        + "'저는 데이터베이스를 읽습니다', 9), (1001, 'a', 'user', '漢字kana', 10), (1002, 'a', 'user', 'ꀀꀁꀂꀃ', 11);",
                    path
                )
                for (text, method, id) in [
                    ("데이터베이스", HermesSearch.Method.substrings, Int64(1000)), ("읽습", .scan, 1000),
                    ("字ka", .substrings, 1001), ("ꀁꀂꀃ", .substrings, 1002),
                ] {
                    for order in [HermesSearch.Order.newest, .best] {
                        let found = try await database.search(HermesSearch(text, order: order))
                        #expect(found.method == method)
                        #expect(found.page.elements.map(\.messageID) == [id])
                    }
                }
            }
        }

        @Test func `no names are no calls, and no roles are no messages`() async throws {
            try await HermesLab.with { lab in
                let database = try await HermesDatabase.open(try await lab.recorded())
                var filter = HermesToolUse.Filter()
                filter.names = []
                let page = try await database.toolActivity(filter)
                #expect(page.elements.isEmpty && page.next == nil)
                var search = HermesSearch("tool")
                search.messages.roles = []
                #expect(try await database.search(search).page.elements.isEmpty)
                await database.close()
            }
        }

        @Test func `a percent sign and an underscore are themselves`() async throws {
            try await Self.lab { lab, path, database in
                var search = HermesSearch("0%_s")
                search.matchesSubstrings = true
                let byIndex = try await database.search(search, limit: 500)
                #expect(byIndex.method == .substrings)
                #expect(byIndex.page.elements.count == 120)
                try await lab.sql("DROP TABLE messages_fts_trigram", path)
                let other = try await HermesDatabase.open(path)
                let byReading = try await other.search(search, limit: 500)
                #expect(byReading.method == .scan)
                #expect(byReading.page.elements.map(\.messageID) == byIndex.page.elements.map(\.messageID))
                await other.close()
            }
        }

        @Test func `a damaged index is gone round by reading`() async throws {
            try await Self.lab { lab, path, _ in
                try await lab.sql("DELETE FROM messages_fts_data; PRAGMA wal_checkpoint(TRUNCATE)", path)
                let database = try await HermesDatabase.open(path)
                let results = try await database.search(HermesSearch("apple"))
                #expect(results.method == .scan)
                #expect(results.page.elements.count == 50)
                await database.close()
            }
        }
    }
}
