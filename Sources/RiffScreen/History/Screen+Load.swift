// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

extension Screen {
    /// Draws a page on a blank screen of its size, wrapped as it was in tmux.
    ///
    /// - Returns: The page's rows.
    @discardableResult
    mutating func load(_ page: TmuxHistoryPage) -> [Row] {
        guard !page.lines.isEmpty else { return [] }
        // Captures show line drawing as SO and SI alone.
        feed("\u{1B})0")
        for (index, line) in page.text.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
            if index > 0 { feed("\r\n") }
            feed(line)
        }
        feed("\u{1B}[m\u{F}")
        let rows = allRows(upTo: grid.history.count + cursor.row + 1)
        cursor = ScreenCursor()
        // A page that ends above the screen's end leaves blank rows beneath.
        return rows
    }

    /// The first rows of all that are kept.
    func allRows(upTo count: Int) -> [Row] {
        grid.history.prefix(count) + grid.rows.prefix(max(count - grid.history.count, 0))
    }

    /// The text of a row of this screen, without the space at its end.
    func text(of row: Row) -> String {
        var text = ""
        for cell in row.cells where !cell.isSpacer { text += cell.isBlank ? " " : self.text(of: cell) }
        while text.unicodeScalars.last == " " { text.unicodeScalars.removeLast() }
        return text
    }

    /// A row of another screen with this screen's entries for what does not fit into cells.
    mutating func adopt(_ row: Row, from other: Screen) -> Row {
        var row = row
        for column in row.cells.indices where row.cells[column].cluster != nil || row.cells[column].extra != 0 {
            let cell = row.cells[column]
            if cell.cluster != nil {
                let index = clusters.index(of: other.text(of: cell))
                // A full table: a person shall see that something is there.
                let glyph = index.map { $0 | Cell.Flag.cluster } ?? 0xFFFD
                row.cells[column].glyph = glyph | cell.glyph & Cell.Flag.wide
            }
            if cell.extra != 0 { row.cells[column].extra = extras.index(of: other.extras[cell.extra]) ?? 0 }
        }
        return row
    }

    /// Puts rows before the oldest that are kept, as far as the budget goes.
    mutating func prepend(_ rows: [Row]) {
        grid.replace(
            history: rows + grid.history.rows,
            screen: grid.rows,
            returnable: grid.returnable + rows.count
        )
        changes.touchAll(rows: rowCount)
    }

    /// Shows what another screen of the same width shows; the first rows of this one's screen go to its scrollback
    /// before.
    mutating func replaceScreen(with other: Screen, keeping count: Int) {
        for row in grid.rows.prefix(count) { grid.push(row) }
        let rows = other.grid.rows.map { adopt($0, from: other) }
        grid.rows = rows
        grid.returnable = 0
        cursor = other.cursor
        modes = other.modes
        title = other.title
        region = 0...rowCount - 1
        changes.touchAll(rows: rowCount)
    }
}
