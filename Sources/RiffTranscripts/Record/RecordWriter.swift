// Riff
// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
internal import GRDB
internal import RiffCore
internal import RiffScreen

/// Writes records in a transaction.
struct RecordWriter {
    private let database: Database
    let session: Int64

    init(_ database: Database, session: String, consent: Double) throws {
        self.database = database
        let statement = try database.cachedStatement(
            sql: """
                INSERT INTO session (key, consent) VALUES (?, ?)
                ON CONFLICT (key) DO UPDATE SET consent = max(consent, excluded.consent)
                """
        )
        try statement.execute(arguments: [KeptText.kept(session), consent])
        self.session = try Self.number(database, session) ?? 0
    }

    static func number(_ database: Database, _ session: String) throws -> Int64? {
        try Int64.fetchOne(
            database.cachedStatement(sql: "SELECT id FROM session WHERE key = ?"),
            arguments: [KeptText.kept(session)]
        )
    }

    /// The words of a line's scope.
    static func scope(session: Int64?, state: String?) -> [String] {
        (session.map { ["riffs\($0)"] } ?? []) + (state.map { ["rifft" + word($0)] } ?? [])
    }

    private static func word(_ state: String) -> String {
        String(state.utf8.prefix(64).map { String($0, radix: 16) }.joined())
    }

    func append(_ entries: [RecordEntry]) throws {
        let line = try database.cachedStatement(
            sql: "INSERT INTO line (session, time, state, scope, text) VALUES (?, ?, ?, ?, ?)"
        )
        let mark = try database.cachedStatement(sql: "INSERT INTO mark (session, time, kind, text) VALUES (?, ?, ?, ?)")
        var drawn: [RecordEntry] = []
        var isKey = false
        for entry in entries {
            switch entry.content {
            case .lines(let lines, let state):
                let scope = Self.scope(session: session, state: state).joined(separator: " ")
                for text in lines {
                    try line.execute(
                        arguments: [session, entry.time, KeptText.kept(state), scope, KeptText.kept(text)]
                    )
                }
                continue
            case .mark(let value):
                try mark.execute(
                    arguments: [session, entry.time, KeptText.kept(value.kind.rawValue), KeptText.kept(value.text)]
                )
            // The first of a piece alone: what is before it would be lost with the pieces before.
            case .resized: isKey = isKey || drawn.isEmpty
            case .drew: break
            }
            drawn.append(entry)
        }
        guard let first = drawn.first?.time, let last = drawn.last?.time else { return }
        let data = try RecordPiece.data(drawn)
        try database.cachedStatement(
            sql: "INSERT INTO piece (session, first, last, is_key, data) VALUES (?, ?, ?, ?, ?)"
        ).execute(arguments: [session, first, last, isKey, Data(data)])
    }

    // MARK: What goes

    /// Drops the oldest until what is left is as small as it is to be.
    static func trim(_ database: Database, to limit: Int) throws {
        guard try usedBytes(database) > limit else { return }
        let target = limit - limit / 8
        while try usedBytes(database) > target {
            // The session whose next key would be the oldest.
            guard
                let row = try Row.fetchOne(
                    database,
                    sql: """
                        SELECT p.session, p.id FROM piece p WHERE p.is_key AND EXISTS
                            (SELECT 1 FROM piece e WHERE e.session = p.session AND e.id < p.id)
                        ORDER BY p.id LIMIT 1
                        """
                )
            else {
                // One key for each is left: the oldest lines, and then the oldest of all, go.
                let before = database.totalChangesCount
                try database.execute(sql: "DELETE FROM line WHERE id IN (SELECT id FROM line ORDER BY id LIMIT 5000)")
                if database.totalChangesCount == before {
                    try database.execute(sql: "DELETE FROM piece WHERE id = (SELECT min(id) FROM piece)")
                }
                if database.totalChangesCount == before { return }
                continue
            }
            let (session, key): (Int64, Int64) = (row[0], row[1])
            let first = try Double.fetchOne(database, sql: "SELECT first FROM piece WHERE id = ?", arguments: [key])
            try database.execute(
                sql: "DELETE FROM piece WHERE session = ? AND id < ?",
                arguments: [session, key]
            )
            for table in ["line", "mark"] {
                try database.execute(
                    sql: "DELETE FROM \(table) WHERE session = ? AND time < ?",
                    arguments: [session, first ?? 0]
                )
            }
        }
    }

    private static func usedBytes(_ database: Database) throws -> Int {
        let pages = try Int.fetchOne(database, sql: "PRAGMA page_count") ?? 0
        let free = try Int.fetchOne(database, sql: "PRAGMA freelist_count") ?? 0
        let size = try Int.fetchOne(database, sql: "PRAGMA page_size") ?? 4096
        return (pages - free) * size
    }

    static func erase(_ database: Database, session: String?) throws {
        var condition = ("1", "1")
        if let session {
            guard let number = try number(database, session) else { return }
            condition = ("session = \(number)", "id = \(number)")
        }
        for table in ["line", "mark", "piece"] {
            try database.execute(sql: "DELETE FROM \(table) WHERE \(condition.0)")
        }
        try database.execute(sql: "DELETE FROM session WHERE \(condition.1)")
    }
}
