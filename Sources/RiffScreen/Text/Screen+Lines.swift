// Riff
// SPDX-License-Identifier: Apache-2.0

/// A place in everything that a screen keeps.
///
/// Lines are counted from the first that ever was, so that a place stays the same while output scrolls by. A resize
/// that wraps the text anew, and a switch to the alternate screen and back, make places mean something else.
public struct ScreenPosition: Sendable, Hashable, Comparable {
    /// The line; see ``Screen/lines``.
    public var line: Int
    /// The column, from 0.
    public var column: Int

    /// Creates a position.
    public init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }

    /// Whether one place is before another.
    public static func < (left: ScreenPosition, right: ScreenPosition) -> Bool {
        (left.line, left.column) < (right.line, right.column)
    }
}

extension Screen {
    /// The lines that are kept: the scrollback, and after it the rows of the screen.
    public var lines: Range<Int> { grid.droppedCount..<grid.droppedCount + grid.history.count + rowCount }

    /// The lines on the screen; the first is its top row.
    public var visibleLines: Range<Int> { lines.upperBound - rowCount..<lines.upperBound }

    /// The cells of a line, as many as the screen has columns; none for a line that is not kept.
    ///
    /// Every wide cell has its right half: where a program cut a character in two, both places are blank.
    public func cells(ofLine line: Int) -> [ScreenCell] {
        var cells = rawCells(ofLine: line)
        for column in cells.indices {
            let hasHalf = column + 1 < cells.count && cells[column + 1].width == 0
            if cells[column].width == 2, !hasHalf { cells[column] = ScreenCell(text: "", style: cells[column].style) }
            guard cells[column].width == 0, column == 0 || cells[column - 1].width != 2 else { continue }
            cells[column] = ScreenCell(text: "", style: cells[column].style)
        }
        return cells
    }

    /// The cells as they are kept, halves of wide characters included.
    package func rawCells(ofLine line: Int) -> [ScreenCell] {
        guard let row = row(ofLine: line) else { return [] }
        var cells = row.cells.prefix(columns).map(cell)
        if cells.count < columns { cells += Array(repeating: ScreenCell(text: ""), count: columns - cells.count) }
        return cells
    }

    /// Returns whether a line's text continues in the next line because the screen was too narrow for it.
    public func isWrapped(line: Int) -> Bool {
        guard lines.contains(line) else { return false }
        let index = line - grid.droppedCount
        let kept = grid.history.count
        return index < kept ? grid.history.isWrapped(index) : grid.rows[index - kept].isWrapped
    }

    /// Returns the number of cells of a line that were written since it was last blank, for comparison with a terminal
    /// that shows no others.
    package func writtenCount(ofLine line: Int) -> Int { min(row(ofLine: line)?.usedCount ?? 0, columns) }

    func row(ofLine line: Int) -> Row? {
        guard lines.contains(line) else { return nil }
        let index = line - grid.droppedCount
        return index < grid.history.count ? grid.history[index] : grid.rows[index - grid.history.count]
    }

    func cell(_ cell: Cell) -> ScreenCell {
        let extra = extras[cell.extra]
        return ScreenCell(
            text: text(of: cell),
            width: cell.isWide ? 2 : cell.isSpacer ? 0 : 1,
            style: CellStyle(
                foreground: cell.foreground,
                background: cell.background,
                underlineColor: extra.underlineColor,
                attributes: cell.attributes
            ),
            link: extra.link
        )
    }
}
