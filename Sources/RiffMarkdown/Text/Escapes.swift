// Riff
// SPDX-License-Identifier: Apache-2.0

/// Undoes the two ways of writing a character in another way: `&amp;` and `\*`.
enum Escapes {
    /// Reads a character reference that starts behind its `&`.
    ///
    /// - Returns: How many bytes it takes with its semicolon, or 0 if it is none. The character is appended.
    static func reference(in bytes: Bytes, at place: Int, before end: Int, into text: inout [UInt8]) -> Int {
        if end - place >= 3, bytes[place] == UInt8(ascii: "#") {
            return numeric(in: bytes, at: place, before: end, into: &text)
        }
        let limit = min(end, place + NamedCharacters.longestName + 1)
        var at = place
        while at < limit, bytes[at].isAlphanumeric { at += 1 }
        guard at < limit, at - place >= 2, bytes[at] == UInt8(ascii: ";") else { return 0 }
        guard let character = NamedCharacters.character(named: bytes[place..<at]) else { return 0 }
        text.append(contentsOf: character)
        return at + 1 - place
    }

    private static func numeric(in bytes: Bytes, at place: Int, before end: Int, into text: inout [UInt8]) -> Int {
        var at = place + 1
        let isHex = bytes[at] | 0x20 == UInt8(ascii: "x")
        if isHex { at += 1 }
        let first = at
        var code: UInt32 = 0
        // Nine digits are one too many: no need to read on.
        while at < end, at - first < 9, isHex ? bytes[at].isHexDigit : bytes[at].isDigit {
            let digit = bytes[at].isDigit ? bytes[at] & 0xF : (bytes[at] & 0xF) + 9
            code = min(code * (isHex ? 16 : 10) + UInt32(digit), 0x11_0000)
            at += 1
        }
        guard (1...8).contains(at - first), at < end, bytes[at] == UInt8(ascii: ";") else { return 0 }
        let scalar = code == 0 ? nil : Unicode.Scalar(code)
        text.append(contentsOf: UTF8.encode(scalar ?? "\u{FFFD}") ?? UTF8.encodedReplacementCharacter)
        return at + 1 - place
    }

    /// A range's text with its references replaced.
    static func referencesUndone(_ bytes: Bytes, _ range: Range<Int>) -> [UInt8] {
        guard bytes.firstPlace(of: UInt8(ascii: "&"), in: range) != nil else { return Array(bytes[range]) }
        var text: [UInt8] = []
        text.reserveCapacity(range.count)
        var at = range.lowerBound
        while at < range.upperBound {
            let byte = bytes[at]
            at += 1
            if byte == UInt8(ascii: "&") {
                let length = reference(in: bytes, at: at, before: range.upperBound, into: &text)
                at += length
                if length > 0 { continue }
            }
            text.append(byte)
        }
        return text
    }

    /// A range's text with its references replaced, and then the backslashes before punctuation left out: in this order
    /// for destinations, titles and info strings.
    static func undone(_ bytes: Bytes, _ range: Range<Int>) -> [UInt8] {
        let text = referencesUndone(bytes, range)
        guard text.contains(.backslash) else { return text }
        var plain: [UInt8] = []
        plain.reserveCapacity(text.count)
        var at = 0
        while at < text.count {
            if text[at] == .backslash, at + 1 < text.count, text[at + 1].isPunctuation { at += 1 }
            plain.append(text[at])
            at += 1
        }
        return plain
    }
}
