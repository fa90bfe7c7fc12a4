// Riff
// SPDX-License-Identifier: Apache-2.0

/// The text that one item of a conversation gained since its reader looked last.
///
/// A reader that appends each growth to its item, and starts the item over where it says so, has each piece exactly
/// once and in order, however slowly it reads.
public struct TextGrowth: Sendable, Hashable, Identifiable {
    /// The item's id.
    public let id: Int
    /// The text to append; empty for an item that has just begun.
    public let text: String
    /// Whether the text is all of the item: the reader has not had the item yet, or its text was replaced.
    public let startsOver: Bool

    /// Creates a growth from its parts, for previews and tests.
    public init(id: Int, text: String, startsOver: Bool = false) {
        self.id = id
        self.text = text
        self.startsOver = startsOver
    }
}

/// The marks of how far a reader has read items that grow: text merged for a slow reader is not kept, but read from the
/// items.
package struct TextGrowthMarks: Sendable {
    private struct Mark: Sendable {
        var edition: UInt64
        var bytes: Int
    }

    private var marks: [Int: Mark] = [:]

    /// Creates the marks of a reader that has read nothing.
    package init() {}

    /// Returns what an item gained since this was asked last, and notes that it was read; `nil` if it gained nothing.
    ///
    /// - Parameters:
    ///   - id: The item's id.
    ///   - edition: How often its text was replaced; between that it only grows.
    ///   - bytes: How many bytes of UTF-8 its text has.
    ///   - text: Returns its text from a byte on.
    /// - Returns: The growth.
    package mutating func growth(of id: Int, edition: UInt64 = 0, bytes: Int, from text: (Int) -> String) -> TextGrowth?
    {
        guard let mark = marks[id], mark.edition == edition, mark.bytes <= bytes else {
            marks[id] = Mark(edition: edition, bytes: bytes)
            return TextGrowth(id: id, text: text(0), startsOver: true)
        }
        guard bytes > mark.bytes else { return nil }
        marks[id]?.bytes = bytes
        return TextGrowth(id: id, text: text(mark.bytes), startsOver: false)
    }
}
