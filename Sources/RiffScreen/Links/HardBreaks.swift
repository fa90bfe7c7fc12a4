// Riff
// SPDX-License-Identifier: Apache-2.0

/// Addresses that a program broke over rows itself: at the full width, indented, or within a box.
///
/// A terminal does not know that such rows belong together. Where it is certain that an address goes on, the rows are
/// one text; where it may, the address opens nothing: half an address leads somewhere else.
struct HardBreaks {
    /// What is between two rows.
    struct Join: Equatable {
        /// The cell behind the last one of the upper row.
        var end: Int
        /// The first cell of the lower row.
        var start: Int
        /// Whether the address may just as well end with the upper row.
        var isDoubtful: Bool
    }

    /// The mark in the text between two rows that may or may not be one: no address holds it.
    static let doubt: UInt32 = 0xFDD0

    /// The number of rows, each way, that count as the same paragraph, and show how wide the program writes.
    private static let paragraph = 3
    /// The number of cells that a program may leave free at the right.
    private static let margin = 4

    private let lines: Range<Int>
    private var shapes: [RowShape] = []
    private(set) var joins: [Int: Join] = [:]

    /// - Parameters:
    ///   - lines: Which rows are looked at.
    ///   - columns: How wide they are.
    ///   - scalars: A row's cells, see ``RowShape/scalars``.
    ///   - isWrapped: Whether a row goes on in the next for the terminal.
    init(_ lines: Range<Int>, columns: (Int) -> Int, scalars: (Int) -> [UInt32], isWrapped: (Int) -> Bool) {
        self.lines = lines
        guard lines.count > 1 else { return }
        shapes = lines.map { RowShape(scalars($0), columns: columns($0)) }
        // Where the address begins that goes on to the end of the row before: a cell of that row, or its first.
        var open: Int?
        for line in lines.dropLast() {
            let shape = shapes[line - lines.lowerBound]
            let tail = shape.tail
            let began = open
            let new = shape.address(in: tail)
            open = new ?? (began != nil && tail == shape.text ? shape.text.lowerBound : nil)
            guard let start = open, !tail.isEmpty else {
                open = nil
                continue
            }
            if isWrapped(line) { continue }
            guard let join = join(line, from: start, isFurther: new == nil) else {
                open = nil
                continue
            }
            joins[line] = join
            // What is in doubt ends there.
            if join.isDoubtful { open = nil }
        }
    }

    /// Returns whether a row continues in the next one by a break of the program's.
    func joins(_ line: Int) -> Bool { joins[line] != nil }

    /// The cells of a row that are its text: without what is between it and the rows that it is joined to.
    ///
    /// - Parameters:
    ///   - line: The row.
    ///   - part: The rows that are one text.
    /// - Returns: The cells.
    func text(of line: Int, within part: Range<Int>) -> Range<Int> {
        let start = line > part.lowerBound ? joins[line - 1]?.start ?? 0 : 0
        let end = line + 1 < part.upperBound ? joins[line]?.end ?? .max : .max
        return start..<max(end, start)
    }

    /// Whether a row may as well end its text.
    func isDoubtful(_ line: Int, within part: Range<Int>) -> Bool {
        line + 1 < part.upperBound && joins[line]?.isDoubtful == true
    }

    private func join(_ line: Int, from start: Int, isFurther: Bool) -> Join? {
        let (upper, lower) = (shapes[line - lines.lowerBound], shapes[line + 1 - lines.lowerBound])
        let head = lower.head
        guard !head.isEmpty, upper.side == lower.side, upper.isClosed == lower.isClosed,
            !upper.isClosed || upper.edge == lower.edge, begins(upper, lower, from: start, isFurther: isFurther),
            !isItem(lower), lower.address(in: head) != head.lowerBound, !isOver(upper, head, of: lower)
        else { return nil }
        let isFull = upper.gap <= (upper.isClosed ? 2 : 0)
        let kind = kind(head, of: lower)
        var join = Join(end: upper.text.upperBound, start: head.lowerBound, isDoubtful: true)
        if isFull {
            // All of the row, to its end, or with signs that words do not have.
            let fills = isFurther && head == lower.text && lower.gap == upper.gap
            join.isDoubtful = kind != .address && !fills
            return join
        }
        // The program may write in fewer columns than there are: it does not where a row nearby is longer.
        guard !isShort(line) else { return nil }
        if upper.gap <= Self.margin { return join }
        // A box says how wide it is, and lines of other things than words end where they end.
        let isText = isFurther || upper.text.lowerBound == start || self.kind(upper.head, of: upper) == .word
        return !upper.isClosed && isText && kind != .word && hasWidth(line) ? join : nil
    }

