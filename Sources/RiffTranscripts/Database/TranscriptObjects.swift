// Riff
// SPDX-License-Identifier: Apache-2.0

internal import GRDB
internal import RiffCore
internal import RiffSQLite
internal import Synchronization

/// The tables, indexes and triggers of a store, compared with those that the store makes.
///
/// Triggers run when the store writes, and a view in the place of a table when it reads. A file that came from
/// somewhere else may hold any, so a store is opened only if what it defines is what ``TranscriptSchema`` defines.
/// Ordinary tables beside it, as backup programs keep them, are left alone.
enum TranscriptObjects {
    private struct Object: Hashable {
        let type: String
        let name: String
        let table: String
        let sql: String
        let hasRows: Bool

        init(_ row: Row) {
            // By kind and bytes: a value of another kind is none that the store makes.
            func text(_ index: Int) -> String {
                let value: DatabaseValue = row[index]
                return String.fromDatabaseValue(value) ?? ""
            }
            type = text(0)
            name = text(1)
            table = text(2)
            sql = text(3)
            let page: DatabaseValue = row[4]
            hasRows = (Int64.fromDatabaseValue(page) ?? 0) > 0
        }

        /// Whether its definition has nothing that is worked out when a row is written.
        var isPlain: Bool {
            let words = sql.uppercased().split { !$0.isLetter }
            return !words.contains { ["CHECK", "DEFAULT", "REFERENCES", "GENERATED", "AS"].contains($0) }
        }

        /// An ordinary table.
        var isOrdinary: Bool { type == "table" && hasRows && sql.hasPrefix("CREATE TABLE ") }
    }

    private static let made = Mutex<[Int64: Set<Object>]>([:])

    /// - Returns: The version of the store's format; 0 for an empty file.
    /// - Throws: ``DataError`` with `databaseUnsafe`, `databaseForeign`, `databaseTooNew`.
    static func check(_ database: Database, path: String) throws -> Int64 {
        let version = try TranscriptSchema.check(TranscriptSchema.contents(database), path)
        let expected = try objects(ofVersion: version)
        let found = try objects(of: database)
        let own = Dictionary(expected.map { (SQLiteNames.folded($0.name), $0) }) { first, _ in first }
        var seen: Set<String> = []
        for object in found {
            let name = SQLiteNames.folded(object.name)
            guard seen.insert(name).inserted else { throw unsafe(path, "it defines something twice") }
            if let same = own[name] {
                // The words of a search index lie in tables whose definitions are SQLite's own.
                let isSame = shadows.contains(name) ? object.isOrdinary && object.isPlain : object == same
                guard isSame else { throw unsafe(path, "its \(same.type) \(same.name) is another one") }
                if shadows.contains(name) { try check(shadow: same.name, database, path) }
            } else if object.type == "index" {
                let isOwn = own[SQLiteNames.folded(object.table)] != nil
                guard !isOwn || object.sql.isEmpty else { throw unsafe(path, "a table of it has a strange index") }
            } else {
                guard object.isOrdinary else { throw unsafe(path, "there is a strange \(kind(object)) in it") }
                // What is written to our tables would be written to it as well.
                let keys = "SELECT count(*) FROM pragma_foreign_key_list(?)"
                guard try Int.fetchOne(database, sql: keys, arguments: [object.name]) == 0 else {
                    throw unsafe(path, "a strange table in it refers to others")
                }
            }
        }
        for object in expected where !seen.contains(SQLiteNames.folded(object.name)) {
            throw unsafe(path, "its \(object.type) \(object.name) is missing")
        }
        return version
    }

    private static let shadows = Set(
        ["message_words", "message_grams"].flatMap { table in SQLiteNames.searchShadows.map { "\(table)_\($0)" } }
    )

    /// Throws if a shadow table has a computed column, which would be worked out by its reader.
    private static func check(shadow: String, _ database: Database, _ path: String) throws {
        let computed = try Int.fetchOne(
            database,
            sql: "SELECT count(*) FROM pragma_table_xinfo('\(shadow)') WHERE hidden <> 0"
        )
        guard computed == 0 else { throw unsafe(path, "its table \(shadow) is another one") }
    }

    private static func kind(_ object: Object) -> String {
        ["view", "trigger"].contains(object.type) ? object.type : "table"
    }

    private static func objects(of database: Database) throws -> [Object] {
        let most = 1000
        let rows = try Row.fetchAll(
            database,
            sql: "SELECT type, name, tbl_name, sql, rootpage FROM sqlite_master LIMIT \(most + 1)"
        )
        guard rows.count <= most else {
            throw DataError(.databaseForeign, "A store has fewer than \(most) tables, so this is none.")
        }
        return rows.map(Object.init)
    }

    /// Lists the objects that the store makes in an empty database in memory.
    private static func objects(ofVersion version: Int64) throws -> Set<Object> {
        if let known = made.withLock({ $0[version] }) { return known }
        let queue = try DatabaseQueue()
        let own = try queue.write { database in
            try TranscriptSchema.migrate(database, path: "memory", to: version)
            return Set(try objects(of: database))
        }
        try queue.close()
        made.withLock { $0[version] = own }
        return own
    }

    private static func unsafe(_ path: String, _ reason: String) -> DataError {
        DataError(
            .databaseUnsafe,
            "\(path) was not opened: \(reason), and what a store's file defines runs when it is read or written. Check where the "
                + "file comes from."
        )
    }
}
