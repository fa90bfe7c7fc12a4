// Riff
// SPDX-License-Identifier: Apache-2.0

/// One value of an SQLite row, as it is stored: whole numbers keep their 64 bits, texts and blobs every byte.
package enum SQLValue: Sendable, Hashable {
    /// SQL's NULL value.
    case null
    /// An INTEGER value.
    case integer(Int64)
    /// A REAL value.
    case real(Double)
    /// TEXT; bytes that are no UTF-8 became U+FFFD.
    case text(String)
    /// A BLOB value.
    case blob([UInt8])

    /// A text or nothing.
    package init(_ text: String?) { self = text.map(SQLValue.text) ?? .null }

    /// The text of a value, also of a number; SQLite lets any column hold any kind.
    package var text: String? {
        switch self {
        case .null: nil
        case .integer(let value): String(value)
        case .real(let value): String(value)
        case .text(let text): text
        case .blob(let bytes): String(decoding: bytes, as: UTF8.self)
        }
    }

    /// The whole number of a value; that of a real where it is one.
    package var integer: Int64? {
        switch self {
        case .integer(let value): value
        case .real(let value): Int64(exactly: value)
        case .text(let text): Int64(text)
        case .null, .blob: nil
        }
    }

    /// The number of a value. Finite.
    package var real: Double? {
        let value: Double? =
            switch self {
            case .integer(let value): Double(value)
            case .real(let value): value
            case .text(let text): Double(text)
            case .null, .blob: nil
            }
        return value.flatMap { $0.isFinite ? $0 : nil }
    }

    /// Whether SQLite would count it as true.
    package var isTrue: Bool { real.map { $0 != 0 } ?? false }
}

/// One row, in the order of the statement's columns.
package typealias SQLRow = [SQLValue]

/// One statement that only reads: its text with `?` for each value, and how many columns its rows have.
package struct SQLQuery: Sendable, Hashable {
    /// The text, without a semicolon. A fixed order of rows needs a LIMIT.
    package var sql: String
    /// What is bound, in order.
    package var values: [SQLValue]
    /// The number of columns of a row.
    package var columns: Int

    /// Creates a statement.
    package init(_ sql: String, _ values: [SQLValue] = [], columns: Int) {
        self.sql = sql
        self.values = values
        self.columns = columns
    }
}
