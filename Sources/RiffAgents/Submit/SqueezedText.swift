// Riff
// SPDX-License-Identifier: Apache-2.0

/// A text without its white space: what is the same of a prompt in a composer that wraps it, in an agent's record, and
/// in the text that was typed. Agents turn tabs into spaces, and screens lose the space at a row's end.
package struct SqueezedText: Sendable, Hashable {
    /// The most bytes that are kept; of a longer text the beginning is, and the number of all.
    static let limitBytes = 1 << 18

    /// The bytes that are no white space, in order.
    package private(set) var bytes: [UInt8] = []
    /// How many there are of them, also of those that are not kept.
    package private(set) var count = 0
    /// Whether a byte is beyond ASCII.
    private(set) var hasMore = false

    /// Creates an empty text.
    package init() {}

    /// Creates a text from one as it was typed or shown.
    package init(_ text: some StringProtocol) { append(text) }

    /// Appends a text, such as a composer's next row.
    package mutating func append(_ text: some StringProtocol) {
        for scalar in text.unicodeScalars where !scalar.properties.isWhitespace {
            if !scalar.isASCII { hasMore = true }
            for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter {
                count += 1
                if bytes.count < Self.limitBytes { bytes.append(byte) }
            }
        }
    }

    /// Whether nothing is in it.
    package var isEmpty: Bool { count == 0 }

    /// Whether it is what a composer or a record shows of another text. Screens and agents write letters beyond ASCII
    /// in their own way, so the letters in ASCII decide if there are any.
    package func isShown(of text: SqueezedText) -> Bool {
        if self == text { return true }
        guard hasMore || text.hasMore else { return false }
        let letters = bytes.filter { $0 < 0x80 }
        return !letters.isEmpty && letters.elementsEqual(text.bytes.lazy.filter { $0 < 0x80 })
    }

    /// Whether it is the end of a long text, of which a composer shows no more.
    package func isEnd(of text: SqueezedText) -> Bool {
        bytes.count >= Self.leastOfEnd && bytes.count < text.bytes.count && text.bytes.count == text.count
            && text.bytes.suffix(bytes.count).elementsEqual(bytes)
    }

    /// The fewest bytes of a text's end that prove that it is this text.
    private static let leastOfEnd = 64
}
