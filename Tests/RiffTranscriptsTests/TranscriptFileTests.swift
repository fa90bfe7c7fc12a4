// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import RiffCore
import RiffTranscripts
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2)))
struct TranscriptFileTests {
    @Test(arguments: 0...TranscriptSchema.version)
    func `a store of each former version is brought up to date`(version: Int64) async throws {
        try await TranscriptLab.withFolder { (folder) async throws in
            let path = folder + "/old.db"
            let old = try DatabaseQueue(path: path)
            try await old.write { database in
                try TranscriptSchema.migrate(database, path: path, to: version)
                guard version > 0 else { return }
                try database.execute(
                    sql: """
                        INSERT INTO session (id, key, source, created, updated, messages) VALUES (1, 's', 'acp', 1, 2, 1);
                        INSERT INTO message (id, session, time, role, key, text) VALUES (16, 1, 1, 'user', 'm', 'an old word');
                        """
                )
            }
            try old.close()
            let store = try await TranscriptLab.open(path)
            try await store.save(TranscriptSession(id: "new"), [TranscriptLab.message("1", "a new word")])
            let expected = version > 0 ? ["a new word", "an old word"] : ["a new word"]
            #expect(try await store.texts(TranscriptSearch("word", order: .newest)) == expected)
            let part = TranscriptSearch(FTSQuery("wor"), matching: .substrings)
            #expect(try await store.texts(part) == expected)
            #expect(try await store.messages(of: "s").messages.count == (version > 0 ? 1 : 0))
            try await store.close()
            let check = try DatabaseQueue(path: path)
            let (found, integrity) = try await check.write { database in
                // Compares the indexes with the text; it fails where they differ.
                try database.execute(
                    sql: """
                        INSERT INTO message_words (message_words, rank) VALUES ('integrity-check', 1);
                        INSERT INTO message_grams (message_grams, rank) VALUES ('integrity-check', 1);
                        """
                )
                return (
                    try Int64.fetchOne(database, sql: "PRAGMA user_version"),
                    try String.fetchOne(database, sql: "PRAGMA integrity_check")
                )
            }
            #expect(found == TranscriptSchema.version && integrity == "ok")
        }
    }

    @Test func `a file that a newer release wrote is refused and not touched`() async throws {
        try await TranscriptLab.withFolder { (folder) async throws in
            let path = folder + "/new.db"
            try await TranscriptLab.open(path).close()
            let queue = try DatabaseQueue(path: path)
            try await queue.write { try $0.execute(sql: "PRAGMA user_version = 99") }
            try queue.close()
            let before = try Data(contentsOf: URL(filePath: path))
            #expect(await TranscriptLab.code { _ = try await TranscriptLab.open(path) } == .databaseTooNew)
            #expect(try Data(contentsOf: URL(filePath: path)) == before)
        }
    }

    @Test func `another program's database is refused and not touched`() async throws {
        try await TranscriptLab.withFolder { (folder) async throws in
            let path = folder + "/other.db"
            let queue = try DatabaseQueue(path: path)
            try await queue.write { try $0.execute(sql: "CREATE TABLE t (x); INSERT INTO t VALUES (1)") }
            try queue.close()
            let before = try Data(contentsOf: URL(filePath: path))
            #expect(await TranscriptLab.code { _ = try await TranscriptLab.open(path) } == .databaseForeign)
            #expect(try Data(contentsOf: URL(filePath: path)) == before)
        }
    }

    @Test func `a damaged file is an error, opened and while it is read`() async throws {
        try await TranscriptLab.withFolder { (folder) async throws in
            let path = folder + "/bad.db"
            try Data("This is no database, however long it goes on.".utf8 + Data(count: 8192)).write(
                to: URL(filePath: path)
            )
            #expect(await TranscriptLab.code { _ = try await TranscriptLab.open(path) } == .databaseCorrupt)

            let torn = folder + "/torn.db"
            let store = try await TranscriptLab.open(torn)
            let texts = (0..<2000).map {
                TranscriptLab.message("\($0)", "word \($0) " + String(repeating: "x", count: 200))
            }
            try await store.save(TranscriptSession(id: "s"), texts)
            try await store.close()
            var bytes = try Data(contentsOf: URL(filePath: torn))
            for place in stride(from: 8192, to: bytes.count, by: 7) { bytes[place] = 0xA5 }
            try bytes.write(to: URL(filePath: torn))
            let code = await TranscriptLab.code {
                let store = try await TranscriptLab.open(torn)
                _ = try await store.sessions()
                _ = try await store.messages(of: "s", .oldest, limit: 1000)
                _ = try await store.search(TranscriptSearch("word"))
            }
            #expect(code == .databaseCorrupt)
        }
    }

    @Test func `a locked file is an error once the wait is over, and works behind it`() async throws {
        try await TranscriptLab.withFolder { (folder) async throws in
            let path = folder + "/locked.db"
            let configuration = TranscriptStore.Configuration(busyTimeout: .milliseconds(50))
            let store = try await TranscriptStore.open(at: path, configuration: configuration)
            var settings = Configuration()
            settings.allowsUnsafeTransactions = true
            let other = try DatabaseQueue(path: path, configuration: settings)
            try await other.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
            let code = await TranscriptLab.code { try await store.save(TranscriptSession(id: "s")) }
            #expect(code == .databaseBusy)
            // Readers do not wait for it.
            #expect(try await store.sessions().elements.isEmpty)
            try await other.writeWithoutTransaction { try $0.execute(sql: "COMMIT") }
            try await store.save(TranscriptSession(id: "s"))
            #expect(try await store.sessions().elements.count == 1)
        }
    }

    @Test func `missing, empty, forbidden and read-only files`() async throws {
        try await TranscriptLab.withFolder { (folder) async throws in
            let path = folder + "/deep/er/transcripts.db"
            #expect(
                await TranscriptLab.code { _ = try await TranscriptLab.open(path, isReadOnly: true) }
                    == .databaseMissing
            )
            try await TranscriptLab.open(path).close()
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(mode == 0o600)
            let reader = try await TranscriptLab.open(path, isReadOnly: true)
            #expect(try await reader.sessions().elements.isEmpty)
            #expect(await TranscriptLab.code { try await reader.save(TranscriptSession(id: "s")) } == .databaseReadOnly)
            let empty = folder + "/empty.db"
            try Data().write(to: URL(filePath: empty))
            #expect(
                await TranscriptLab.code { _ = try await TranscriptLab.open(empty, isReadOnly: true) }
                    == .databaseMissing
            )
            try await TranscriptLab.open(empty).close()
            #expect(await TranscriptLab.code { _ = try await TranscriptLab.open(folder) } == .databaseNotPermitted)
        }
    }
}
