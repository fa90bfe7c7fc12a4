// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffHermes
import RiffTesting
import TestSupport
import Testing

/// A database that notes how SQLite goes about what it is asked.
private actor PlannedSource: HermesRowSource {
    nonisolated let name: String
    private let source: HermesFileSource
    private(set) var plans: [String] = []

    init(_ path: String) {
        name = path
        source = HermesFileSource(path: path, limits: HermesDatabase.Limits(), clock: ContinuousClock())
    }

    func rows(_ query: SQLQuery) async throws -> [SQLRow] {
        let plan = try await source.rows(SQLQuery("EXPLAIN QUERY PLAN " + query.sql, query.values, columns: 4))
        plans.append(plan.compactMap { $0[3].text }.joined(separator: "; "))
        return try await source.rows(query)
    }

    func fingerprint() async throws -> HermesFingerprint { try await source.fingerprint() }
    func close() async { await source.close() }
}

extension HermesInTurn {
    @Suite(.enabled(if: HermesLab.isInstalled, "sqlite3 or python3 is missing"), .timeLimit(.minutes(5)))
    struct HermesQueryPlanTests {
        @Test func `the answers of one session's calls are found by the session, and those of all by their numbers`()
            async throws
        {
            try await HermesLab.with { lab in
                let source = PlannedSource(try await lab.recorded())
                let database = try await HermesDatabase(source)
                var filter = HermesToolUse.Filter()
                filter.sessionID = try #require(try await database.toolActivity().elements.first).sessionID
                #expect(await source.plans.last?.contains("INTEGER PRIMARY KEY (rowid>? AND rowid<?)") == true)
                let uses = try await database.toolActivity(filter).elements
                #expect(await source.plans.last?.contains("(session_id=?") == true)
                #expect(uses.contains { $0.result != nil })
                await database.close()
            }
        }
    }
}
