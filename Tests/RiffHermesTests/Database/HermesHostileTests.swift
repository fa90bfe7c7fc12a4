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
    /// A database is data: whatever its schema defines, reading it runs nothing of that.
    @Suite(
        .enabled(if: HermesLab.isInstalled, "sqlite3 or python3 is missing"),
        .timeLimit(.minutes(10))
    )
    struct HermesHostileTests {
        /// Ways to read a database.
        enum Reader: String, CaseIterable, Sendable {
            case file, sqlite3, python3, copyBySQLite, copyByPython, copyOfFiles
        }

        private static func database(_ path: String, _ reader: Reader, _ lab: HermesLab) async throws -> HermesDatabase
        {
            switch reader {
            case .file: return try await HermesDatabase.open(path)
            case .sqlite3, .python3:
                return try await HermesDatabase.open(
                    path,
                    on: LocalHostSession(shell: "/bin/sh", homeDirectory: lab.folder),
                    hostName: "test",
                    access: try #require(HermesDatabase.Access(rawValue: reader.rawValue))
                )
            case .copyBySQLite, .copyByPython, .copyOfFiles:
                let programs: [Reader: [String]] = [.copyBySQLite: ["sqlite3"], .copyByPython: ["python3"]]
                let host = try await HermesHostTests.bareHost(lab, with: programs[reader] ?? [])
                let copy = "\(lab.folder)/copy.db"
                return try await HermesDatabase.open(
                    try await HermesSnapshot.pull(path, on: host, hostName: "bare", to: copy).path
                )
            }
        }

        /// Asks everything that can be asked. What comes of one question does not matter here.
        private static func askAll(_ database: HermesDatabase) async {
            let questions: [() async throws -> Void] = [
                { _ = try await database.sessions(.everything) },
                {
                    for session in try await database.sessions(.everything).elements {
                        _ = try await database.messages(of: session.id, .everything)
                        _ = try await database.message(1)
                    }
                },
                { _ = try await database.search(HermesSearch("the")) },
                {
                    var search = HermesSearch("the")
                    search.order = .best
                    _ = try await database.search(search)
                },
                { _ = try await database.search(HermesSearch("日本語")) },
                { _ = try await database.insights(in: HermesInsights.Period()) },
                { _ = try await database.statistics() },
                { _ = try await database.notableSessions(in: HermesInsights.Period()) },
                { _ = try await database.fingerprint() },
            ]
            for question in questions { _ = await dataCode { try await question() } }
        }

        @Test(arguments: HostileSchema.all, Reader.allCases)
        func `nothing that a schema calls runs, and the error says why it is refused`(
            schema: HostileSchema,
            reader: Reader
        ) async throws {
            // Only its `sqlite3` program knows all of these functions.
            let numbers = reader == .sqlite3 ? [0, 1, 2] : reader == .copyBySQLite ? [0] : [2]
            for number in numbers {
                try await HermesLab.with { lab in
                    let mark = "\(lab.folder)/mark"
                    let call = HostileSchema.calls(mark)[number]
                    let path = try await lab.recorded()
                    try await SQLiteProgram.tamper(path, schema.statements(calling: call))
                    let isCopy = ![.file, .sqlite3, .python3].contains(reader)
                    // A live one is copied by the programs; one at rest, as its file.
                    let owner =
                        isCopy
                        ? try await lab.owner(
                            of: path,
                            "PRAGMA journal_mode = WAL; UPDATE state_meta SET value = value;"
                        ) : nil
                    // Making it may leave the mark, too.
                    if FileManager.default.fileExists(atPath: mark) { try FileManager.default.removeItem(atPath: mark) }
                    let code = schema.isCopyRefused && isCopy ? "data.databaseUnsafe" : schema.code
                    do {
                        let database = try await Self.database(path, reader, lab)
                        await Self.askAll(database)
                        await database.close()
                        #expect(code == nil)
                    } catch let error as DataError {
                        #expect(error.stableCode == code, "\(error.message)")
                        #expect(error.message.contains("was not read"))
                    }
                    await owner?.close()
                    #expect(!FileManager.default.fileExists(atPath: mark), "\(call) was run")
                }
            }
        }

        @Test(arguments: [HermesDatabase.Access.sqlite3, .python3])
        func `a live database that runs something is refused as well`(access: HermesDatabase.Access) async throws {
            try await HermesLab.with { lab in
                let mark = "\(lab.folder)/mark"
                let path = try await lab.recorded(wal: true)
                let owner = try await lab.owner(
                    of: path,
                    "PRAGMA legacy_alter_table = ON; ALTER TABLE sessions RENAME TO real_sessions;"
                        + "CREATE VIEW sessions AS SELECT * FROM real_sessions WHERE edit('x', ': > \(mark) #') <> '';"
                )
                let host = LocalHostSession(shell: "/bin/sh", homeDirectory: lab.folder)
                let code = await dataCode {
                    _ = try await HermesDatabase.open(path, on: host, hostName: "test", access: access)
                }
                #expect(code == "data.databaseUnsafe")
                // Also where the tables were others when they were looked at.
                let source = HermesHostSource(
                    path: path,
                    on: host,
                    hostName: "test",
                    access: access,
                    limits: HermesDatabase.Limits(),
                    clock: ContinuousClock()
                )
                let careless = SQLQuery("SELECT id FROM sessions LIMIT 1", columns: 1)
                await #expect(throws: DataError.self) { _ = try await source.rows(careless) }
                await source.close()
                #expect(!FileManager.default.fileExists(atPath: mark))
                await owner.close()
            }
        }

        @Test func `statistics that take for ever to work out are given up`() async throws {
            try await HermesLab.with { lab in
                let path = try await lab.recorded()
                // SQLite reads them as it opens the file, and this search compares a text with another at each place.
                try await SQLiteProgram.tamper(
                    path,
                    """
                    ANALYZE; DELETE FROM sqlite_stat1 WHERE rowid > 1; PRAGMA writable_schema = ON;
                    UPDATE sqlite_master SET sql = 'CREATE TABLE sqlite_stat1(tbl, idx, x,
                        stat GENERATED ALWAYS AS (instr(hex(zeroblob(400000)), hex(zeroblob(200000)) || ''1'')) VIRTUAL)'
                        WHERE name = 'sqlite_stat1';
                    """
                )
                let clock = ManualClock()
                let opening = Task {
                    await dataCode {
                        _ = try await HermesDatabase.open(path, limits: HermesDatabase.Limits(), clock: clock)
                    }
                }
                await clock.sleepers(1)
                clock.advance(by: .seconds(31))
                #expect(await opening.value == "data.queryTimeout")
            }
        }

        @Test func `in this process no view calls a function that is not SQLite's own`() async throws {
            try await HermesLab.with { lab in
                let path = try await lab.recorded()
                // A function of the library that opens the file; it is known in this process alone.
                try await lab.sql("CREATE VIEW v AS SELECT swiftUppercaseString('called') AS word;", path)
                let source = HermesFileSource(path: path, limits: HermesDatabase.Limits(), clock: ContinuousClock())
                let direct = SQLQuery("SELECT swiftUppercaseString('called') LIMIT 1", columns: 1)
                #expect(try await source.rows(direct) == [[.text("CALLED")]])
                let error = await #expect(throws: DataError.self) {
                    _ = try await source.rows(SQLQuery("SELECT word FROM v LIMIT 1", columns: 1))
                }
                #expect(error?.stableCode == "data.databaseUnsafe")
                await source.close()
            }
        }

        @Test func `an index over a view, as newer versions have, finds and shows what the messages hold`() async throws
        {
            let indexes = """
                DROP TRIGGER messages_fts_insert; DROP TRIGGER messages_fts_delete; DROP TRIGGER messages_fts_update;
                DROP TABLE messages_fts;
                CREATE VIEW messages_fts_src AS SELECT id, role, CASE WHEN role = 'tool' THEN substr(content, 1, 8192)
                    ELSE content END AS content, tool_name, tool_calls FROM messages;
                CREATE VIRTUAL TABLE messages_fts USING fts5(
                    content, tool_name, tool_calls, content='messages_fts_src', content_rowid='id'
                );
                INSERT INTO messages_fts(messages_fts) VALUES ('rebuild');
                """
            try await HermesLab.with { lab in
                let old = try await lab.recorded("old.db")
                let new = try await lab.recorded("new.db")
                try await lab.sql(indexes, new)
                let host = LocalHostSession(shell: "/bin/sh", homeDirectory: lab.folder)
                for order in [HermesSearch.Order.newest, .best] {
                    var search = HermesSearch("terminal")
                    search.order = order
                    let inOld = try await HermesDatabase.open(old)
                    let expected = try await inOld.search(search).page.elements
                    #expect(!expected.isEmpty)
                    await inOld.close()
                    for access in [nil, HermesDatabase.Access.sqlite3, .python3] {
                        let database =
                            if let access {
                                try await HermesDatabase.open(new, on: host, hostName: "test", access: access)
                            } else {
                                try await HermesDatabase.open(new)
                            }
                        #expect(database.schema.hasWordIndex)
                        let found = try await database.search(search)
                        #expect(found.method == .words)
                        let ids = { (hits: [HermesSearch.Hit]) in
                            order == .newest ? hits.map(\.messageID) : hits.map(\.messageID).sorted()
                        }
                        #expect(ids(found.page.elements) == ids(expected))
                        for hit in found.page.elements {
                            #expect(hit.snippet.contains { $0.isMatch && $0.text.lowercased() == "terminal" })
                        }
                        await database.close()
                    }
                }
            }
        }
    }
}
