// Riff
// SPDX-License-Identifier: Apache-2.0

/// Bytes where they stand: a leaf's content, a line, a literal. No pointer outlives the call that made it.
typealias Bytes = UnsafeBufferPointer<UInt8>

extension UInt8 {
    static let lineFeed = UInt8(ascii: "\n")
    static let carriageReturn = UInt8(ascii: "\r")
    static let tab = UInt8(ascii: "\t")
    static let space = UInt8(ascii: " ")
    static let backslash = UInt8(ascii: "\\")

    /// A space or a tab.
    @inline(__always) var isBlank: Bool { self == 0x20 || self == 0x09 }

    /// A space, a tab or a line end: what is trimmed.
    @inline(__always) var isSpace: Bool { self == 0x20 || self == 0x09 || self == 0x0A || self == 0x0D }

    /// Whether the byte may be between the parts of a tag: ``isSpace``, vertical tab and form feed.
    @inline(__always) var isTagSpace: Bool { self == 0x20 || (0x09...0x0D).contains(self) }

    @inline(__always) var isDigit: Bool { (0x30...0x39).contains(self) }

    @inline(__always) var isLetter: Bool { (0x61...0x7A).contains(self | 0x20) }

    @inline(__always) var isAlphanumeric: Bool { isDigit || isLetter }

    @inline(__always) var isHexDigit: Bool { isDigit || (0x61...0x66).contains(self | 0x20) }

    /// ASCII punctuation: what a backslash may stand before.
    @inline(__always) var isPunctuation: Bool {
        (0x21...0x2F).contains(self) || (0x3A...0x40).contains(self) || (0x5B...0x60).contains(self)
            || (0x7B...0x7E).contains(self)
    }

    /// Not the first byte of a character in UTF-8.
    @inline(__always) var isContinuation: Bool { self & 0xC0 == 0x80 }

    /// A capital ASCII letter made small.
    @inline(__always) var lowercased: UInt8 { (0x41...0x5A).contains(self) ? self | 0x20 : self }
}

extension Bytes {
    /// The range without white space at its ends.
    func trimmed(_ range: Range<Int>) -> Range<Int> {
        var (low, high) = (range.lowerBound, range.upperBound)
        while low < high, self[low].isSpace { low += 1 }
        while high > low, self[high - 1].isSpace { high -= 1 }
        return low..<high
    }

    /// The range without white space at its end.
    func trimmedEnd(_ range: Range<Int>) -> Range<Int> {
        var end = range.upperBound
        while end > range.lowerBound, self[end - 1].isSpace { end -= 1 }
        return range.lowerBound..<end
    }

    /// Returns whether a word is at a place, in small letters here and in any there.
    func hasWord(_ word: StaticString, at place: Int, before end: Int) -> Bool {
        let count = word.utf8CodeUnitCount
        guard place >= 0, end - place >= count else { return false }
        for offset in 0..<count where self[place + offset].lowercased != word.utf8Start[offset] { return false }
        return true
    }

    /// The first place of a byte, if it occurs.
    func firstPlace(of byte: UInt8, in range: Range<Int>) -> Int? {
        var place = range.lowerBound
        while place < range.upperBound {
            if self[place] == byte { return place }
            place += 1
        }
        return nil
    }
}
