// Riff
// SPDX-License-Identifier: Apache-2.0

import ExampleTesting
import Foundation
import RiffCore
import RiffHermes
import RiffScreen
import RiffTesting
import RiffTransport
import Testing

/// A Hermes home of a test's own, and a person in front of hermes-dash in a terminal.
struct DashLab: Sendable {
    static let isInstalled: Bool = {
        let paths = ProcessInfo.processInfo.environment["PATH", default: "/usr/bin:/bin"].split(separator: ":")
        return paths.contains { FileManager.default.isExecutableFile(atPath: "\($0)/sqlite3") }
    }()

    /// When the newest session of the home began.
    static let newest = (Date().timeIntervalSince1970 - 90_000).rounded(.down)

    let folder: String
    private let here = LocalHostSession(shell: "/bin/sh")

    var home: String { "\(folder)/home" }
    var database: String { "\(home)/state.db" }
    var log: String { "\(home)/logs/agent.log" }

    static func with(_ body: (DashLab) async throws -> Void) async throws {
        let folder = "/tmp/hd-\(UInt32.random(in: 0 ... .max))"
        try FileManager.default.createDirectory(atPath: "\(folder)/home/logs", withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }  // Cleanup.
        let lab = DashLab(folder: folder)
        try lab.append("2026-11-21 03:18:12,863 INFO hermes_cli.main: Started\n")
        try await body(lab)
    }

    static func withHome(_ body: (DashLab) async throws -> Void) async throws {
        try await with { lab in
            try await lab.makeDatabase()
            try await body(lab)
        }
    }

    /// Three sessions of a person, of a platform and of a subagent, and seventy old ones.
    func makeDatabase() async throws {
        let schema = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../Tests/RiffHermesTests/Fixtures/Hermes/state-schema.sql").standardized
        let begin = Self.newest
        try await sql(
            """
            PRAGMA journal_mode = WAL;
            BEGIN;
            \(try String(contentsOf: schema, encoding: .utf8))
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 70)
            INSERT INTO sessions (id, source, model, started_at, title, message_count)
            SELECT 'old-' || i, 'cli', 'm-small', \(begin) - 864000 - i * 3600, 'Old matter ' || i, 0 FROM n;
            INSERT INTO sessions (id, source, model, started_at, ended_at, title, message_count, tool_call_count, input_tokens,
              output_tokens, estimated_cost_usd) VALUES
              ('parser', 'cli', 'm-large', \(begin), \(begin) + 3900, 'Mend the parser', 4, 1, 12000, 3400, 1.25);
            INSERT INTO sessions (id, source, model, started_at, message_count, input_tokens, output_tokens) VALUES
              ('weather', 'telegram', 'm-small', \(begin) - 7200, 2, 100, 50);
            INSERT INTO sessions (id, source, model, started_at, parent_session_id, title, message_count) VALUES
              ('helper', 'subagent', 'm-small', \(begin) - 60, 'parser', 'A small errand', 0);
            INSERT INTO messages (session_id, role, content, tool_calls, tool_call_id, tool_name, timestamp) VALUES
              ('parser', 'user', 'The parser loses a comma.', NULL, NULL, NULL, \(begin) + 1),
              ('parser', 'assistant', 'I look at it.', '[{"id":"c1","type":"function","function":{"name":"terminal",'
                || '"arguments":"{\\"command\\":\\"grep -n comma parser.py\\"}"}}]', NULL, NULL, \(begin) + 2),
              ('parser', 'tool', '12: if comma:', NULL, 'c1', 'terminal', \(begin) + 3),
              ('parser', 'assistant', 'Found it: a needle in line 12.', NULL, NULL, NULL, \(begin) + 4),
              ('weather', 'user', 'Does it rain in Oslo?', NULL, NULL, NULL, \(begin) - 7199),
              ('weather', 'assistant', 'It does.', NULL, NULL, NULL, \(begin) - 7198);
            COMMIT;
            """
        )
    }

    func sql(_ statements: String) async throws {
        let command = try ShellQuoting.join(["sqlite3", "-batch", "-bail", database])
        // Somebody may read just now.
        let input = Array(".timeout 60000\n\(statements)\n".utf8)
        let result = try await here.run(command, input: input, outputLimit: 1 << 20, timeout: .seconds(60))
        try #require(result.exit?.isSuccess == true, "sqlite3: \(result.diagnosticText)")
    }

    func append(_ text: String, to path: String? = nil) throws {
        let path = path ?? log
        if !FileManager.default.fileExists(atPath: path) {
            try Data(text.utf8).write(to: URL(filePath: path))
            return
        }
        let file = try FileHandle(forWritingTo: URL(filePath: path))
        try file.seekToEnd()
        try file.write(contentsOf: Data(text.utf8))
        try file.close()
    }

    /// The database and its write-ahead log, byte by byte; an empty log is none.
    func bytes() throws -> [Data] {
        try [database, database + "-wal"].map { path in
            FileManager.default.fileExists(atPath: path) ? try Data(contentsOf: URL(filePath: path)) : Data()
        }
    }

    // MARK: The program

    private func command(_ arguments: [String]) throws -> LocalCommand {
        var environment = ProcessInfo.processInfo.environment
        environment["TZ"] = "UTC"
        return LocalCommand(try BuiltProgram.path("hermes-dash"), arguments, environment: environment)
    }

    /// hermes-dash in a terminal, as somebody starts it.
    func start(_ arguments: [String] = []) async throws -> Person {
        let terminal = LocalPTYTerminal(try command(arguments + ["--home", home]))
        try await terminal.connect(size: Person.size)
        return Person(terminal)
    }

    /// hermes-dash in a pipe: what it wrote, and how it ended.
    func output(_ arguments: [String]) async throws -> (
        text: String, complaint: String, exit: RiffTransport.ExitStatus?
    ) {
        let process = try await LocalProcess.start(try command(arguments + ["--home", home]))
        try await process.finishWriting()
        async let complaint = process.diagnostics.collect(upTo: 1 << 20)
        let text = String(decoding: try await process.output.collect(upTo: 1 << 20), as: UTF8.self)
        let exit = try await process.exitStatus()
        let said = String(decoding: try await complaint, as: UTF8.self)
        await process.close()
        return (text, said, exit)
    }
}
