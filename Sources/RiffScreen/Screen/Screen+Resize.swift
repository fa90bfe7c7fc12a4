// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

extension Screen {
    /// Gives it another size. Text that was wrapped on the primary screen is wrapped anew; the alternate screen's program
    /// draws itself again.
    ///
    /// - Parameter size: The new size; one that is not usable changes nothing.
    public mutating func resize(to size: TerminalSize) {
        guard size.isUsable, size.columns != columns || size.rows != rowCount else { return }
        changes.generation += 1
        if size.columns != columns { tabStops = TabStops(columns: size.columns) }
        resizeGrid(to: size)
        region = 0...size.rows - 1
        changes.touchAll(rows: size.rows)
    }

    mutating func resizeGrid(to size: TerminalSize) {
        resizeHeight(to: size.rows)
        guard size.columns != columns else { return }
        if isAlternate { clip(to: size.columns) } else { reflow(to: size.columns) }
    }

    /// Blank rows below the cursor go first, then rows at the top go to the scrollback; rows come back from there.
    private mutating func resizeHeight(to rows: Int) {
        let old = rowCount
        if rows < old {
            let below = min(old - 1 - cursor.row, old - rows)
            grid.rows.removeLast(below)
            let above = old - rows - below
            for index in 0..<above where grid.keepsHistory { grid.push(grid.rows[index].trimmed()) }
            grid.rows.removeFirst(above)
            cursor.row -= above
        } else {
            var missing = rows - old
            var returned: [Row] = []
            while grid.keepsHistory, missing > 0, grid.returnable > 0, var row = grid.pull() {
                row.resize(to: columns)
                returned.append(row)
                missing -= 1
            }
            grid.rows.insert(contentsOf: returned.reversed(), at: 0)
            cursor.row += returned.count
            grid.rows.append(contentsOf: (0..<missing).map { _ in Row(blank: columns) })
        }
    }

    private mutating func clip(to columns: Int) {
        grid.columns = columns
        for index in grid.rows.indices { grid.rows[index].resize(to: columns) }
        cursor.column = min(cursor.column, columns)
    }
}
