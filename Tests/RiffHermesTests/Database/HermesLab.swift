// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffHermes
import RiffTesting
import RiffTransport
import TestSupport
import Testing

/// A folder of a test's own with databases in it, and the `sqlite3` program that knows nothing of Riff.
struct HermesLab: Sendable {
    static let isInstalled = SQLiteProgram.isInstalled && SystemProgram.path("python3") != nil

    let folder: String

    static func with(_ body: (HermesLab) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "riff-hermes-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }  // Cleanup.
        try await body(HermesLab(folder: folder))
    }

    static func fixture(_ name: String) -> String {
        URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Fixtures/Hermes/\(name)").standardized
            .path
    }

    /// A copy of the recorded database; in WAL mode, as a live one is, where asked.
    func recorded(_ name: String = "state.db", wal: Bool = false) async throws -> String {
        let path = "\(folder)/\(name)"
        try FileManager.default.copyItem(atPath: Self.fixture("state.db"), toPath: path)
        if wal { _ = try await sql("PRAGMA journal_mode = WAL; VACUUM;", path) }
        return path
    }

    static func output(of name: String, _ arguments: [String]) async throws -> String {
        let (status, output) = try await SystemProgram.run(name, arguments)
        guard status == 0 else { throw TestingError(.programFailed, "\(name) ended with \(status): \(output)") }
        return output
    }

    /// What the program prints for a statement, in JSON: one object a row.
    func json(_ statement: String, _ path: String) async throws -> [[String: JSONValue]] {
        let text = try await Self.output(of: "sqlite3", ["-batch", "-json", path, statement])
        guard !text.isEmpty else { return [] }
        let rows = try #require(try JSONValue(parsing: text).array)
        return try rows.map { row in
            Dictionary(try #require(row.object).map { ($0.key, $0.value) }) { $1 }
        }
    }

    /// Runs statements that may write.
    @discardableResult
    func sql(_ statements: String, _ path: String) async throws -> String {
        try await Self.output(of: "sqlite3", ["-batch", "-bail", path, statements])
    }

    /// A database of the recorded schema and, unless others are given, these few rows.
    func made(_ name: String = "state.db", _ statements: String) async throws -> String {
        let path = "\(folder)/\(name)"
        let schema = try String(contentsOfFile: Self.fixture("state-schema.sql"), encoding: .utf8)
        let file = "\(folder)/\(name).sql"
        try "PRAGMA journal_mode = WAL;\nBEGIN;\n\(schema)\n\(statements)\nCOMMIT;\n".write(
            toFile: file,
            atomically: true,
            encoding: .utf8
        )
        _ = try await Self.output(of: "sqlite3", ["-batch", "-bail", path, ".read \(file)"])
        return path
    }

    /// A process that holds a database open and, until it is told otherwise, writes nothing: the log stays.
    func owner(of path: String, _ statements: String = "SELECT 1;") async throws -> any ByteChannel {
        let host = LocalHostSession(shell: "/bin/sh", homeDirectory: folder)
        let channel = try await host.openChannel(try ShellQuoting.join(["exec", "sqlite3", "-batch", path]))
        try await channel.write(Array("PRAGMA wal_autocheckpoint = 0;\n\(statements)\n.print ready\n".utf8))
        var seen = ""
        for try await bytes in channel.output {
            seen += String(decoding: bytes, as: UTF8.self)
            if seen.contains("ready") { return channel }
        }
        throw TestingError(.programFailed, "sqlite3 ended: \(seen)")
    }

    /// The database and its log, byte by byte; an empty log is none.
    func bytes(_ path: String) throws -> [String: Data] {
        var files: [String: Data] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: folder)
        where "\(folder)/\(name)".hasPrefix(path) && !name.hasSuffix("-shm") {
            files[name] = try Data(contentsOf: URL(filePath: "\(folder)/\(name)"))
        }
        return files
    }
}

extension HermesDatabase {
    /// Every page of a list, joined.
    func all<Element>(
        _ page: (HermesCursor?) async throws -> HermesPage<Element>
    ) async throws -> [Element] {
        var elements: [Element] = []
        var cursor: HermesCursor?
        repeat {
            let next = try await page(cursor)
            elements += next.elements
            cursor = next.next
        } while cursor != nil
        return elements
    }
}

/// The code of the error that some work throws.
func dataCode(_ work: () async throws -> Void) async -> String {
    do {
        try await work()
        return "none"
    } catch let error as any RiffError {
        return error.stableCode
    } catch {
        return "\(error)"
    }
}
