// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore
internal import RiffSQLite

/// One table, view or virtual table as a database lists it.
struct SchemaObject {
    /// The name as SQLite compares it: ASCII letters in lower case, up to the first NUL.
    let name: String
    /// The kind by the list's own word, such as `table`.
    let type: String
    /// Whether it has rows of its own. A view and a virtual table have none.
    let hasRows: Bool
    /// The beginning of its definition.
    let sql: String

    /// More than any version of Hermes has, by far.
    private static let most = 1000

    /// Lists a database's tables, views and virtual tables. Nothing of them is opened.
    static func all(of source: any HermesRowSource) async throws -> [SchemaObject] {
        let rows = try await source.rows(
            SQLQuery(
                "SELECT CAST(type AS TEXT), CAST(name AS TEXT), rootpage, substr(CAST(sql AS TEXT), 1, 4096) "
                    + "FROM sqlite_master WHERE type NOT IN ('index', 'trigger') LIMIT \(most + 1)",
                columns: 4
            )
        )
        guard rows.count <= most else {
            let message = "\(source.name) has more than \(most) tables, so it is no Hermes state.db."
            throw DataError(.databaseForeign, message)
        }
        return rows.map { row in
            SchemaObject(
                name: SQLiteNames.folded(row[1].text ?? ""),
                type: row[0].text ?? "",
                hasRows: row[2].integer.map { $0 > 0 } ?? false,
                sql: row[3].text ?? ""
            )
        }
    }

    /// A table that holds what it shows: no view, and nothing that a module of SQLite makes up when it is read.
    var isOrdinary: Bool { type == "table" && hasRows && begins("create table ") }

    /// Whether a module of SQLite makes it up, as full-text search does.
    var isVirtual: Bool { type == "table" && begins("create virtual table ") }

    /// The kind in words for an error.
    var kind: String {
        if type == "view" { return "a view" }
        return isVirtual ? "a virtual table" : "no ordinary table"
    }

    /// SQLite writes the beginning of a definition itself, in capital letters and with one space between the words.
    private func begins(_ words: String) -> Bool { SQLiteNames.folded(sql).utf8.starts(with: words.utf8) }
}
