// Riff
// SPDX-License-Identifier: Apache-2.0

internal import DequeModule

extension Screen {
    /// Wraps the scrollback's and the screen's text anew; the cursor stays at its character.
    mutating func reflow(to columns: Int) {
        let screenRows = rowCount
        let all = Array(grid.history) + grid.rows
        let target = LogicalPosition(row: grid.history.count + cursor.row, column: cursor.column, in: all)
        var result: [Row] = []
        result.reserveCapacity(all.count)
        var cursorRow = 0
        var cursorColumn = 0
        var start = 0
        var line = 0
        while start < all.count {
            var end = start
            while end < all.count - 1, all[end].isWrapped { end += 1 }
            let first = result.count
            let cells = Self.join(all[start...end])
            let offsets = Self.wrap(cells, columns: columns, into: &result)
            if line == target.line {
                // The last piece that begins at or before the place.
                let piece = max(offsets.lastIndex { $0 <= target.offset } ?? 0, 0)
                cursorRow = first + piece
                cursorColumn = min(target.offset - offsets[piece], columns)
            }
            start = end + 1
            line += 1
        }
        grid.columns = columns
        place(result, screenRows: screenRows, cursorRow: cursorRow)
        cursor.column = cursorColumn
    }

    /// A place in the text, whatever the width of the screen.
    private struct LogicalPosition {
        var line = 0
        var offset = 0

        init(row: Int, column: Int, in rows: [Row]) {
            var start = 0
            for index in 0..<row {
                if !rows[index].isWrapped {
                    line += 1
                    start = index + 1
                }
            }
            for index in start..<row { offset += rows[index].cells.count }
            offset += column
        }
    }

    /// The cells of a line of text, without the blank ones at its end.
    private static func join(_ rows: ArraySlice<Row>) -> [Cell] {
        var cells: [Cell] = []
        for row in rows { cells += row.cells }
        while let last = cells.last, last == .blank { cells.removeLast() }
        return cells
    }

    /// Cuts a line into rows.
    ///
    /// - Returns: Where in the line each row begins.
    private static func wrap(_ cells: [Cell], columns: Int, into rows: inout [Row]) -> [Int] {
        var offsets: [Int] = []
        var start = 0
        repeat {
            var end = min(start + columns, cells.count)
            // A wide cell is not cut.
            if end < cells.count, cells[end].isSpacer, end - start > 1 { end -= 1 }
            offsets.append(start)
            rows.append(Row(cells: Array(cells[start..<end]), isWrapped: end < cells.count))
            start = end
        } while start < cells.count
        return offsets
    }

    /// Puts the last rows on the screen and the others above it.
    private mutating func place(_ rows: [Row], screenRows: Int, cursorRow: Int) {
        var rows = rows
        while rows.count > screenRows, rows.count - 1 > cursorRow, let last = rows.last, last.usedCount == 0 {
            rows.removeLast()
        }
        let above = max(rows.count - screenRows, 0)
        grid.history = []
        grid.historyBytes = 0
        let returnable = grid.returnable
        for row in rows.prefix(above) { grid.push(row.trimmed()) }
        grid.returnable = min(returnable, grid.history.count)
        grid.rows = rows.dropFirst(above).map { row in
            var row = row
            row.resize(to: columns)
            return row
        }
        while grid.rows.count < screenRows { grid.rows.append(Row(blank: columns)) }
        cursor.row = max(min(cursorRow - above, screenRows - 1), 0)
    }
}
