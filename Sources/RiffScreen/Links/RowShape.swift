// Riff
// SPDX-License-Identifier: Apache-2.0

/// The shape of a row: the places where its text begins and ends, within its indentation and the sides of a box around
/// it.
struct RowShape {
    /// One scalar for each cell: a space where there is nothing; of a cluster, and of the right half of a wide
    /// character, a letter.
    let scalars: [UInt32]
    /// The text's cells.
    private(set) var text: Range<Int>
    /// The end of the room for text: at the right side of a box, or at the row's end.
    private(set) var edge: Int
    /// The column of a box's left side, and whether it has a right one.
    private(set) var side: Int?
    private(set) var isClosed = false

    static let letter: UInt32 = 0xE000
    private static let web: [UInt32] = [0x77, 0x77, 0x77, 0x2E]
    private static let slashes: [UInt32] = [0x3A, 0x2F, 0x2F]

    init(_ scalars: [UInt32], columns: Int) {
        self.scalars = scalars
        var end = scalars.count
        while end > 0, scalars[end - 1] == 0x20 { end -= 1 }
        var start = 0
        while start < end, scalars[start] == 0x20 { start += 1 }
        text = start..<end
        edge = columns
        while start < end, Self.isSide(scalars[start]) || isQuote(start) {
            side = start
            start += 1
            while start < end, scalars[start] == 0x20 { start += 1 }
        }
        if start < end, side != nil, Self.isSide(scalars[end - 1]) {
            end -= 1
            (edge, isClosed) = (end, true)
            while end > start, scalars[end - 1] == 0x20 { end -= 1 }
        }
        text = start..<end
    }

    /// The sides of boxes, and the bars before quotes.
    static func isSide(_ scalar: UInt32) -> Bool {
        switch scalar {
        // | │ ┃ ┆ to ┋ ║ ▌ to ▏ ▐ ▕
        case 0x7C, 0x2502, 0x2503, 0x2506...0x250B, 0x2551, 0x258C...0x2590, 0x2595: true
        default: false
        }
    }

    /// A quote's mark, with a space behind it.
    private func isQuote(_ column: Int) -> Bool {
        scalars[column] == 0x3E && column + 1 < scalars.count && scalars[column + 1] == 0x20
    }

    /// The number of free cells after the text.
    var gap: Int { edge - text.upperBound }

    /// Whether a character may be in an address.
    static func isPart(_ scalar: UInt32) -> Bool { !LinkCharacters.endsAddress(scalar) }

    /// The cells of what the text begins with that may be part of an address.
    var head: Range<Int> {
        var end = text.lowerBound
        while end < text.upperBound, Self.isPart(scalars[end]) { end += 1 }
        return text.lowerBound..<end
    }

    /// The cells of what the text ends with that may be part of an address.
    var tail: Range<Int> {
        var start = text.upperBound
        while start > text.lowerBound, Self.isPart(scalars[start - 1]) { start -= 1 }
        return start..<text.upperBound
    }

    /// The cell where an address begins in some cells that may be parts of one; `nil` without.
    func address(in cells: Range<Int>) -> Int? {
        // The last one counts, as it goes on to the end.
        var index = cells.upperBound - 1
        while index >= cells.lowerBound {
            if scalars[index] == 0x3A, let start = scheme(before: index, in: cells) { return start }
            if isMark(index, Self.web, in: cells),
                index == cells.lowerBound || !LinkCharacters.isAlphanumeric(scalars[index - 1])
            {
                return index
            }
            index -= 1
        }
        return nil
    }

    /// Returns the index at which the scheme begins that a colon ends; a colon, or it and one slash, at the very end is
    /// enough for the web's.
    private func scheme(before colon: Int, in cells: Range<Int>) -> Int? {
        var start = colon
        while start > cells.lowerBound, colon - start < 16, LinkCharacters.isAlphanumeric(scalars[start - 1]) {
            start -= 1
        }
        if isMark(colon, Self.slashes, in: cells) { return colon - start > 1 ? start : nil }
        let isCut = colon + 1 == cells.upperBound || colon + 2 == cells.upperBound && scalars[colon + 1] == 0x2F
        let name = scalars[start..<colon].map { $0 | 0x20 }
        return isCut && (name == [0x68, 0x74, 0x74, 0x70] || name == [0x68, 0x74, 0x74, 0x70, 0x73]) ? start : nil
    }

    private func isMark(_ index: Int, _ mark: [UInt32], in cells: Range<Int>) -> Bool {
        scalars[index] == mark[0] && index + mark.count <= cells.upperBound
            && scalars[index..<index + mark.count].elementsEqual(mark)
    }
}
