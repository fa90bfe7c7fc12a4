// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffTranscripts
import TestSupport
import Testing

/// Files of a store that another program changed.
@Suite(.enabled(if: SQLiteProgram.isInstalled, "sqlite3 is missing"), .timeLimit(.minutes(2)))
struct TranscriptHostileTests {
    /// A store with one message, changed by statements.
    private static func withStore(
        _ statements: [String],
        _ body: (_ path: String) async throws -> Void
    ) async throws {
        try await TranscriptLab.withFolder { (folder) async throws in
            let path = folder + "/transcripts.db"
            let store = try await TranscriptLab.open(path)
            try await store.save(TranscriptSession(id: "s"), [TranscriptLab.message("1", "a word")])
            try await store.close()
            // Each on a connection of its own, which reads the definitions again.
            for statement in statements { try await SQLiteProgram.tamper(path, statement) }
            try await body(path)
        }
    }

    @Test(arguments: [
        "CREATE TRIGGER hostile AFTER INSERT ON message BEGIN UPDATE session SET title = 'called'; END",
        "DROP TRIGGER message_words_insert; CREATE TRIGGER message_words_insert AFTER INSERT ON message BEGIN SELECT 1; END",
        "CREATE VIEW other AS SELECT 1",
        "CREATE VIRTUAL TABLE other USING fts5(word)",
        "CREATE INDEX other ON message (upper(text))",
        "DROP INDEX session_updated; CREATE INDEX session_updated ON session (upper(title))",
        "DROP TABLE attachment; CREATE VIEW attachment AS SELECT 1 AS message, 1 AS position, 'called' AS name",
        "DROP TABLE attachment",
        "DROP TABLE message_words_config; CREATE VIEW message_words_config AS SELECT 'version' AS k, 4 AS v",
        "DROP TABLE message_words_docsize; CREATE TABLE message_words_docsize(id INTEGER PRIMARY KEY, sz AS (x'01'))",
        "DROP TABLE message_words_docsize; CREATE TABLE message_words_docsize(id INTEGER PRIMARY KEY, sz BLOB CHECK (upper(sz) > ''))",
        "CREATE TABLE other (s REFERENCES session (id) ON DELETE SET NULL, CHECK (upper(s) > ''))",
        "ALTER TABLE session ADD COLUMN shout TEXT AS (upper(title))",
    ])
    func `a file that defines something else is refused, to be read and to be written`(statement: String) async throws {
        try await Self.withStore([statement]) { path in
            for isReadOnly in [false, true] {
                let error = await #expect(throws: DataError.self) {
                    try await TranscriptLab.open(path, isReadOnly: isReadOnly).close()
                }
                #expect(error?.stableCode == "data.databaseUnsafe")
                #expect(error?.message.contains("was not opened") == true)
            }
        }
    }

    @Test func `ordinary tables of other programs are left alone`() async throws {
        try await Self.withStore([
            "CREATE TABLE _backup (sequence INTEGER PRIMARY KEY, place INTEGER); CREATE INDEX b ON _backup (place); ANALYZE"
        ]) { path in
            let store = try await TranscriptLab.open(path)
            #expect(try await store.texts(TranscriptSearch("word", order: .newest)) == ["a word"])
            try await store.close()
        }
    }

    @Test func `a count of changes at its end is an error`() async throws {
        try await Self.withStore(["UPDATE store SET revision = 9223372036854775807"]) { path in
            let store = try await TranscriptLab.open(path)
            let code = await TranscriptLab.code {
                _ = try await store.save(TranscriptSession(id: "s"), [TranscriptLab.message("2", "more")])
            }
            #expect(code == .databaseCorrupt)
            try await store.close()
        }
    }

    @Test(arguments: [
        "UPDATE message SET id = 9223372036854775807",
        "UPDATE message SET id = 9223372036854775807, time = time - 1",
        "UPDATE message SET id = 9223372036854775807, time = time + 9e13",
        "UPDATE message SET id = 9223372036854775807, time = -9e999",
    ])
    func `the last number that there is does not end the process`(statement: String) async throws {
        try await Self.withStore([statement]) { path in
            let store = try await TranscriptLab.open(path)
            let code = await TranscriptLab.code {
                _ = try await store.save(TranscriptSession(id: "s"), [TranscriptLab.message("2", "more")])
            }
            #expect([nil, .databaseCorrupt].contains(code))
            _ = try await store.messages(of: "s")
            _ = try await store.search(TranscriptSearch("word"))
            try await store.close()
        }
    }

    @Test(arguments: [
        "session": ["key", "source", "created", "updated", "preview"],
        "message": ["key", "role", "time", "text"],
    ])
    func `a value that is missing where there must be one is an error`(table: String, columns: [String]) async throws {
        for column in columns {
            // Strictness is a matter of the definition, and that can be another one for a moment.
            try await Self.withStore([
                """
                PRAGMA writable_schema = ON;
                UPDATE sqlite_master SET sql = replace(sql, ' NOT NULL', '/*NOTNULL*/')
                    WHERE type = 'table' AND name = '\(table)';
                """,
                "UPDATE \(table) SET \(column) = NULL",
                """
                PRAGMA writable_schema = ON;
                UPDATE sqlite_master SET sql = replace(sql, '/*NOTNULL*/', ' NOT NULL')
                    WHERE type = 'table' AND name = '\(table)';
                """,
            ]) { path in
                let store = try await TranscriptLab.open(path)
                let codes = [
                    await TranscriptLab.code { _ = try await store.sessions() },
                    await TranscriptLab.code { _ = try await store.messages(of: "s") },
                    await TranscriptLab.code { _ = try await store.search(TranscriptSearch("word")) },
                    await TranscriptLab.code {
                        let message = TranscriptLab.message("1", "a word and more")
                        _ = try await store.save(TranscriptSession(id: "s"), [message])
                    },
                ]
                // By a key that is missing nothing is found, which is no error.
                #expect(codes.allSatisfy { [nil, .databaseCorrupt, .databaseFailed].contains($0) })
                #expect(codes.contains(.databaseCorrupt), "\(column): \(codes)")
                try await store.close()
            }
        }
    }
}
