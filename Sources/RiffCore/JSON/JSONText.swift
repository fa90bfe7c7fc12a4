// Riff
// SPDX-License-Identifier: Apache-2.0

/// A text of JSON that may be a part of a longer one, cut where a character is two halves (RFC 8259, section 8.2).
///
/// Who cuts a text after so many UTF-16 units, as servers in JavaScript and Java do, writes half of a character at the
/// end of one part, as an escape, and the other half at the beginning of the next. A `String` holds neither.
package struct JSONText: Sendable, Hashable {
    /// The second half of a character, in front of ``text``.
    package private(set) var low: UInt16?
    /// The text between the halves of surrogate pairs; a half that is out of place is U+FFFD.
    package private(set) var text: String
    /// The first half of a character, behind ``text``.
    package private(set) var high: UInt16?

    /// A text without halves.
    package init(_ text: String) { self.text = text }

    /// A text as it was read, and as it was written between its quotes.
    init(_ text: String, source: UnsafeBufferPointer<UInt8>) {
        self.text = text
        low = Self.half(source, at: 0, of: 0xDC00)
        high = Self.half(source, at: source.count - 6, of: 0xD800)
        guard low != nil || high != nil else { return }
        // The scanner has put U+FFFD where they were.
        var scalars = self.text.unicodeScalars[...]
        if low != nil { scalars.removeFirst() }
        if high != nil { scalars.removeLast() }
        self.text = String(scalars)
    }

    /// Whether nothing is in it, not even a half.
    package var isEmpty: Bool { text.isEmpty && low == nil && high == nil }

    /// The text, with U+FFFD for each half.
    package var repaired: String { (low == nil ? "" : "\u{FFFD}") + text + (high == nil ? "" : "\u{FFFD}") }

    /// The escape of half a character at a place, where there is one.
    private static func half(_ source: UnsafeBufferPointer<UInt8>, at place: Int, of kind: UInt16) -> UInt16? {
        guard place >= 0, source.count - place >= 6, source[place] == UInt8(ascii: "\\"),
            source[place + 1] == UInt8(ascii: "u")
        else { return nil }
        // A backslash that is itself escaped begins nothing.
        let slashes = source[..<place].reversed().prefix { $0 == UInt8(ascii: "\\") }.count
        let digits = String(decoding: source[(place + 2)..<(place + 6)], as: UTF8.self)
        guard slashes.isMultiple(of: 2), let unit = UInt16(digits, radix: 16), unit & 0xFC00 == kind else { return nil }
        return unit
    }
}
