// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffHermes
import Testing

/// A change to a real database after which reading it carelessly runs what whoever made the change wants to run.
struct HostileSchema: Sendable, CustomTestStringConvertible {
    let name: String
    /// Statements of the `sqlite3` program; `CALL` stands for a call that leaves a mark, `QUOTED` for one within a
    /// text.
    private let statements: String
    /// The code of the error that opening it throws; `nil` if it is read as before.
    let code: String?
    /// Whether a copy of it is refused already when it is checked.
    let isCopyRefused: Bool

    init(name: String, statements: String, code: String?, isCopyRefused: Bool = false) {
        self.name = name
        self.statements = statements
        self.code = code
        self.isCopyRefused = isCopyRefused
    }

    var testDescription: String { name }

    private static let unsafe = "data.databaseUnsafe"

    /// The database's own table under another name, and something else under its own.
    private static func replacing(_ table: String, by definition: String) -> String {
        "PRAGMA legacy_alter_table = ON; ALTER TABLE \(table) RENAME TO real_\(table); \(definition);"
    }

    private static let withoutTriggers = [
        "messages_fts_insert", "messages_fts_delete", "messages_fts_update", "messages_fts_trigram_insert",
        "messages_fts_trigram_delete", "messages_fts_trigram_update",
    ]
    .map { "DROP TRIGGER \($0);" }.joined(separator: " ")

    /// An index over a view, filled by hand so that nothing runs while it is made.
    private static func index(_ table: String, _ options: String) -> String {
        """
        \(withoutTriggers) DROP TABLE \(table);
        CREATE VIEW \(table)_src AS SELECT id, role, CALL || content AS content, tool_name, tool_calls FROM messages;
        CREATE VIRTUAL TABLE \(table) USING fts5(content, tool_name, tool_calls, content='\(table)_src', content_rowid='id'
            \(options));
        INSERT INTO \(table)(rowid, content, tool_name, tool_calls)
            SELECT id, content, tool_name, tool_calls FROM messages;
        """
    }

