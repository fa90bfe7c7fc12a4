// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffHermes
import RiffTesting
import RiffTransport
import TestSupport
import Testing

/// A Hermes database that answers every question with the same value.
private struct OneValueSource: HermesRowSource {
    let name = "a hostile database"
    let value: SQLValue

    private static let columns: [String: [String]] = [
        "sessions": [
            "id", "source", "model", "parent_session_id", "started_at", "ended_at", "end_reason",
            "message_count",
            "tool_call_count", "input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens",
            "reasoning_tokens", "estimated_cost_usd", "actual_cost_usd", "api_call_count", "rewind_count", "archived",
            "title",
        ],
        "messages": [
            "id", "session_id", "role", "content", "timestamp", "tool_calls", "tool_name", "tool_call_id",
            "token_count",
            "active", "compacted",
        ],
        "session_model_usage": ["session_id", "model", "task", "input_tokens", "output_tokens", "api_call_count"],
        "schema_version": ["version"],
    ]

    func rows(_ query: SQLQuery) async throws -> [SQLRow] {
        if query.sql.contains("pragma_table_") {
            let rows = Self.columns.flatMap { table, names in
                names.map { Array([SQLValue.text(table), .text($0), .integer(0)].prefix(query.columns)) }
            }
            return [Array(repeating: .null, count: query.columns)] + rows
        }
        if query.sql.contains("FROM sqlite_master") {
            return Self.columns.keys.map {
                [.text("table"), .text($0), .integer(2), .text("CREATE TABLE \($0) (x)")]
            }
        }
        return Array(repeating: Array(repeating: value, count: query.columns), count: 3)
    }

    /// As a host tells it.
    func fingerprint() async throws -> HermesFingerprint {
        let host = ScriptedHostSession { command, _ in
            let nonce = command.firstMatch(of: /riff-[0-9a-z]{6,}/)?.output ?? ""
            let look = "L18446744073709551615/1/1;18446744073709551615/2/2;-;0"
            return CommandResult(output: Array("\(nonce)\n\(look)\n".utf8), exit: .exited(0))
        }
        let source = HermesHostSource(
            path: "/state.db",
            on: host,
            hostName: "hostile",
            access: .any,
            limits: HermesDatabase.Limits(),
            clock: ContinuousClock()
        )
        return try await source.fingerprint()
    }

    func close() async {}
}

/// Numbers that no honest host says.
struct HermesExtremesTests {
    static let values: [SQLValue] = [
        .integer(.max), .integer(.min), .integer(-1), .real(.infinity), .real(-.infinity), .real(.nan), .real(1e308),
        .real(-1e308), .real(9.3e18), .text("9223372036854775807"), .text("-9223372036854775808"), .text("1e308"),
        .text("nan"), .text("infinity"), .text(""), .blob([0xFF]), .blob([]), .null,
    ]

    static let zones = ["UTC", "Pacific/Kiritimati", "America/New_York"].compactMap(TimeZone.init(identifier:))

    /// Everything that can be asked, and everything that is made of the answers; the codes of what was refused.
    static func askAll(_ database: HermesDatabase, in zones: [TimeZone] = zones) async -> Set<String> {
        var codes: Set<String> = []
        func ask(_ question: () async throws -> Void) async { codes.insert(await dataCode(question)) }
        for zone in zones {
            await ask {
                let insights = try await database.insights(in: HermesInsights.Period(), timeZone: zone)
                _ = HermesWords.count(insights.totals.tokens.total)
                _ = HermesWords.duration(seconds: insights.totals.seconds)
                _ = HermesWords.cost(insights.totals.cost.best)
            }
            await ask { _ = try await database.days(in: HermesInsights.Period(), timeZone: zone) }
            await ask {
                _ = try await HermesReport(of: database, HermesReport.Question(timeZone: zone), now: 1_795_435_200)
            }
        }
        await ask { _ = try await database.statistics() }
        await ask { _ = try await database.totals(in: HermesInsights.Period()) }
        await ask { _ = try await database.notableSessions(in: HermesInsights.Period()) }
        await ask { _ = try await database.toolActivity() }
        await ask { _ = try await database.fingerprint().sizeBytes }
        await ask {
            var cursor: HermesCursor?
            for _ in 0..<2 {
                let page = try await database.sessions(.everything, after: cursor, limit: 2)
                for session in page.elements {
                    for zone in zones { _ = HermesWords.time(session.startedAt, in: zone) }
                    _ = HermesWords.age(of: session.startedAt, now: 0) + HermesWords.count(session.messageCount)
                    _ = HermesWords.duration(seconds: (session.endedAt ?? 0) - session.startedAt)
                    _ = HermesWords.share(session.messageCount, of: session.toolCallCount)
                    _ = try await database.messages(of: session.id, .everything, after: cursor, limit: 2)
                }
                cursor = page.next
            }
        }
        for order in [HermesSearch.Order.newest, .best] {
            await ask {
                var search = HermesSearch("the")
                search.order = order
                let first = try await database.search(search, limit: 2)
                if let next = first.page.next { _ = try await database.search(search, after: next, limit: 2) }
            }
        }
        return codes
    }

