// Riff
// SPDX-License-Identifier: Apache-2.0

package import GRDB
internal import RiffCore

/// The tables of a transcript store, and the steps that lead from each former version to the newest.
///
/// The version is SQLite's `user_version`; `application_id` says that the file is ours. A step never changes once it
/// was released: what is new gets a step of its own.
package enum TranscriptSchema {
    /// `RfTr`.
    static let applicationID: Int64 = 0x5266_5472
    package static var version: Int64 { Int64(steps.count) }

    private static let steps = [sessions, wordIndex, substringIndex]

    /// A message's `id` is its time in sixteenths of a second, or the next free number: SQLite gives rows, and FTS5
    /// gives matches, in the order of it, so that "newest first" needs no sorting. (Milliseconds would make both
    /// indexes larger: they hold the differences.) `tools` is what can be found of the tool calls; `parts` says whether
    /// there are rows in the other tables. Long columns stand last, where reading the others does not touch them.
    private static let sessions = """
        CREATE TABLE store (id INTEGER PRIMARY KEY CHECK (id = 1), revision INTEGER NOT NULL) STRICT;
        INSERT INTO store VALUES (1, 0);
        CREATE TABLE session (
            id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, source TEXT NOT NULL, title TEXT, model TEXT, directory TEXT,
            created REAL NOT NULL, updated REAL NOT NULL, archived INTEGER NOT NULL DEFAULT 0,
            messages INTEGER NOT NULL DEFAULT 0, revision INTEGER NOT NULL DEFAULT 0, preview TEXT NOT NULL DEFAULT '',
            extra TEXT
        ) STRICT;
        CREATE INDEX session_updated ON session (updated);
        CREATE INDEX session_archived_updated ON session (archived, updated);
        CREATE TABLE message (
            id INTEGER PRIMARY KEY, session INTEGER NOT NULL REFERENCES session (id) ON DELETE CASCADE,
            time REAL NOT NULL, parts INTEGER NOT NULL DEFAULT 0, role TEXT NOT NULL, key TEXT NOT NULL, model TEXT,
            text TEXT NOT NULL, tools TEXT NOT NULL DEFAULT '', extra TEXT
        ) STRICT;
        CREATE INDEX message_session ON message (session);
        CREATE UNIQUE INDEX message_key ON message (session, key);
        CREATE TABLE tool_call (
            message INTEGER NOT NULL REFERENCES message (id) ON DELETE CASCADE, position INTEGER NOT NULL,
            key TEXT NOT NULL, name TEXT NOT NULL, kind TEXT, status TEXT, input TEXT, output TEXT, extra TEXT,
            PRIMARY KEY (message, position)
        ) STRICT;
        CREATE TABLE attachment (
            message INTEGER NOT NULL REFERENCES message (id) ON DELETE CASCADE, position INTEGER NOT NULL,
            name TEXT NOT NULL, media_type TEXT, size INTEGER, location TEXT, extra TEXT,
            PRIMARY KEY (message, position)
        ) STRICT;
        """

    private static let wordIndex = index("message_words", "tokenize = 'unicode61 remove_diacritics 2'")

    /// Without positions it is a third as large; that the trigrams stand next to each other is looked up in the text.
    private static let substringIndex = index("message_grams", "tokenize = 'trigram', detail = none")

    /// An index that holds no text of its own, kept in step by triggers, and built from what is there already.
    private static func index(_ name: String, _ options: String) -> String {
        let add = "INSERT INTO \(name) (rowid, text, tools) VALUES (new.id, new.text, new.tools);"
        let remove = "INSERT INTO \(name) (\(name), rowid, text, tools) VALUES ('delete', old.id, old.text, old.tools);"
        return """
            CREATE VIRTUAL TABLE \(name) USING fts5 (text, tools, content = 'message', content_rowid = 'id', \(options));
            INSERT INTO \(name) (\(name)) VALUES ('rebuild');
            CREATE TRIGGER \(name)_insert AFTER INSERT ON message BEGIN \(add) END;
            CREATE TRIGGER \(name)_delete AFTER DELETE ON message BEGIN \(remove) END;
            CREATE TRIGGER \(name)_update AFTER UPDATE OF text, tools ON message
                WHEN old.text IS NOT new.text OR old.tools IS NOT new.tools BEGIN \(remove) \(add) END;
            """
    }

    /// What is in a file.
    enum Contents {
        /// Nothing yet.
        case empty
        /// A store of this version.
        case store(version: Int64)
        /// Another program's tables.
        case foreign
    }

    static func contents(_ database: Database) throws -> Contents {
        let application = try Int64.fetchOne(database, sql: "PRAGMA application_id") ?? 0
        let version = try Int64.fetchOne(database, sql: "PRAGMA user_version") ?? 0
        if application == applicationID { return .store(version: version) }
        let tables = try Int64.fetchOne(database, sql: "SELECT count(*) FROM sqlite_master") ?? 0
        return application == 0 && version == 0 && tables == 0 ? .empty : .foreign
    }

    /// Brings a database to a version, in the caller's transaction.
    package static func migrate(_ database: Database, path: String, to target: Int64 = version) throws {
        let found = try check(contents(database), path)
        guard found < target else { return }
        for step in steps[Int(found)..<Int(target)] { try database.execute(sql: step) }
        try database.execute(sql: "PRAGMA application_id = \(applicationID); PRAGMA user_version = \(target)")
    }

    /// The version of what was found.
    static func check(_ contents: Contents, _ path: String) throws(DataError) -> Int64 {
        switch contents {
        case .empty: return 0
        case .store(let version) where (0...self.version).contains(version): return version
        case .store:
            let message = "A newer release of the program wrote \(path); update this one to open it."
            throw DataError(.databaseTooNew, message)
        case .foreign:
            let message = "\(path) is a database of another program; choose another file for the transcripts."
            throw DataError(.databaseForeign, message)
        }
    }
}
