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
    /// Databases that somebody writes while they are read or copied, also behind a link.
    @Suite(.enabled(if: HermesLab.isInstalled, "sqlite3 or python3 is missing"), .timeLimit(.minutes(5)))
    struct HermesLiveCopyTests {
        private static let host = LocalHostSession(shell: "/bin/sh")

        private static func end(_ owner: any ByteChannel) async throws {
            try await owner.finishWriting()
            _ = try await owner.exitStatus()
            await owner.close()
        }

        @Test(arguments: HermesRecordedTests.ways)
        func `a link to a database is followed to its log`(way: String) async throws {
            try await HermesLab.with { lab in
                let path = try await lab.recorded(wal: true)
                let folder = "\(lab.folder)/home"
                try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
                // A link to a link, one of them relative.
                try FileManager.default.createSymbolicLink(
                    atPath: "\(lab.folder)/link.db",
                    withDestinationPath: path
                )
                try FileManager.default.createSymbolicLink(
                    atPath: "\(folder)/state.db",
                    withDestinationPath: "../link.db"
                )
                let owner = try await lab.owner(of: path, "UPDATE sessions SET title = 'live ' || id;")
                let database = try await HermesRecordedTests.open("\(folder)/state.db", way)
                #expect(try await database.sessions(.everything).elements.allSatisfy { $0.title == "live \($0.id)" })
                let before = try await database.fingerprint()
                try await owner.write(Array("UPDATE sessions SET title = 'newer ' || id;\n.print done\n".utf8))
                for try await bytes in owner.output where String(decoding: bytes, as: UTF8.self).contains("done") {
                    break
                }
                #expect(try await database.fingerprint() != before)
                #expect(try await database.sessions(.everything).elements.allSatisfy { $0.title == "newer \($0.id)" })
                await database.close()
                let copy = "\(lab.folder)/copy.db"
                _ = try await HermesSnapshot.pull("\(folder)/state.db", on: Self.host, hostName: "here", to: copy)
                #expect(try await lab.sql("SELECT DISTINCT substr(title, 1, 6) FROM sessions", copy) == "newer \n")
                try await Self.end(owner)
            }
        }

        @Test func `what is written while the copy is packed is in the next one`() async throws {
            try await HermesLab.with { lab in
                let path = try await lab.recorded(wal: true)
                let owner = try await lab.owner(of: path)
                let bin = "\(lab.folder)/bin"
                try FileManager.default.createDirectory(atPath: bin, withIntermediateDirectories: false)
                let (gzip, sqlite) = (SystemProgram.path("gzip") ?? "", SystemProgram.path("sqlite3") ?? "")
                let update = "UPDATE sessions SET title = 'late ' || id"
                let script = "#!/bin/sh\n'\(sqlite)' '\(path)' \"\(update)\" && exec '\(gzip)' \"$@\"\n"
                let write = "cat > '\(bin)/gzip' && chmod 755 '\(bin)/gzip'"
                _ = try await Self.host.run(
                    write,
                    input: Array(script.utf8),
                    outputLimit: 100,
                    timeout: .seconds(30)
                )
                // A login shell sets its PATH anew.
                try Data("PATH='\(bin)':$PATH\n".utf8).write(to: URL(filePath: "\(lab.folder)/.profile"))
                let host = LocalHostSession(
                    shell: "/bin/sh",
                    homeDirectory: lab.folder,
                    environment: ["HOME": lab.folder, "SHELL": "/bin/sh", "PATH": "/usr/bin:/bin"]
                )
                let copy = "\(lab.folder)/copy.db"
                let first = try await HermesSnapshot.pull(path, on: host, hostName: "here", to: copy)
                #expect(try await lab.sql("SELECT count(*) FROM sessions WHERE title LIKE 'late %'", copy) == "0\n")
                let second = try await HermesSnapshot.pull(
                    path,
                    on: host,
                    hostName: "here",
                    to: copy,
                    replacing: first
                )
                #expect(second.transferredBytes > 0)
                #expect(try await lab.sql("SELECT count(*) FROM sessions WHERE title NOT LIKE 'late %'", copy) == "0\n")
                try await Self.end(owner)
            }
        }

        /// SQLite's copy begins anew with every commit of another process, unless a transaction is held.
        @Test func `a database that is written all the time is copied`() async throws {
            try await HermesLab.with { lab in
                let path = try await lab.made(
                    "m.db",
                    """
                    CREATE TABLE padding (x);
                    INSERT INTO padding WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000)
                    SELECT randomblob(4000) FROM n;
                    """
                )
                let script = """
                    import sqlite3, sys, time
                    made = sqlite3.connect(sys.argv[1], isolation_level=None, timeout=60)
                    number = 0
                    while True:
                        made.execute("INSERT INTO padding VALUES (?)", (number,))
                        number += 1
                        if number == 1: print("writes", flush=True)
                        time.sleep(0.005)
                    """
                let writer = try await Self.host.openChannel(
                    try ShellQuoting.join(["exec", "python3", "-c", script, path])
                )
                for try await _ in writer.output { break }
                let copy = "\(lab.folder)/copy.db"
                let snapshot = try await HermesSnapshot.pull(path, on: Self.host, hostName: "here", to: copy)
                #expect(snapshot.transferredBytes > 0)
                #expect(try await lab.sql("PRAGMA quick_check", copy) == "ok\n")
                await writer.close()
            }
        }
    }
}