    @Test(arguments: values)
    func `no number of a database ends the process`(value: SQLValue) async throws {
        let database = try await HermesDatabase(OneValueSource(value: value))
        #expect(await Self.askAll(database) == ["none"])
        #expect(try await database.fingerprint().sizeBytes == .max)
    }

    @Test func `sums beyond 64 bits are the largest number`() async throws {
        let database = try await HermesDatabase(OneValueSource(value: .integer(.max)))
        let statistics = try await database.statistics()
        #expect(statistics.archivedSessions == .max)
        #expect(statistics.sizeBytes == .max)
        let insights = try await database.insights(in: HermesInsights.Period())
        #expect(insights.totals.sessions == .max)
        #expect(insights.roles.values.map(\.self) == [.max])
    }

    @Test(arguments: ["18446744073709551615", "9223372036854775807"])
    func `a copy of more bytes than a disk can hold is refused`(size: String) async throws {
        let folder = FileManager.default.temporaryDirectory.path + "/riff-extremes-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }  // Cleanup.
        let host = ScriptedHostSession { command, _ in
            let nonce = command.firstMatch(of: /riff-[0-9a-z]{6,}/)?.output ?? ""
            let lines = ["", "-wal"].map { "\(nonce) file /copy.db\($0) \(size) -\n" }.joined()
            return CommandResult(output: Array("\(lines)\(nonce) look L1/1/1;-;-;0\n".utf8), exit: .exited(0))
        }
        let error = await #expect(throws: DataError.self) {
            _ = try await HermesSnapshot.pull("/state.db", on: host, hostName: "hostile", to: "\(folder)/copy.db")
        }
        #expect(error?.code == .snapshotDamaged)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
    }

    @Test(arguments: [
        "i99999999999999999999:1", "i-1:1", "i9223372036854775807:1", "i20:99999999999999999999", "r5:1e999", "q2:9x",
    ])
    func `a value whose length or number is none is not understood`(value: String) {
        var rows = HostRows(columns: 1, end: "end", limits: HermesDatabase.Limits())
        let answer = Result { () throws(HostRows.Malformed) in try rows.feed(Array("R\(value)\nEend\n".utf8)) }
        switch answer {
        case .success(let answer):
            // An infinite number is a number.
            #expect(value == "r5:1e999" && answer?.rows == [[.real(.infinity)]])
        case .failure: #expect(value != "r5:1e999")
        }
    }
}

extension HermesInTurn {
    @Suite(.enabled(if: HermesLab.isInstalled, "sqlite3 or python3 is missing"), .timeLimit(.minutes(5)))
    struct HermesExtremeDatabaseTests {
        /// Zones change what is made of the numbers, which is tried without a database; every question starts a
        /// program.
        private static let zones = Array(HermesExtremesTests.zones.suffix(1))

        /// SQLite itself refuses to sum what is beyond.
        private static let codes: Set<String> = ["none", "data.databaseFailed"]

        @Test(arguments: [
            "9223372036854775807", "(-9223372036854775807 - 1)", "9e999", "-9e999", "1e308", "-1e308", "'nan'", "x'ff'",
        ])
        func `extremes in every column are read in every way`(literal: String) async throws {
            try await HermesLab.with { lab in
                let path = try await lab.recorded()
                let columns = [
                    "sessions": [
                        "started_at", "ended_at", "message_count", "tool_call_count", "input_tokens", "output_tokens",
                        "cache_read_tokens", "reasoning_tokens", "estimated_cost_usd", "actual_cost_usd",
                        "api_call_count", "rewind_count", "archived",
                    ],
                    "messages": ["timestamp", "token_count", "active", "compacted"],
                    "session_model_usage": ["input_tokens", "output_tokens", "api_call_count", "actual_cost_usd"],
                ]
                var statements = ["UPDATE schema_version SET version = \(literal)"]
                for (table, names) in columns {
                    let changes = names.map { "\($0) = \(literal)" }
                    statements.append("UPDATE \(table) SET \(changes.joined(separator: ", "))")
                }
                for (end, number) in [("max", "9223372036854775807"), ("min", "-9223372036854775807")] {
                    statements.append("UPDATE messages SET id = \(number) WHERE id = (SELECT \(end)(id) FROM messages)")
                }
                try await lab.sql(statements.joined(separator: "; "), path)
                let host = LocalHostSession(shell: "/bin/sh", homeDirectory: lab.folder)
                for access in [nil, HermesDatabase.Access.sqlite3, .python3] {
                    let database =
                        if let access {
                            try await HermesDatabase.open(path, on: host, hostName: "test", access: access)
                        } else {
                            try await HermesDatabase.open(path)
                        }
                    #expect(await HermesExtremesTests.askAll(database, in: Self.zones).isSubset(of: Self.codes))
                    await database.close()
                }
            }
        }
    }
}
