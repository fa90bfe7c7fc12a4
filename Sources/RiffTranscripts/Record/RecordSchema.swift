// Riff
// SPDX-License-Identifier: Apache-2.0

internal import GRDB
internal import RiffCore

/// The tables of a store of records.
enum RecordSchema {
    /// `RfRc`.
    static let applicationID: Int64 = 0x5266_5263
    static let version: Int64 = 1

    /// A line's `scope` is its session and its state as words, so that the index finds lines of one session or state
    /// without a look at each line. What is kept of the screen is compressed, and one piece for each time that it was
    /// written; a key has all of the screen.
    private static let tables = """
        CREATE TABLE session (
            id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, consent REAL NOT NULL, screen BLOB
        ) STRICT;
        CREATE TABLE piece (
            id INTEGER PRIMARY KEY, session INTEGER NOT NULL REFERENCES session (id) ON DELETE CASCADE,
            first REAL NOT NULL, last REAL NOT NULL, is_key INTEGER NOT NULL, data BLOB NOT NULL
        ) STRICT;
        CREATE INDEX piece_session ON piece (session);
        CREATE TABLE mark (
            id INTEGER PRIMARY KEY, session INTEGER NOT NULL REFERENCES session (id) ON DELETE CASCADE,
            time REAL NOT NULL, kind TEXT NOT NULL, text TEXT NOT NULL
        ) STRICT;
        CREATE INDEX mark_session ON mark (session, time);
        CREATE TABLE line (
            id INTEGER PRIMARY KEY, session INTEGER NOT NULL REFERENCES session (id) ON DELETE CASCADE,
            time REAL NOT NULL, state TEXT NOT NULL, scope TEXT NOT NULL, text TEXT NOT NULL
        ) STRICT;
        CREATE INDEX line_session ON line (session, time);
        CREATE VIRTUAL TABLE line_words USING fts5 (
            text, scope, content = 'line', content_rowid = 'id', tokenize = 'unicode61 remove_diacritics 2'
        );
        CREATE TRIGGER line_words_insert AFTER INSERT ON line BEGIN
            INSERT INTO line_words (rowid, text, scope) VALUES (new.id, new.text, new.scope);
        END;
        CREATE TRIGGER line_words_delete AFTER DELETE ON line BEGIN
            INSERT INTO line_words (line_words, rowid, text, scope) VALUES ('delete', old.id, old.text, old.scope);
        END;
        """

    /// Makes the tables, or compares them with what would be made.
    static func prepare(_ database: Database, path: String) throws {
        let found = try objects(database)
        if found.isEmpty, try Int64.fetchOne(database, sql: "PRAGMA user_version") == 0 {
            try database.execute(sql: tables)
            try database.execute(sql: "PRAGMA application_id = \(applicationID); PRAGMA user_version = \(version)")
            return
        }
        guard try Int64.fetchOne(database, sql: "PRAGMA application_id") == applicationID else {
            let message = "\(path) is a database of another program; choose another file for the records."
            throw DataError(.databaseForeign, message)
        }
        guard try Int64.fetchOne(database, sql: "PRAGMA user_version") == version else {
            let message = "A newer release of the program wrote \(path); update this one to open it."
            throw DataError(.databaseTooNew, message)
        }
        let own = try DatabaseQueue().write { database in
            try database.execute(sql: tables)
            return try objects(database)
        }
        guard found == own else {
            let message = "\(path) has other tables than this program makes; move it away."
            throw DataError(.databaseUnsafe, message)
        }
    }

    /// Every object by its definition.
    private static func objects(_ database: Database) throws -> [String] {
        try String.fetchAll(
            database,
            sql: "SELECT type || ' ' || name || ' ' || coalesce(sql, '') FROM sqlite_master ORDER BY type, name"
        )
    }
}
