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
    /// Files that are no good database, or that others work on.
    @Suite(.enabled(if: HermesLab.isInstalled, "sqlite3 or python3 is missing"), .timeLimit(.minutes(10)))
    struct HermesBrokenTests {
        private static var impatient: HermesDatabase.Limits {
            var limits = HermesDatabase.Limits()
            limits.busySeconds = 0.2
            return limits
        }

        private static func code(_ path: String, _ way: String) async -> String {
            await dataCode {
                let database = try await HermesRecordedTests.open(path, way, limits: impatient)
                await database.close()
            }
        }

        @Test(arguments: HermesRecordedTests.ways)
        func `what is no Hermes database has a code`(way: String) async throws {
            try await HermesLab.with { lab in
                #expect(await Self.code("\(lab.folder)/none.db", way) == "data.databaseMissing")
                let empty = "\(lab.folder)/empty.db"
                try Data().write(to: URL(filePath: empty))
                #expect(await Self.code(empty, way) == "data.databaseEmpty")
                let text = "\(lab.folder)/a text?#%.db"
                try Data(String(repeating: "no database ", count: 500).utf8).write(to: URL(filePath: text))
                #expect(await Self.code(text, way) == "data.databaseCorrupt")
                let foreign = "\(lab.folder)/foreign.db"
                try await lab.sql("CREATE TABLE t (a);", foreign)
                #expect(await Self.code(foreign, way) == "data.databaseForeign")
                // Names that mean something in URIs and to shells are names.
                let odd = "\(lab.folder)/it's a ?#%41 $(x).db"
                try FileManager.default.copyItem(atPath: HermesLab.fixture("state.db"), toPath: odd)
                #expect(await Self.code(odd, way) == "none")
            }
        }

        @Test(arguments: HermesRecordedTests.ways)
        func `a damaged or half copied file gives rows or an error, never anything else`(way: String) async throws {
            try await HermesLab.with { lab in
                let good = try Data(contentsOf: URL(filePath: HermesLab.fixture("state.db")))
                var generator = SeededGenerator(seed: 7)
                var codes: [String: Int] = [:]
                for round in 0..<(way == "here" ? 60 : 10) {
                    var bytes = good
                    if round % 3 == 0 {
                        // As a file looks that is still being copied.
                        bytes = bytes.prefix(Int.random(in: 1..<good.count, using: &generator))
                    } else {
                        for _ in 0..<(round * 8) {
                            bytes[Int.random(in: 100..<good.count, using: &generator)] =
                                UInt8.random(in: 0...255, using: &generator)
                        }
                    }
                    let path = "\(lab.folder)/\(round).db"
                    try bytes.write(to: URL(filePath: path))
                    let code = await dataCode {
                        let database = try await HermesRecordedTests.open(path, way)
                        let asked = await dataCode {
                            for session in try await database.sessions(.everything).elements {
                                _ = try await database.messages(of: session.id)
                            }
                            _ = try await database.search(HermesSearch("tool"))
                            _ = try await database.insights(in: HermesInsights.Period())
                        }
                        await database.close()
                        codes[asked, default: 0] += 1
                    }
                    codes[code, default: 0] += 1
                }
                #expect(
                    Set(codes.keys).isSubset(of: [
                        "none", "data.databaseCorrupt", "data.databaseForeign", "data.databaseFailed",
                    ])
                )
                #expect((codes["data.databaseCorrupt"] ?? 0) > 0)
            }
        }

        @Test(arguments: HermesRecordedTests.ways)
        func `a writer's lock is waited for, and told`(way: String) async throws {
            try await HermesLab.with { lab in
                let path = try await lab.recorded()
                let owner = try await lab.owner(of: path, "BEGIN EXCLUSIVE; UPDATE sessions SET title = id;")
                #expect(await Self.code(path, way) == "data.databaseBusy")
                try await owner.write(Array("ROLLBACK;\n".utf8))
                try await owner.finishWriting()
                _ = try await owner.exitStatus()
                await owner.close()
                #expect(await Self.code(path, way) == "none")
            }
        }

        @Test(arguments: HermesRecordedTests.ways)
        func `what lies in the log is read, and neither file is touched`(way: String) async throws {
            try await HermesLab.with { lab in
                let path = try await lab.recorded(wal: true)
                let owner = try await lab.owner(
                    of: path,
                    "INSERT INTO sessions (id, source, started_at) VALUES ('in the log', 'cli', 9e9);"
                )
                let before = try lab.bytes(path)
                #expect(before["state.db-wal"]?.isEmpty == false)
                for isOwned in [true, false] {
                    if !isOwned {
                        // It dies as a process does that is killed: the log stays, and belongs to nobody.
                        let id = try await HermesLab.output(of: "pgrep", ["-f", "sqlite3 -batch \(path)"])
                        _ = try await HermesLab.output(of: "kill", ["-9"] + id.split(separator: "\n").map(String.init))
                        _ = try? await owner.exitStatus()
                        await owner.close()
                    }
                    let database = try await HermesRecordedTests.open(path, way)
                    #expect(try await database.sessions().elements.first?.id == "in the log")
                    _ = try await database.statistics()
                    #expect(try lab.bytes(path) == before)
                    await database.close()
                    #expect(try lab.bytes(path) == before)
                }
            }
        }

        @Test(arguments: HermesRecordedTests.ways)
        func `a database at rest in WAL mode gets no log`(way: String) async throws {
            try await HermesLab.with { lab in
                let path = try await lab.recorded(wal: true)
                #expect(try lab.bytes(path).count == 1)
                let before = try lab.bytes(path)
                let database = try await HermesRecordedTests.open(path, way)
                _ = try await database.statistics()
                await database.close()
                #expect(try lab.bytes(path) == before)
                // A writer comes while it is read: its rows are seen all the same.
                let again = try await HermesRecordedTests.open(path, way)
                #expect(try await again.sessions(.everything).elements.count == 4)
                let owner = try await lab.owner(of: path, "DELETE FROM sessions WHERE source = 'subagent';")
                #expect(try await again.sessions(.everything).elements.count == 3)
                await owner.close()
                await again.close()
            }
        }

        @Test(arguments: HermesRecordedTests.ways, [true, false])
        func `a database that changes all the time gets no log`(way: String, wal: Bool) async throws {
            try await HermesLab.with { lab in
                let path = try await lab.recorded(wal: wal)
                let touching = Task.detached {
                    var number = 0.0
                    while !Task.isCancelled {
                        number += 1
                        let date = Date(timeIntervalSince1970: 1_700_000_000 + number)
                        try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path)
                        await Task.yield()
                    }
                }
                var codes: Set<String> = []
                for _ in 0..<(way == "here" ? 30 : 3) { codes.insert(await Self.code(path, way)) }
                touching.cancel()
                try await touching.value
                // One in WAL mode cannot be read as long as nobody has a log for it; one without is met with locks.
                #expect(codes.isSubset(of: wal ? ["none", "data.databaseUnsteady"] : ["none"]))
                #expect(try lab.bytes(path).keys.sorted() == ["state.db"])
                #expect(await Self.code(path, way) == "none")
            }
        }

        @Test func `the time that another statement takes is not this one's`() async throws {
            try await HermesLab.with { lab in
                let clock = ManualClock()
                var limits = HermesDatabase.Limits()
                limits.query = .seconds(10)
                let source = HermesFileSource(path: try await lab.recorded(), limits: limits, clock: clock)
                // Opening has a time of its own.
                _ = try await source.rows(SQLQuery("SELECT 1 LIMIT 1", columns: 1))
                let endless = Task {
                    await dataCode {
                        _ = try await source.rows(
                            SQLQuery(
                                "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n LIMIT 1",
                                columns: 1
                            )
                        )
                    }
                }
                await clock.sleepers(1)
                let others = (0..<8).map { number in
                    Task { try await source.rows(SQLQuery("SELECT \(number) LIMIT 1", columns: 1)) }
                }
                clock.advance(by: .seconds(10))
                #expect(await endless.value == "data.queryTimeout")
                for (number, other) in others.enumerated() {
                    #expect(try await other.value == [[.integer(Int64(number))]])
                }
                await source.close()
            }
        }

        @Test func `a host that does not answer is given up`() async throws {
            try await HermesLab.with { lab in
                let shell = "\(lab.folder)/mute"
                try await SystemProgram.writeScript("#!/bin/sh\nexec sleep 60\n", to: shell)
                var limits = HermesDatabase.Limits()
                limits.opening = .milliseconds(200)
                let code = await dataCode {
                    _ = try await HermesDatabase.open(
                        "state.db",
                        on: LocalHostSession(shell: shell, homeDirectory: lab.folder),
                        hostName: "mute",
                        limits: limits
                    )
                }
                #expect(code == "data.queryTimeout")
            }
        }

        @Test func `a name with letters of any script is read by a Python of any locale`() async throws {
            try await HermesLab.with { lab in
                let path = try await lab.recorded("Übersicht 日本.db", wal: true)
                let owner = try await lab.owner(of: path, "UPDATE sessions SET title = 'live' WHERE source = 'cli';")
                let variables = [
                    "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0",
                    "PATH": "/usr/local/bin:/usr/bin:/bin",
                    "HOME": lab.folder,
                ]
                let host = LocalHostSession(shell: "/bin/sh", homeDirectory: lab.folder, environment: variables)
                let database = try await HermesDatabase.open(path, on: host, hostName: "plain", access: .python3)
                #expect(try await database.sessions().elements.first?.title == "live")
                await database.close()
                await owner.close()
            }
        }

        @Test(arguments: HermesRecordedTests.ways)
        func `a log that is removed, and a file that is replaced, are noticed`(way: String) async throws {
            try await HermesLab.with { lab in
                let path = try await lab.recorded(wal: true)
                let owner = try await lab.owner(of: path, "UPDATE sessions SET title = 'changed' WHERE source = 'cli';")
                let database = try await HermesRecordedTests.open(path, way)
                #expect(try await database.sessions().elements.first?.title == "changed")
                for end in ["-wal", "-shm"] { try FileManager.default.removeItem(atPath: path + end) }
                // What was in the log is lost; what is left is read.
                #expect(try await database.sessions().elements.first?.title == "Fake title")
                await owner.close()
                let other = try await lab.vintage(.v7, "other.db")
                #expect(rename(other, path) == 0)
                // The columns of the new file are read, and its rows with them.
                #expect(try await database.sessions(.everything).elements.count == 4)
                #expect(!database.schema.hasArchive)
                await database.close()
            }
        }

        @Test(arguments: HermesRecordedTests.ways)
        func `columns that come while it is open are read`(way: String) async throws {
            try await HermesLab.with { lab in
                let path = try await lab.vintage(.beforeArchive)
                try await lab.sql("PRAGMA journal_mode = WAL", path)
                let database = try await HermesRecordedTests.open(path, way)
                let first = try await database.sessions(.everything).elements
                #expect(first.allSatisfy { !$0.isArchived })
                _ = try await database.fingerprint()
                try await lab.sql(
                    "ALTER TABLE sessions ADD COLUMN archived INTEGER NOT NULL DEFAULT 0; UPDATE sessions SET archived = 1 "
                        + "WHERE source = 'cli';",
                    path
                )
                _ = try await database.fingerprint()
                let sessions = try await database.sessions(.everything).elements
                #expect(sessions.filter(\.isArchived).count == first.count { $0.source == "cli" })
                #expect(database.schema.hasArchive)
                // And one that goes, where nobody looked.
                try await lab.sql("ALTER TABLE sessions DROP COLUMN archived", path)
                #expect(try await database.sessions().elements.contains { $0.source == "cli" })
                #expect(!database.schema.hasArchive)
                await database.close()
            }
        }

        @Test(arguments: HermesRecordedTests.ways)
        func `pages hold together while a writer adds, and the fingerprint tells`(way: String) async throws {
            try await HermesLab.with { lab in
                let path = try await lab.recorded(wal: true)
                let owner = try await lab.owner(of: path)
                let database = try await HermesRecordedTests.open(path, way)
                let id = try await database.sessions().elements[0].id
                var seen = Set([try await database.fingerprint()])
                var ids: [Int64] = []
                var cursor: HermesCursor?
                for round in 0..<30 {
                    try await owner.write(
                        Array(
                            """
                            INSERT INTO messages (session_id, role, content, timestamp) SELECT '\(id)', 'user', 'more', \(2e9 + Double(round)) FROM messages LIMIT 5;
                            .print done\n
                            """.utf8
                        )
                    )
                    for try await bytes in owner.output where String(decoding: bytes, as: UTF8.self).contains("done") {
                        break
                    }
                    seen.insert(try await database.fingerprint())
                    let page = try await database.messages(of: id, after: cursor, limit: 2)
                    ids += page.elements.map(\.id)
                    guard let next = page.next else { break }
                    cursor = next
                }
                #expect(Set(ids).count == ids.count)
                #expect(ids.count > 30)
                // Every commit was seen.
                #expect(seen.count > 25)
                await owner.close()
                await database.close()
            }
        }

        @Test func `a fingerprint stays while nothing happens`() async throws {
            try await HermesLab.with { lab in
                let path = try await lab.recorded(wal: true)
                for way in ["sqlite3", "python3", "here"] {
                    let database = try await HermesRecordedTests.open(path, way)
                    // Copied a moment ago: the first ones may differ from each other, and settle.
                    var last = try await database.fingerprint()
                    var isSettled = false
                    for _ in 0..<1000 where !isSettled {
                        let next = try await database.fingerprint()
                        isSettled = next == last
                        last = next
                    }
                    #expect(isSettled)
                    _ = try await database.statistics()
                    #expect(try await database.fingerprint() == last)
                    await database.close()
                }
            }
        }

        @Test func `a statement that takes too long is ended, and the next one runs`() async throws {
            try await HermesLab.with { lab in
                let path = try await lab.recorded()
                var limits = HermesDatabase.Limits()
                limits.query = .seconds(3)
                let endless = SQLQuery(
                    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n LIMIT 1",
                    columns: 1
                )
                let local = HermesFileSource(path: path, limits: limits, clock: ContinuousClock())
                #expect(await dataCode { _ = try await local.rows(endless) } == "data.queryTimeout")
                let task = Task { try await local.rows(endless) }
                task.cancel()
                await #expect(throws: CancellationError.self) { _ = try await task.value }
                #expect(try await local.rows(SQLQuery("SELECT 1 LIMIT 1", columns: 1)) == [[.integer(1)]])
                await local.close()
                #expect(await dataCode { _ = try await local.rows(endless) } == "data.databaseClosed")
                limits.rows = 10
                let small = HermesFileSource(path: path, limits: limits, clock: ContinuousClock())
                let many = SQLQuery("SELECT id FROM messages LIMIT 11", columns: 1)
                #expect(await dataCode { _ = try await small.rows(many) } == "data.resultTooLarge")
                await small.close()
            }
        }

        @Test(.enabled(if: geteuid() != 0, "root may write everywhere"))
        func `a folder that may not be written is read as far as its log allows`() async throws {
            try await HermesLab.with { lab in
                let path = try await lab.recorded(wal: true)
                try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: lab.folder)
                #expect(await Self.code(path, "here") == "none")
                try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: lab.folder)
            }
        }
    }
}
