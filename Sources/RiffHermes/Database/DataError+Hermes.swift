// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// The failures of SQLite, here and on a host.
enum SQLiteFailure {
    case busy, corrupt, log, unreadable, interrupted, unsafe, refused
}

extension DataError {
    static func failure(
        _ kind: SQLiteFailure,
        _ name: String,
        _ limits: HermesDatabase.Limits,
        words: String,
        _ cause: (any Error)? = nil
    ) -> any Error {
        // A database, and who reads it on a host, can say anything.
        let words = InertText.line(String(words.prefix(500)))
        return switch kind {
        case .busy:
            DataError(
                .databaseBusy,
                "Another process held \(name) locked for longer than \(limits.busySeconds) seconds. Try again.",
                recovery: .retry,
                cause: cause
            )
        case .corrupt:
            DataError(
                .databaseCorrupt,
                "\(name) is no SQLite database or is damaged (\(words)). On its host, `sqlite3 FILE .recover` saves what "
                    + "can be saved.",
                cause: cause
            )
        case .log:
            DataError(
                .databaseLogUnreadable,
                "The newest changes of \(name) lie in its write-ahead log, which cannot be read (\(words)) without the "
                    + "right to write into its folder. Read it as the account that owns it, or while its owner has it open.",
                cause: cause
            )
        case .unreadable:
            DataError(
                .databaseNotPermitted,
                "\(name) cannot be read: \(words). Check that this account may read it.",
                cause: cause
            )
        case .interrupted: CancellationError()
        case .unsafe: unsafe(name, "SQLite refused what its tables call (\(words))")
        case .refused: DataError(.databaseFailed, "SQLite refused a statement on \(name): \(words).", cause: cause)
        }
    }

    static func closed(_ name: String) -> DataError {
        DataError(.databaseClosed, "\(name) was closed. Open it again to ask more.")
    }

    static func timeout(_ name: String, _ limit: Duration) -> DataError {
        DataError(
            .queryTimeout,
            "A statement on \(name) did not end within \(limit), and was given up. Ask for less, or try again.",
            recovery: .retry
        )
    }

    static func tooLarge(_ name: String) -> DataError {
        DataError(.resultTooLarge, "An answer of \(name) is larger than what is kept of one. Ask for a smaller page.")
    }
}
