// Riff
// SPDX-License-Identifier: Apache-2.0

/// The rules by which SQLite names the tables of a database.
package enum SQLiteNames {
    /// The endings that full-text search adds to a table's name for the tables that it keeps its words in
    /// (https://www.sqlite.org/fts5.html, section 9).
    package static let searchShadows = ["data", "idx", "content", "docsize", "config"]

    /// Returns a name as SQLite compares it: ASCII letters in lower case, up to the first NUL.
    package static func folded(_ name: String) -> String {
        let bytes = name.utf8.prefix { $0 != 0 }
        return String(decoding: bytes.map { (65...90).contains($0) ? $0 + 32 : $0 }, as: UTF8.self)
    }
}
