// Riff
// SPDX-License-Identifier: Apache-2.0

internal import GRDB
internal import RiffCore
internal import RiffSQLite

extension DataError {
    /// Returns the error for one of the database; errors that are ours already, and cancellation, stay as they are.
    ///
    /// - Parameters:
    ///   - error: Whatever was thrown.
    ///   - doing: What failed, as the beginning of a sentence, such as `Reading`.
    ///   - path: The database's file.
    /// - Returns: One of ours, or the error itself.
    static func database(_ error: any Error, _ doing: String, _ path: String) -> any Error {
        if error is RowDecodingError {
            let words = "a value in it is of another kind than its column. Restore it from a backup, or move it away."
            return DataError(.databaseCorrupt, "\(doing) \(path) failed: \(words)", cause: error)
        }
        guard let error = error as? DatabaseError else { return error }
        let (code, words, recovery): (Code, String, Recovery?) =
            switch error.resultCode {
            case .SQLITE_BUSY, .SQLITE_LOCKED:
                (.databaseBusy, "another process has been writing to it for too long; try again.", .retry)
            case .SQLITE_CORRUPT, .SQLITE_NOTADB:
                (.databaseCorrupt, "it is damaged, or no database. Restore it from a backup, or move it away.", nil)
            case .SQLITE_READONLY:
                (.databaseReadOnly, "it, or its folder, may not be written; check their permissions.", nil)
            case .SQLITE_CANTOPEN, .SQLITE_PERM, .SQLITE_AUTH:
                (.databaseNotPermitted, "it cannot be opened; check its permissions and its folder's.", nil)
            case .SQLITE_FULL: (.diskFull, "the disk is full; make room, then try again.", .retry)
            case _ where SQLiteMessage.isUnsafe(error.message ?? ""):
                (.databaseUnsafe, "its own tables call what they may not; check where the file comes from.", nil)
            default:
                (.databaseFailed, "the database says: \(error.message ?? "result \(error.resultCode.rawValue)").", nil)
            }
        // The error's own description holds statements and their values: it stays in the cause.
        return DataError(code, "\(doing) \(path) failed: \(words)", recovery: recovery, cause: error)
    }
}
