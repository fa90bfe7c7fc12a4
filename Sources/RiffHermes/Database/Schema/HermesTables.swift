// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore
internal import RiffSQLite

/// The tables of a database that are read, looked at before anything in them is.
///
/// A view, a virtual table or a computed column can call functions when it is read, and full-text search reads tables
/// that its definition names. None of that is needed to read a Hermes database, so none of it is touched: every table
/// that is read must be an ordinary one, the tables beneath a search index too.
struct HermesTables {
    /// The tables that are read, of those that there are.
    let names: [String]
    /// The definitions of the search tables that there are and that are understood.
    let searches: [String: SearchDeclaration]
    /// The ordinary tables in which the search tables keep their words.
    let shadows: [String]

    init(_ objects: [SchemaObject], _ name: String) throws(DataError) {
        var names: [String] = []
        var searches: [String: SearchDeclaration] = [:]
        var shadows: [String] = []
        let found = Dictionary(grouping: objects, by: \.name)
        func ordinary(_ table: String) throws(DataError) -> Bool {
            guard let objects = found[table] else { return false }
            guard objects.count == 1 else { throw .unsafe(name, "its table \(table) is there twice") }
            guard objects[0].isOrdinary else { throw .unsafe(name, "\(table) is \(objects[0].kind) in it") }
            return true
        }
        for table in HermesSchema.tables where try ordinary(table) { names.append(table) }
        for table in [HermesSchema.wordTable, HermesSchema.trigramTable] {
            guard let objects = found[table] else { continue }
            guard objects.count == 1, objects[0].isVirtual else {
                throw .unsafe(name, "\(table) is \(objects[0].kind) in it, and no index of full-text search")
            }
            for shadow in SQLiteNames.searchShadows where try ordinary("\(table)_\(shadow)") {
                shadows.append("\(table)_\(shadow)")
            }
            searches[table] = SearchDeclaration(objects[0].sql)
        }
        // Without these SQLite's own table-valued functions are meant.
        for object in objects where object.name.utf8.starts(with: "pragma_".utf8) || object.name == "json_each" {
            throw .unsafe(name, "it has \(object.kind) with the name of a function of SQLite")
        }
        self.names = names
        self.searches = searches
        self.shadows = shadows
    }

    /// Lists the columns of all of them: table, column, and whether it is computed or hidden.
    func columns(of source: any HermesRowSource, _ counting: String) async throws -> ([SQLRow], changeCount: Int64?) {
        let lists = (names + shadows).map { "SELECT '\($0)', name, hidden FROM pragma_table_xinfo('\($0)')" }
        let sql = (["SELECT NULL, NULL, (\(counting))"] + lists).joined(separator: " UNION ALL ")
        let rows = try await source.rows(SQLQuery(sql + " LIMIT 100000", columns: 3))
        return (Array(rows.dropFirst()), rows.first?[2].integer)
    }
}

extension DataError {
    static func unsafe(_ name: String, _ reason: String) -> DataError {
        DataError(
            .databaseUnsafe,
            "\(name) was not read: \(reason). Hermes keeps ordinary tables there, which can only be read; anything else can "
                + "run functions on the machine that reads it. Check where the file comes from."
        )
    }
}