    /// Returns whether the lower row begins where a program continues the upper one.
    private func begins(_ upper: RowShape, _ lower: RowShape, from start: Int, isFurther: Bool) -> Bool {
        let (first, next) = (upper.text.lowerBound, lower.text.lowerBound)
        if isFurther { return next == first }
        return (first...max(first, start)).contains(next) || next == 0 && upper.gap == 0
    }

    /// Whether a row begins an item of a list: a sign or a number, and a space.
    private func isItem(_ row: RowShape) -> Bool {
        let head = row.head
        guard head.count < 5, head.upperBound < row.text.upperBound, row.scalars[head.upperBound] == 0x20 else {
            return false
        }
        let scalars = row.scalars[head]
        if scalars.count == 1 { return !LinkCharacters.isAlphanumeric(scalars[head.lowerBound]) }
        return scalars.dropLast().allSatisfy { (0x30...0x39).contains($0) }
            && [0x2E, 0x29, 0x3A].contains(scalars.last)
    }

    /// Whether the upper row's end is the end of an address, as signs go.
    private func isOver(_ upper: RowShape, _ head: Range<Int>, of lower: RowShape) -> Bool {
        switch upper.scalars[upper.text.upperBound - 1] {
        // , ; ! ' " * ) ] are never what an address goes on behind.
        case 0x2C, 0x3B, 0x21, 0x27, 0x22, 0x2A, 0x29, 0x5D: true
        case 0x2E: kind(head, of: lower) == .word
        default: false
        }
    }

    private enum Kind {
        /// Letters, with the characters after a word.
        case word
        /// Something that words seldom have: digits, a sign in the middle.
        case unclear
        /// A sign that only addresses have.
        case address
    }

    private func kind(_ head: Range<Int>, of row: RowShape) -> Kind {
        var end = head.upperBound
        while end > head.lowerBound, LinkCharacters.trailing.contains(row.scalars[end - 1]) { end -= 1 }
        let word = row.scalars[head.lowerBound..<end]
        // / in the middle, ? & = % #
        if word.dropFirst().contains(0x2F) || word.contains(where: { [0x3F, 0x26, 0x3D, 0x25, 0x23].contains($0) }) {
            return word.first == 0x2F ? .unclear : .address
        }
        return word.allSatisfy { LinkCharacters.isLetter($0) || $0 >= 0x80 } ? .word : .unclear
    }

    /// Whether a row nearby is longer: then this one did not end for want of room.
    private func isShort(_ line: Int) -> Bool {
        nearby(line).contains { $0.text.upperBound > shapes[line - lines.lowerBound].text.upperBound }
    }

    /// Whether rows nearby are about as long: the program writes in so many columns.
    private func hasWidth(_ line: Int) -> Bool {
        let end = shapes[line - lines.lowerBound].text.upperBound
        return end >= 40 && nearby(line).contains { $0.text.upperBound > end - 12 }
    }

    /// The rows of the same paragraph.
    private func nearby(_ line: Int) -> [RowShape] {
        let place = line - lines.lowerBound
        var rows: [RowShape] = []
        for step in [-1, 1] {
            var next = place + step
            while shapes.indices.contains(next), abs(next - place) <= Self.paragraph, !shapes[next].text.isEmpty {
                rows.append(shapes[next])
                next += step
            }
        }
        return rows
    }
}
