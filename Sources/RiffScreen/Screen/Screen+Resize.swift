// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

extension Screen {
    /// Gives it another size. Text on the primary screen is wrapped anew; the alternate screen's program draws itself
    /// again.
    ///
    /// - Parameter size: The new size; one without cells changes nothing, one that is too large is brought into bounds.
    public mutating func resize(to size: TerminalSize) {
        guard let size = Self.bounded(size), size.columns != columns || size.rows != rowCount else { return }
        changes.generation += 1
        resizeGrid(to: size, rewrapping: !isAlternate)
        changes.touchAll(rows: rowCount)
    }

    /// A size that a screen can have: at most 2^24 cells. `nil` for one without cells.
    static func bounded(_ size: TerminalSize) -> TerminalSize? {
        guard size.columns > 0, size.rows > 0 else { return nil }
        let columns = min(size.columns, 1 << 21)
        return TerminalSize(columns: columns, rows: min(size.rows, max((1 << 24) / columns, 1)))
    }

    mutating func resizeGrid(to size: TerminalSize, rewrapping: Bool) {
        let isNewWidth = size.columns != columns
        if isNewWidth {
            grid.columns = size.columns
            tabStops = TabStops(columns: size.columns)
        }
        if size.rows != rowCount {
            resizeHeight(to: size.rows)
            region = 0...size.rows - 1
        }
        guard isNewWidth else { return }
        if rewrapping { rewrap() } else { for index in grid.rows.indices { grid.rows[index].expand(to: columns) } }
    }

    /// Rows below the cursor go first, then rows at the top go to the scrollback; rows come back from there.
    private mutating func resizeHeight(to rows: Int) {
        let old = rowCount
        if rows < old {
            let below = min(old - 1 - cursor.row, old - rows)
            if below > 0 {
                grid.rows.removeLast(below)
                grid.unwrap(before: grid.rows.count)
            }
            let above = old - rows - below
            for index in 0..<above where grid.keepsHistory { grid.push(grid.rows[index]) }
            grid.rows.removeFirst(above)
            cursor.row -= above
        } else {
            var returned: [Row] = []
            while grid.keepsHistory, returned.count < rows - old, grid.returnable > 0, let row = grid.pull() {
                returned.append(row)
            }
            grid.rows.insert(contentsOf: returned.reversed(), at: 0)
            cursor.row += returned.count
            while grid.rows.count < rows { grid.rows.append(Row(blank: columns)) }
        }
    }

    /// Wraps the scrollback's and the screen's text again; the cursor stays at its character.
    private mutating func rewrap() {
        var rows = grid.history.rows + grid.rows
        let place = TextPlace(row: grid.history.count + cursor.row, column: cursor.column, in: rows)
        var wrapping = Rewrapping(columns: columns, returnableStart: grid.returnable)
        rows = wrapping.wrap(rows)
        while rows.count < rowCount { rows.append(Row(blank: columns)) }
        let above = rows.count - rowCount
        let (row, column) = place.position(in: rows)
        for index in above..<rows.count { rows[index].expand(to: columns) }
        grid.replace(
            history: rows[..<above],
            screen: Array(rows[above...]),
            returnable: wrapping.returnable
        )
        // A wide character has no room on a screen of one column; the place behind it is the end of the row there, too.
        (cursor.row, cursor.column) = row < above ? (0, 0) : (row - above, min(column, columns))
    }
}
