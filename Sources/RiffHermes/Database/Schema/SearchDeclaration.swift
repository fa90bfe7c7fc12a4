// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffSQLite

/// The definition of a table of full-text search, as far as it is understood without doubt.
///
/// Only the plain forms are: column names, and options by their full names with one word or one quoted text
/// (https://www.sqlite.org/fts5.html#fts5_table_creation_and_initialization). SQLite also takes abbreviated options and
/// comments; a definition with such is not understood, and its table is not used.
struct SearchDeclaration: Hashable {
    /// The columns, as SQLite compares their names.
    private(set) var columns: Set<String> = []
    /// The options, as SQLite compares their names.
    private(set) var options: [String: String] = [:]

    init?(_ sql: String) {
        var text = Scanner(sql)
        for word in ["create", "virtual", "table"] {
            guard text.word() == word else { return nil }
        }
        guard text.name() != nil, text.word() == "using", text.word() == "fts5", text.takes("(") else { return nil }
        repeat {
            guard let name = text.name() else { return nil }
            if text.takes("=") {
                guard let value = text.name(), options.updateValue(value, forKey: name) == nil else { return nil }
            } else {
                if !text.isAtMark { guard text.word() == "unindexed" else { return nil } }
                columns.insert(name)
            }
        } while text.takes(",")
        guard text.takes(")"), text.isAtEnd else { return nil }
        guard Set(options.keys).isSubset(of: Self.known) else { return nil }
    }

    private static let known: Set<String> = [
        "content", "content_rowid", "tokenize", "prefix", "columnsize", "detail",
    ]

    /// Reads words, quoted texts and marks.
    private struct Scanner {
        private let bytes: [UInt8]
        private var place = 0

        init(_ text: String) { bytes = Array(text.utf8) }

        private mutating func skipSpace() {
            while place < bytes.count, [0x20, 0x09, 0x0A, 0x0C, 0x0D].contains(bytes[place]) { place += 1 }
        }

        var isAtEnd: Bool {
            mutating get {
                skipSpace()
                return place == bytes.count
            }
        }

        var isAtMark: Bool {
            mutating get {
                skipSpace()
                return place < bytes.count && Array("=,()".utf8).contains(bytes[place])
            }
        }

        mutating func takes(_ mark: Unicode.Scalar) -> Bool {
            skipSpace()
            guard place < bytes.count, bytes[place] == UInt8(ascii: mark) else { return false }
            place += 1
            return true
        }

        /// Letters, digits and underscores of ASCII.
        mutating func word() -> String? {
            skipSpace()
            let start = place
            while place < bytes.count, Self.isWord(bytes[place]) { place += 1 }
            return start == place ? nil : SQLiteNames.folded(String(decoding: bytes[start..<place], as: UTF8.self))
        }

        /// A word, or a text between quotes.
        mutating func name() -> String? {
            skipSpace()
            guard place < bytes.count, [0x22, 0x27].contains(bytes[place]) else { return word() }
            let mark = bytes[place]
            var text: [UInt8] = []
            place += 1
            while place < bytes.count {
                let byte = bytes[place]
                place += 1
                if byte == mark {
                    guard place < bytes.count, bytes[place] == mark else {
                        return SQLiteNames.folded(String(decoding: text, as: UTF8.self))
                    }
                    place += 1
                }
                text.append(byte)
            }
            return nil
        }

        private static func isWord(_ byte: UInt8) -> Bool {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x5F, 0x61...0x7A: true
            default: false
            }
        }
    }
}
