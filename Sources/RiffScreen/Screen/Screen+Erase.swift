// Riff
// SPDX-License-Identifier: Apache-2.0

extension Screen {
    private mutating func erase(_ columns: Range<Int>) {
        let range = columns.clamped(to: 0..<self.columns)
        guard !range.isEmpty else { return }
        grid.clear(row: cursor.row, columns: range, background: pen.background)
        changes.touch(cursor.row)
    }

    private mutating func eraseRows(_ range: Range<Int>) {
        guard !range.isEmpty else { return }
        grid.clearRows(range.lowerBound...range.upperBound - 1, background: pen.background)
        changes.touch(range.lowerBound...range.upperBound - 1)
    }

    /// Erases in the display (ED). A screen that is cleared as a whole goes to the scrollback.
    mutating func eraseDisplay(_ part: Int) {
        switch part {
        case 0 where cursor.row == 0 && cursor.column == 0: clearScreen(background: pen.background)
        case 0:
            erase(min(cursor.column, columns)..<columns)
            eraseRows(cursor.row + 1..<rowCount)
        case 1:
            eraseRows(0..<cursor.row)
            erase(0..<cursor.column + 1)
        case 2: clearScreen(background: pen.background)
        case 3:
            grid.removeHistory()
            beneath?.removeHistory()
        default: break
        }
    }

    mutating func clearScreen(background: ScreenColor) {
        grid.clearIntoHistory(background: background)
        changes.touchAll(rows: rowCount)
    }

    /// Erases in the line (EL).
    mutating func eraseLine(_ part: Int) {
        switch part {
        case 0: erase(min(cursor.column, columns)..<columns)
        case 1: erase(0..<cursor.column + 1)
        case 2: erase(0..<columns)
        default: break
        }
    }

    /// Erases characters (ECH).
    mutating func eraseCells(_ count: Int) { erase(min(cursor.column, columns)..<min(cursor.column + count, columns)) }

    /// ICH: what follows the cursor moves to the right; what leaves the row is gone. Where all would leave it, tmux
    /// lets it stay.
    mutating func insertCells(_ count: Int, background: ScreenColor) {
        let column = cursor.column
        guard column < columns else { return }
        let count = min(count, columns - column)
        if column >= columns - 1 {
            grid.clear(row: cursor.row, columns: column..<columns, background: background)
        } else {
            grid.rows[cursor.row].move(column..<columns - count, to: column + count, background: background)
        }
        changes.touch(cursor.row)
    }

    /// DCH: what follows the cursor moves to the left.
    mutating func deleteCells(_ count: Int) {
        let column = cursor.column
        guard column < columns else { return }
        let count = min(count, columns - column)
        grid.rows[cursor.row].move(column + count..<columns, to: column, background: pen.background)
        grid.clear(row: cursor.row, columns: columns - count..<columns, background: pen.background)
        changes.touch(cursor.row)
    }

    /// IL: rows from the cursor's on move down.
    mutating func insertLines(_ count: Int) {
        let moved = movedLines
        let count = min(count, moved.count)
        let isInRegion = region.contains(cursor.row)
        grid.insertRows(moved, count: count, background: pen.background, isPartial: !isInRegion)
        // Where tmux takes the last row that moved for the beginning of a text.
        if isInRegion, moved.count != 2 * count { grid.unwrap(before: moved.upperBound + 1 - count) }
        changes.touch(moved)
    }

    /// DL: rows after the cursor's move up. None of them goes to the scrollback.
    mutating func deleteLines(_ count: Int) {
        let moved = movedLines
        grid.deleteRows(moved, count: min(count, moved.count), background: pen.background)
        changes.touch(moved)
    }

    /// Outside of the region the whole rest of the screen moves, as in tmux.
    private var movedLines: ClosedRange<Int> {
        cursor.row...(region.contains(cursor.row) ? region.upperBound : rowCount - 1)
    }
}
