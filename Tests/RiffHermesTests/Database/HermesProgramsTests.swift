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
    /// The programs of a host that read a database: older ones, and what they pick up by themselves.
    @Suite(.enabled(if: HermesLab.isInstalled, "sqlite3 or python3 is missing"), .timeLimit(.minutes(5)))
    struct HermesProgramsTests {
        /// An `sqlite3` without the safe mode (before 3.37), or one that knows no distrust either (before 3.31).
        private static func sqlite3(isAncient: Bool) throws -> String {
            let real = try #require(SystemProgram.path("sqlite3"))
            let ancient = isAncient ? "*:memory:*) exec '\(real)' -batch :memory: </dev/null ;;" : ""
            return """
                #!/bin/sh
                PATH=/usr/bin:/bin
                case "$*" in
                *-safe*) echo "Error: unknown option: -safe" >&2; exit 1 ;;
                \(ancient)
                esac
                exec '\(real)' "$@"

                """
        }

        @Test func `an older program without a safe mode reads, and runs nothing`() async throws {
            try await HermesLab.with { lab in
                let path = try await lab.recorded()
                let host = try await HermesHostTests.bareHost(lab, with: ["true"])
                try await SystemProgram.writeScript(Self.sqlite3(isAncient: false), to: "\(lab.folder)/bin-1/sqlite3")
                let database = try await HermesDatabase.open(path, on: host, hostName: "old", access: .sqlite3)
                #expect(try await database.sessions(.everything).elements.count == 4)
                await database.close()
                let mark = "\(lab.folder)/mark"
                try await lab.sql("CREATE VIEW v AS SELECT edit('x', ': > \(mark) #') AS word;", path)
                let source = HermesHostSource(
                    path: path,
                    on: host,
                    hostName: "old",
                    access: .sqlite3,
                    limits: HermesDatabase.Limits(),
                    clock: ContinuousClock()
                )
                let code = await dataCode {
                    _ = try await source.rows(SQLQuery("SELECT word FROM v LIMIT 1", columns: 1))
                }
                #expect(code == "data.databaseUnsafe")
                await source.close()
                #expect(!FileManager.default.fileExists(atPath: mark))
            }
        }

        @Test func `a program that cannot distrust a schema is passed over, and the error says so`() async throws {
            try await HermesLab.with { lab in
                let path = try await lab.recorded(wal: true)
                let owner = try await lab.owner(of: path, "UPDATE sessions SET title = 'live' WHERE source = 'cli';")
                let host = try await HermesHostTests.bareHost(lab, with: ["true"])
                try await SystemProgram.writeScript(Self.sqlite3(isAncient: true), to: "\(lab.folder)/bin-1/sqlite3")
                let error = await #expect(throws: DataError.self) {
                    _ = try await HermesDatabase.open(path, on: host, hostName: "old")
                }
                #expect(error?.stableCode == "data.databaseReaderMissing")
                #expect(error?.message.contains("older than 3.31") == true)
                // A copy is made of the files, without it.
                let copy = try await HermesSnapshot.pull(path, on: host, hostName: "old", to: "\(lab.folder)/copy.db")
                let database = try await HermesDatabase.open(copy.path)
                #expect(try await database.sessions(limit: 1).elements.map(\.title) == ["live"])
                await database.close()
                // Python, where its SQLite is new enough.
                let both = try await HermesHostTests.bareHost(lab, with: ["python3", "true"])
                try await SystemProgram.writeScript(Self.sqlite3(isAncient: true), to: "\(lab.folder)/bin-2/sqlite3")
                let source = HermesHostSource(
                    path: path,
                    on: both,
                    hostName: "old",
                    access: .any,
                    limits: HermesDatabase.Limits(),
                    clock: ContinuousClock()
                )
                #expect(try await source.rows(SQLQuery("SELECT 1 LIMIT 1", columns: 1)) == [[.integer(1)]])
                #expect(await source.program == "python3")
                await source.close()
                await owner.close()
            }
        }

        @Test(arguments: [HermesDatabase.Access.sqlite3, .python3])
        func `settings of the account and modules of the working folder are not run`(access: HermesDatabase.Access)
            async throws
        {
            try await HermesLab.with { lab in
                let path = try await lab.recorded(wal: true)
                let owner = try await lab.owner(of: path, "UPDATE sessions SET title = 'live' WHERE source = 'cli';")
                let mark = "\(lab.folder)/mark"
                let cache = "\(lab.folder)/.cache/riff/hermes"
                try FileManager.default.createDirectory(atPath: cache, withIntermediateDirectories: true)
                for folder in [lab.folder, cache] {
                    for module in ["json", "queue", "sqlite3", "subprocess", "threading", "urllib", "sitecustomize"] {
                        try "open('\(mark)', 'w')\n".write(
                            toFile: "\(folder)/\(module).py",
                            atomically: true,
                            encoding: .utf8
                        )
                    }
                    try ".shell : > '\(mark)'\n".write(toFile: "\(folder)/.sqliterc", atomically: true, encoding: .utf8)
                }
                let host = try await HermesHostTests.bareHost(lab, with: [access.rawValue])
                let database = try await HermesDatabase.open(path, on: host, hostName: "bare", access: access)
                #expect(try await database.sessions(limit: 1).elements.map(\.title) == ["live"])
                await database.close()
                _ = try await HermesSnapshot.pull(path, on: host, hostName: "bare", to: "\(lab.folder)/copy.db")
                #expect(!FileManager.default.fileExists(atPath: mark))
                await owner.close()
            }
        }
    }
}