    static let all: [HostileSchema] = [
        HostileSchema(
            name: "a view in the place of sessions",
            statements: replacing(
                "sessions",
                by: "CREATE VIEW sessions AS SELECT * FROM real_sessions WHERE CALL <> ''"
            ),
            code: unsafe
        ),
        HostileSchema(
            name: "a view in the place of sessions, in capital letters",
            statements: replacing(
                "sessions",
                by: "CREATE VIEW \"SESSIONS\" AS SELECT * FROM real_sessions WHERE CALL <> ''"
            ),
            code: unsafe
        ),
        HostileSchema(
            name: "a view in the place of messages",
            statements: replacing(
                "messages",
                by: "CREATE VIEW messages AS SELECT id, session_id, role, CALL AS content, timestamp FROM real_messages"
            ),
            code: unsafe
        ),
        HostileSchema(
            name: "a view in the place of the version",
            statements: "DROP TABLE schema_version; CREATE VIEW schema_version AS SELECT CALL AS version;",
            code: unsafe
        ),
        HostileSchema(
            name: "a view that takes the name of SQLite's own list of columns",
            statements: "CREATE VIEW pragma_table_info AS SELECT CALL AS name;",
            code: unsafe
        ),
        HostileSchema(
            name: "a view that takes the name of SQLite's own count of changes",
            statements: "CREATE VIEW pragma_schema_version AS SELECT CALL AS schema_version;",
            code: unsafe
        ),
        HostileSchema(
            name: "a search index over a view",
            statements: index("messages_fts", ""),
            code: nil
        ),
        HostileSchema(
            name: "a search index over a view, without sizes",
            statements: index("messages_fts", ", columnsize = 0"),
            code: nil
        ),
        HostileSchema(
            name: "a search index over a view, without places",
            statements: index("messages_fts", ", detail = none"),
            code: nil
        ),
        HostileSchema(
            name: "a search index over a view, its option abbreviated",
            statements: index("messages_fts", "")
                .replacing("content='messages_fts_src'", with: "conten='messages_fts_src'"),
            code: nil
        ),
        HostileSchema(
            name: "a trigram index over a view",
            statements: index("messages_fts_trigram", ", tokenize = 'trigram'"),
            code: nil
        ),
        HostileSchema(
            name: "a search index whose texts are a view",
            statements: """
                DROP TABLE messages_fts_content;
                CREATE VIEW messages_fts_content AS SELECT id, CALL AS c0 FROM messages;
                """,
            code: unsafe
        ),
        HostileSchema(
            name: "a search index whose settings are a view",
            statements: """
                DROP TABLE messages_fts_config;
                CREATE VIEW messages_fts_config AS SELECT 'version' AS k, 4 + length(CALL) * 0 AS v;
                """,
            code: unsafe
        ),
        HostileSchema(
            name: "search settings in a computed column",
            statements: """
                DROP TABLE messages_fts_config;
                CREATE TABLE messages_fts_config(k PRIMARY KEY, v GENERATED ALWAYS AS (abs(4))) WITHOUT ROWID;
                """,
            code: unsafe
        ),
        HostileSchema(
            name: "a view in the place of the search index",
            statements:
                "\(withoutTriggers) DROP TABLE messages_fts; CREATE VIEW messages_fts AS SELECT CALL AS content;",
            code: unsafe
        ),
        HostileSchema(
            name: "another module in the place of a table",
            statements: "DROP TABLE session_model_usage; CREATE VIRTUAL TABLE session_model_usage USING dbstat;",
            code: unsafe
        ),
        HostileSchema(
            name: "an older search module over a view",
            statements: """
                \(withoutTriggers) DROP TABLE messages_fts;
                CREATE VIEW src AS SELECT id, CALL AS content FROM messages;
                CREATE VIRTUAL TABLE messages_fts USING fts4(content="src", content);
                """,
            code: nil
        ),
        HostileSchema(
            name: "a trigger",
            statements: """
                CREATE TRIGGER hostile AFTER UPDATE ON sessions BEGIN SELECT CALL; END;
                CREATE TRIGGER hostile_too AFTER INSERT ON messages BEGIN SELECT CALL; END;
                """,
            code: nil
        ),
        HostileSchema(
            name: "a computed column that is needed",
            statements: """
                \(withoutTriggers) ALTER TABLE messages DROP COLUMN content;
                ALTER TABLE messages ADD COLUMN content TEXT GENERATED ALWAYS AS (upper(role)) VIRTUAL;
                """,
            code: unsafe
        ),
        HostileSchema(
            name: "a computed column that is not needed",
            statements: """
                DROP INDEX idx_sessions_title_unique; ALTER TABLE sessions DROP COLUMN title;
                ALTER TABLE sessions ADD COLUMN title TEXT GENERATED ALWAYS AS (upper(source)) VIRTUAL;
                """,
            code: nil
        ),
        HostileSchema(
            name: "a condition of a table",
            statements: """
                PRAGMA writable_schema = ON;
                UPDATE sqlite_master SET sql = replace(sql, 'archived INTEGER NOT NULL DEFAULT 0',
                    'archived INTEGER NOT NULL DEFAULT 0 CHECK (QUOTED <> '''')') WHERE name = 'sessions';
                """,
            code: nil,
            isCopyRefused: true
        ),
        HostileSchema(
            name: "a default and an index that work something out",
            statements: """
                CREATE TABLE odd (id INTEGER DEFAULT (CALL));
                CREATE INDEX odd_index ON messages (upper(content)) WHERE length(content) > 1;
                """,
            code: nil
        ),
        HostileSchema(
            name: "the planner's statistics as a view",
            statements: """
                PRAGMA writable_schema = ON;
                INSERT INTO sqlite_master VALUES ('view', 'sqlite_stat1', 'sqlite_stat1', 0,
                    'CREATE VIEW sqlite_stat1 AS SELECT QUOTED AS tbl, QUOTED AS idx, QUOTED AS stat');
                """,
            code: nil
        ),
    ]

    /// Statements that call this.
    func statements(calling call: String) -> String {
        let quoted = call.replacing("'", with: "''")
        return statements.replacing("QUOTED", with: quoted).replacing("CALL", with: call)
    }

    /// Calls of the `sqlite3` program's functions that leave `mark` behind.
    static func calls(_ mark: String) -> [String] {
        ["edit('x', ': > \(mark) #')", "writefile('\(mark)', 'x')", "load_extension('\(mark)')"]
    }
}
