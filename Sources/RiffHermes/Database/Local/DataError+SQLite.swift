// Riff
// SPDX-License-Identifier: Apache-2.0

internal import GRDB
internal import RiffCore
internal import RiffSQLite

extension DataError {
    /// Returns SQLite's error, in the words of this room.
    static func sqlite(
        _ error: DatabaseError,
        _ name: String,
        _ limits: HermesDatabase.Limits,
        hasLog: Bool = false
    ) -> any Error {
        let kind: SQLiteFailure =
            switch error.resultCode {
            case .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_PROTOCOL: .busy
            case .SQLITE_CORRUPT, .SQLITE_NOTADB: .corrupt
            case .SQLITE_READONLY: .log
            case .SQLITE_CANTOPEN: hasLog ? .log : .unreadable
            case .SQLITE_IOERR, .SQLITE_PERM, .SQLITE_AUTH: .unreadable
            case .SQLITE_INTERRUPT: .interrupted
            default: SQLiteMessage.isUnsafe(error.message ?? "") ? .unsafe : .refused
            }
        // The message names tables and columns; what was bound is not in it (`publicStatementArguments` is off).
        return failure(kind, name, limits, words: error.message ?? "error \(error.extendedResultCode.rawValue)", error)
    }
}
