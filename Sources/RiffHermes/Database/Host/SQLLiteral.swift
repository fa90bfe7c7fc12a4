// Riff
// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// Values written into the text of a statement, for the `sqlite3` program of a host, which is given no bound values.
/// Everywhere else values are bound.
///
/// What is written is one line of plain characters whatever the value is: nothing in it can end the literal, the
/// statement or the line, and the program reads back exactly the value.
package enum SQLLiteral {
    /// One value.
    package static func render(_ value: SQLValue) -> String {
        switch value {
        case .null: "NULL"
        // The parser reads the minus apart from the digits, of which the smallest number has one too many.
        case .integer(.min): "(-9223372036854775807 - 1)"
        case .integer(let number): String(number)
        case .real(let number): render(number)
        case .text(let text): render(text)
        case .blob(let bytes): "X'\(hex(bytes))'"
        }
    }

    /// A statement with a literal in the place of each `?` outside of quotes.
    ///
    /// Statements are this library's own; what people write comes in through values alone.
    package static func render(_ query: SQLQuery) -> String {
        var text = ""
        var values = query.values.makeIterator()
        var isQuoted = false
        for scalar in query.sql.unicodeScalars {
            if scalar == "'" { isQuoted.toggle() }
            if scalar == "?", !isQuoted, let value = values.next() {
                text += render(value)
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
        return text
    }

    /// Older versions of SQLite round decimals a little wrong. A number that has 22 binary digits behind the point at
    /// most, as times of this century have, is written as a division that is exact everywhere.
    private static func render(_ number: Double) -> String {
        guard number.isFinite else { return number.isNaN ? "NULL" : number < 0 ? "-9e999" : "9e999" }
        if let scaled = Int64(exactly: number * scale), abs(number * scale) < 9e15 { return "(\(scaled) / 4194304.0)" }
        let text = "\(number)"
        return text.contains { ".e".contains($0) } ? text : text + ".0"
    }

    /// 2 to the power of 22: doubles of 31 bits before the point have so many behind it.
    static let scale = 4_194_304.0

    private static func render(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
            return "'\(doubling("'", in: text))'"
        }
        // The program ends a line at a line's end and a text at a NUL.
        return "CAST(X'\(hex(Array(text.utf8)))' AS TEXT)"
    }

    /// Returns a text with a mark written twice wherever it occurs, as SQL and FTS5 have it between two of them. By
    /// scalars: with an accent behind it the mark is another character, and the same to SQLite.
    static func doubling(_ mark: Unicode.Scalar, in text: String) -> String {
        var doubled = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if scalar == mark { doubled.append(scalar) }
            doubled.append(scalar)
        }
        return String(doubled)
    }

    private static func hex(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}
