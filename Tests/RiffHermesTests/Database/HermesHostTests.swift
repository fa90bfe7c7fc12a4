// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffHermes
import RiffTesting
import RiffTransport
import Synchronization
import TestSupport
import Testing

/// A real sshd, and the account's files behind it.
private func withServer(_ body: (SSHHost) async throws -> Void) async throws {
    var options = ThrowawaySSHServer.Options()
    options.variables["SHLVL"] = "2"
    options.maxStartups = "100"
    let server = try await ThrowawaySSHServer.start(options)
    let key = SSHPrivateKey.makeEd25519(comment: "test")
    let result: Result<Void, any Error>
    let configuration = SSHHost.Configuration(
        address: try HostAddress(server.host, port: server.port),
        user: server.user,
        credentials: [.key(key)],
        trust: .firstUse(InMemoryHostKeyStore())
    )
    let host = SSHHost(configuration)
    do {
        try server.authorize(try #require(key.publicKey).line)
        result = .success(try await body(host))
    } catch { result = .failure(error) }
    await Task {
        await host.shutdown()
        await server.stop()
    }.value
    try result.get()
}

extension HermesInTurn {
    @Suite(
        .enabled(if: HermesLab.isInstalled && ThrowawaySSHServer.isInstalled, "sqlite3, python3 or sshd is missing"),
        .timeLimit(.minutes(10))
    )
    struct HermesHostTests {
        static let programs = [HermesDatabase.Access.sqlite3, .python3]

        @Test(arguments: programs)
        func `over SSH a live database is read, and neither file is touched`(access: HermesDatabase.Access) async throws
        {
            try await HermesLab.with { lab in
                let path = try await lab.recorded(wal: true)
                let owner = try await lab.owner(
                    of: path,
                    "UPDATE sessions SET title = title || ' (live)' WHERE source = 'cli';"
                )
                let before = try lab.bytes(path)
                #expect(before.count == 2)
                try await withServer { host in
                    let database = try await HermesDatabase.open(path, on: host.files, hostName: "test", access: access)
                    #expect(database.name == "\(path) on test")
                    let sessions = try await database.all {
                        try await database.sessions(.everything, after: $0, limit: 2)
                    }
                    #expect(sessions.count == 4)
                    #expect(sessions.first?.title == "Fake title (live)")
                    var messages = 0
                    for session in sessions {
                        messages += try await database.all {
                            try await database.messages(of: session.id, after: $0, limit: 9)
                        }
                        .count
                    }
                    #expect(messages == 51)
                    #expect(try await database.search(HermesSearch("日本語")).page.elements.isEmpty == false)
                    #expect(try await database.insights(in: HermesInsights.Period()).tools.first?.name == "terminal")
                    let fingerprint = try await database.fingerprint()
                    #expect(try await database.fingerprint() == fingerprint)
                    await database.close()
                    #expect(try lab.bytes(path) == before)
                }
                #expect(try lab.bytes(path) == before)
                await owner.close()
            }
        }

        @Test func `a look that nobody asked for wakes no link, and a question does`() async throws {
            try await HermesLab.with { lab in
                let path = try await lab.recorded()
                try await withServer { host in
                    let database = try await HermesDatabase.open(path, on: host.files, hostName: "test")
                    let first = try await database.glance()
                    await host.link.background()
                    let look = Task { try await database.glance() }
                    for _ in 0..<2_000 { await Task.yield() }
                    #expect(host.link.current.connection == .disconnected(.suspended))
                    await host.link.foreground()
                    #expect(try await look.value == first)
                    await host.shutdown()
                    let error = await #expect(throws: TransportError.self) { try await database.glance() }
                    #expect(error?.code == .closed)
                    #expect(host.link.current.connection == .disconnected(.deliberate))
                    #expect(try await database.fingerprint() == first)
                    #expect(host.link.current.connection == .connected)
                    await database.close()
                }
            }
        }

        @Test(arguments: programs)
        func `a reader that is killed is started again, and one that is cancelled is gone`(
            access: HermesDatabase.Access
        )
            async throws
        {
            try await HermesLab.with { lab in
                let path = try await lab.recorded()
                try await withServer { host in
                    let source = HermesHostSource(
                        path: path,
                        on: host.files,
                        hostName: "test",
                        access: access,
                        limits: HermesDatabase.Limits(),
                        clock: ContinuousClock()
                    )
                    let one = SQLQuery("SELECT 1 LIMIT 1", columns: 1)
                    #expect(try await source.rows(one) == [[.integer(1)]])
                    #expect(await source.program == access.rawValue)
                    let first = try #require(await source.process)
                    _ = try await host.files.run("kill -9 \(first)")
                    #expect(try await source.rows(one) == [[.integer(1)]])
                    let second = try #require(await source.process)
                    #expect(second != first)
                    // Whole connections die, too.
                    await host.shutdown()
                    #expect(try await source.rows(one) == [[.integer(1)]])
                    let third = try #require(await source.process)
                    let isBusy = EventualValue<Void>()
                    let task = Task {
                        isBusy.resolve(())
                        return try await source.rows(
                            SQLQuery(
                                "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n LIMIT 1",
                                columns: 1
                            )
                        )
                    }
                    try await isBusy.cancellableValue()
                    // Until the program is at it: it has used a tenth of a second.
                    _ = try await host.files.run(
                        "while [ $(cut -d ' ' -f 14 /proc/\(third)/stat) -lt 10 ]; do :; done",
                        timeout: .seconds(60)
                    )
                    task.cancel()
                    await #expect(throws: CancellationError.self) { _ = try await task.value }
                    let left = try await host.files.run(
                        "while kill -0 \(third) 2>/dev/null; do sleep 0.1; done; echo gone"
                    )
                    #expect(left.text == "gone\n")
                    #expect(try await source.rows(one) == [[.integer(1)]])
                    // A statement that SQLite refuses is told in its words, and is the end of nothing.
                    let wrong = SQLQuery("SELECT nothing FROM nowhere LIMIT 1", columns: 1)
                    #expect(await dataCode { _ = try await source.rows(wrong) } == "data.databaseFailed")
                    #expect(try await source.rows(one) == [[.integer(1)]])
                    await source.close()
                }
            }
        }

        @Test func `all kinds of values come over both ways, whatever is in them`() async throws {
            try await HermesLab.with { lab in
                let path = try await lab.recorded()
                let values: [SQLValue] =
                    SQLLiteralTests.values + [
                        .text(String(repeating: "long ", count: 200_000)), .text("E1.1\nRn0:\n"),
                        .text("\r\n\t\u{85}\u{7F}"),
                    ]
                for access in Self.programs {
                    let source = HermesHostSource(
                        path: path,
                        on: LocalHostSession(shell: "/bin/sh"),
                        hostName: "test",
                        access: access,
                        limits: HermesDatabase.Limits(),
                        clock: ContinuousClock()
                    )
                    for value in values {
                        let rows = try await source.rows(SQLQuery("SELECT ?, 7 LIMIT 1", [value], columns: 2))
                        #expect(rows == [[value, .integer(7)]])
                    }
                    await source.close()
                }
            }
        }

        /// A host where only some programs are found.
        static func bareHost(_ lab: HermesLab, with programs: [String]) async throws -> LocalHostSession {
            let bin = "\(lab.folder)/bin-\(programs.count)"
            try FileManager.default.createDirectory(atPath: bin, withIntermediateDirectories: true)
            let basics = [
                "sh", "stat", "od", "tr", "sed", "cut", "wc", "cp", "rm", "find", "mkdir", "cat", "sleep", "test",
            ]
            for name in basics + programs {
                guard let path = SystemProgram.path(name) else { continue }
                guard name == "python3" else {
                    try FileManager.default.createSymbolicLink(atPath: "\(bin)/\(name)", withDestinationPath: path)
                    continue
                }
                // It may be a script itself, which needs others.
                let script = "#!/bin/sh\nPATH=/usr/bin:/bin exec '\(path)' \"$@\"\n"
                try await SystemProgram.writeScript(script, to: "\(bin)/\(name)")
            }
            let shell = "\(bin)/login-shell"
            let script = "#!/bin/sh\nPATH='\(bin)'; export PATH\nshift; eval \"$1\"\n"
            try await SystemProgram.writeScript(script, to: shell)
            return LocalHostSession(
                shell: shell,
                homeDirectory: lab.folder,
                environment: ["SHELL": shell, "HOME": lab.folder, "PATH": bin]
            )
        }

        @Test(
            .enabled(if: geteuid() == 0 && SystemProgram.path("setpriv") != nil, "needs root and setpriv"),
            arguments: programs
        )
        func `an account that may only read leaves nothing behind`(access: HermesDatabase.Access) async throws {
            try await HermesLab.with { lab in
                let shell = "\(lab.folder)/nobody"
                let line = "exec setpriv --reuid=65534 --regid=65534 --clear-groups /bin/sh \"$@\""
                try await SystemProgram.writeScript("#!/bin/sh\n\(line)\n", to: shell)
                let host = LocalHostSession(
                    shell: shell,
                    homeDirectory: lab.folder,
                    environment: ["SHELL": "/bin/sh", "HOME": lab.folder, "PATH": "/usr/bin:/bin"]
                )
                func titles(_ path: String) async throws -> [String?] {
                    let database = try await HermesDatabase.open(path, on: host, hostName: "nobody", access: access)
                    let page = try await database.sessions(limit: 1)
                    await database.close()
                    return page.elements.map(\.title)
                }
                let path = try await lab.recorded(wal: true)
                let names = try FileManager.default.contentsOfDirectory(atPath: lab.folder).sorted()
                #expect(try await titles(path) == ["Fake title"])
                #expect(try FileManager.default.contentsOfDirectory(atPath: lab.folder).sorted() == names)
                let owner = try await lab.owner(of: path, "UPDATE sessions SET title = 'live' WHERE source = 'cli';")
                let before = try lab.bytes(path)
                #expect(try await titles(path) == ["live"])
                // Without the log's index, and without the right to make one, nobody can tell what the log holds.
                try FileManager.default.removeItem(atPath: path + "-shm")
                #expect(await dataCode { _ = try await titles(path) } == "data.databaseLogUnreadable")
                #expect(try lab.bytes(path) == before)
                await owner.close()
            }
        }

        @Test func `the first program that is there is taken, and none is told`() async throws {
            try await HermesLab.with { lab in
                let path = try await lab.recorded()
                for (programs, expected) in [(["sqlite3", "python3"], "sqlite3"), (["python3"], "python3")] {
                    let source = HermesHostSource(
                        // From the home directory on.
                        path: "state.db",
                        on: try await Self.bareHost(lab, with: programs),
                        hostName: "bare",
                        access: .any,
                        limits: HermesDatabase.Limits(),
                        clock: ContinuousClock()
                    )
                    #expect(try await source.rows(SQLQuery("SELECT 1 LIMIT 1", columns: 1)) == [[.integer(1)]])
                    #expect(await source.program == expected)
                    await source.close()
                }
                let host = try await Self.bareHost(lab, with: [])
                let code = await dataCode { _ = try await HermesDatabase.open(path, on: host, hostName: "bare") }
                #expect(code == "data.databaseReaderMissing")
            }
        }
    }
}
