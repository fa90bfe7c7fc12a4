// Riff
// SPDX-License-Identifier: Apache-2.0

/// An error message of SQLite, which has no code of its own for some failures.
package enum SQLiteMessage {
    /// Returns whether SQLite refused a statement because the database's own definitions call what they may not.
    package static func isUnsafe(_ message: String) -> Bool {
        ["unsafe use of", "in safe mode", "prohibited in"].contains { message.utf8.contains(Array($0.utf8)) }
    }
}
