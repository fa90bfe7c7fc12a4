// Riff
// SPDX-License-Identifier: Apache-2.0

extension Screen {
    private mutating func erase(_ row: Int, _ range: Range<Int>) {
        let range = range.clamped(to: 0..<columns)
        guard !range.isEmpty else { return }
        let background = pen.background
        grid.rows[row].cells.withUnsafeMutableBufferPointer { cells in
            // Half a wide character is none.
            if range.lowerBound > 0, cells[range.lowerBound].isSpacer { cells[range.lowerBound - 1] = .blank }
            if range.upperBound < cells.count, cells[range.upperBound].isSpacer { cells[range.upperBound] = .blank }
        }
        grid.rows[row].erase(range, background: background)
        changes.touch(row)
    }

    /// ED.
    mutating func eraseDisplay(_ part: Int) {
        switch part {
        case 0:
            eraseLine(0)
            eraseRows(cursor.row + 1..<rowCount)
        case 1:
            eraseRows(0..<cursor.row)
            eraseLine(1)
        case 2:
            if grid.keepsHistory {
                grid.clearIntoHistory(background: pen.background)
            } else {
                grid.clear(background: pen.background)
            }
            changes.touchAll(rows: rowCount)
        case 3: grid.removeHistory()
        default: break
        }
    }

    private mutating func eraseRows(_ rows: Range<Int>) {
        for row in rows {
            grid.rows[row].clear(columns: columns, background: pen.background)
            changes.touch(row)
        }
    }

    /// EL.
    mutating func eraseLine(_ part: Int) {
        switch part {
        case 0: erase(cursor.row, cursor.column..<max(columns, cursor.column))
        case 1: erase(cursor.row, 0..<min(cursor.column + 1, columns))
        case 2: erase(cursor.row, 0..<columns)
        default: break
        }
    }

    /// ECH.
    mutating func eraseCells(_ count: Int) { erase(cursor.row, cursor.column..<min(cursor.column + count, columns)) }

    /// ICH: what follows the cursor moves to the right; what leaves the row is gone.
    mutating func insertCells(_ count: Int) {
        shift(count) { cells, column, count in
            for index in (column + count..<cells.count).reversed() { cells[index] = cells[index - count] }
            return column..<column + count
        }
    }

    /// DCH: what follows the cursor moves to the left.
    mutating func deleteCells(_ count: Int) {
        shift(count) { cells, column, count in
            for index in column..<cells.count - count { cells[index] = cells[index + count] }
            return cells.count - count..<cells.count
        }
    }

    /// - Parameter move: Moves cells, and says which are to be blank then.
    private mutating func shift(
        _ count: Int,
        _ move: (UnsafeMutableBufferPointer<Cell>, _ column: Int, _ count: Int) -> Range<Int>
    ) {
        let column = cursor.column
        guard column < columns else { return }
        let count = min(count, columns - column)
        let blank = Cell.erased(pen.background)
        grid.rows[cursor.row].cells.withUnsafeMutableBufferPointer { cells in
            if cells[column].isSpacer, column > 0 {
                cells[column - 1] = .blank
                cells[column] = .blank
            }
            for index in move(cells, column, count) { cells[index] = blank }
            Self.repairHalves(cells)
        }
        changes.touch(cursor.row)
    }

    /// Blanks halves of wide cells that lost the other half.
    private static func repairHalves(_ cells: UnsafeMutableBufferPointer<Cell>) {
        for index in cells.indices {
            let next = index + 1 < cells.count && cells[index + 1].isSpacer
            if cells[index].isWide != next, cells[index].isWide { cells[index] = .blank }
            if cells[index].isSpacer, index == 0 || !cells[index - 1].isWide { cells[index] = .blank }
        }
    }

    /// IL: rows from the cursor's on move down.
    mutating func insertLines(_ count: Int) { shiftLines(count) { $0.scrollDown($1, background: $2) } }

    /// DL: rows after the cursor's move up. None of them goes to the scrollback.
    mutating func deleteLines(_ count: Int) {
        shiftLines(count) { grid, region, background in
            let keeps = grid.keepsHistory
            grid.keepsHistory = false
            grid.scrollUp(region, background: background)
            grid.keepsHistory = keeps
        }
    }

    private mutating func shiftLines(_ count: Int, _ move: (inout Grid, ClosedRange<Int>, ScreenColor) -> Void) {
        // Outside of the region the whole rest of the screen moves, as in tmux.
        let bottom = region.contains(cursor.row) ? region.upperBound : rowCount - 1
        let moved = cursor.row...bottom
        for _ in 0..<min(count, moved.count) { move(&grid, moved, pen.background) }
        changes.touch(moved)
    }
}
