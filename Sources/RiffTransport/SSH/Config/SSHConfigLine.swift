// Riff
// SPDX-License-Identifier: Apache-2.0

/// One line of an ssh_config file that says something: a keyword and its arguments.
struct SSHConfigLine: Sendable, Hashable {
    /// In lower case; keywords are not told apart by case.
    let keyword: String
    /// The keyword as the file spells it, for messages.
    let spelling: String
    /// The arguments, without their quotes.
    let arguments: [String]
    /// The rest of the line after the keyword, as it is in the file: a command is not split.
    let rest: String

    /// Reads a line; `nil` for an empty one and a comment.
    ///
    /// - Throws: ``SSHConfigMistake`` for a quote without an end.
    init?(_ line: ArraySlice<UInt8>) throws(SSHConfigMistake) {
        var bytes = line
        while let last = bytes.last, Self.isSpace(last) { bytes.removeLast() }
        bytes = bytes.drop(while: Self.isSpace)
        guard let first = bytes.first, first != UInt8(ascii: "#") else { return nil }
        let word = bytes.prefix { !Self.isSpace($0) && $0 != UInt8(ascii: "=") && $0 != UInt8(ascii: "\"") }
        spelling = String(decoding: word, as: UTF8.self)
        keyword = spelling.lowercased()
        bytes = bytes.dropFirst(word.count).drop(while: Self.isSpace)
        // One equals sign may stand between them.
        let tail = bytes.first == UInt8(ascii: "=") ? bytes.dropFirst().drop(while: Self.isSpace) : bytes
        arguments = try Self.words(of: tail)
        let command = bytes.drop { Self.isSpace($0) || $0 == UInt8(ascii: "=") }
        rest = String(decoding: command, as: UTF8.self)
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\r") || byte == 0x0C
    }

    /// Splits at spaces outside of quotes; a `#` in front of a word begins a comment.
    private static func words(of bytes: ArraySlice<UInt8>) throws(SSHConfigMistake) -> [String] {
        var words: [String] = []
        var at = bytes.startIndex
        while true {
            while at < bytes.endIndex, bytes[at] == UInt8(ascii: " ") || bytes[at] == UInt8(ascii: "\t") { at += 1 }
            guard at < bytes.endIndex, bytes[at] != UInt8(ascii: "#") else { return words }
            words.append(try word(in: bytes, at: &at))
        }
    }

    private static func word(in bytes: ArraySlice<UInt8>, at: inout Int) throws(SSHConfigMistake) -> String {
        var word: [UInt8] = []
        var quote: UInt8?
        while at < bytes.endIndex {
            let byte = bytes[at]
            let next = at + 1 < bytes.endIndex ? bytes[at + 1] : nil
            if byte == UInt8(ascii: "\\"), let next, isEscaped(next, isQuoted: quote != nil) {
                word.append(next)
                at += 1
            } else if let open = quote {
                if byte == open { quote = nil } else { word.append(byte) }
            } else if byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") {
                break
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            } else {
                word.append(byte)
            }
            at += 1
        }
        guard quote == nil else { throw SSHConfigMistake("has a quote without an end") }
        return String(decoding: word, as: UTF8.self)
    }

    /// Returns whether a backslash makes a byte lose its meaning; any other backslash is an ordinary character.
    private static func isEscaped(_ byte: UInt8, isQuoted: Bool) -> Bool {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "\\"): true
        case UInt8(ascii: " "): !isQuoted
        default: false
        }
    }
}

/// What is wrong with a line; who knows file and line makes an error of it.
struct SSHConfigMistake: Error {
    let words: String

    init(_ words: String) { self.words = words }
}
