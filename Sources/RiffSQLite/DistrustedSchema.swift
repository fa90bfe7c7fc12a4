// Riff
// SPDX-License-Identifier: Apache-2.0

package import GRDB
internal import RiffCore
internal import RiffCore

extension Configuration {
    /// Opens a database as data: what its tables, views, triggers and indexes call is refused, unless it is one of
    /// SQLite's own functions that can neither reach outside of the database nor tell anything of the process
    /// (https://www.sqlite.org/security.html).
    package mutating func distrustSchema() {
        prepareDatabase { database in
            // Before anything reads the schema. SQLite ignores a pragma that it does not know, so it is asked.
            try database.execute(sql: "PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON")
            guard try Int.fetchOne(database, sql: "PRAGMA trusted_schema") == 0 else { throw DataError.sqliteTooOld }
        }
    }
}

extension Database {
    /// Trusts what the schema calls, on this connection, from now on. Versions of SQLite such as 3.40 refuse to let a
    /// trigger write to an index of full-text search otherwise. Only for a schema that was compared with our own,
    /// object by object.
    package func trustSchema() throws { try execute(sql: "PRAGMA trusted_schema = ON") }
}

extension DataError {
    fileprivate static var sqliteTooOld: DataError {
        DataError(
            .databaseUnsafe,
            "SQLite on this machine is older than 3.31 and would run what a database's own tables call, so no database is "
                + "opened with it. Update SQLite."
        )
    }
}
