// Riff
// SPDX-License-Identifier: Apache-2.0

/// Wraps rows for another width, as tmux does: row by row, a row that is too wide is cut, and one that continues in the
/// next takes as much as fits from there.
struct Rewrapping {
    let columns: Int
    /// The number of rows of the scrollback that come back when the screen grows; it follows the rows' new number.
    private(set) var returnable: Int
    private var source: [Row] = []
    private var result: [Row] = []

    init(columns: Int, returnableStart: Int) {
        self.columns = columns
        returnable = returnableStart
    }

    mutating func wrap(_ rows: [Row]) -> [Row] {
        source = rows
        result.reserveCapacity(rows.count)
        var index = 0
        while index < source.count { index += 1 + take(index) }
        return result
    }

    /// Moves one row to the result.
    ///
    /// - Returns: How many of the rows after it were used up with it.
    private mutating func take(_ index: Int) -> Int {
        let row = source[index]
        let (width, fitting) = measure(row)
        if width > columns { return split(index, at: fitting) }
        result.append(row)
        return width < columns && row.isWrapped ? join(index, width: width) : 0
    }

    /// The width of a row's text, and how many cells of it fit.
    private func measure(_ row: Row) -> (width: Int, fitting: Int) {
        var (width, fitting) = (0, 0)
        for column in 0..<row.usedCount {
            let added = row.cell(column).width
            if fitting == 0, width + added > columns { fitting = column }
            width += added
        }
        return (width, fitting)
    }

    private mutating func split(_ index: Int, at fitting: Int) -> Int {
        let cells = source[index].usedCells
        let isWrapped = source[index].isWrapped
        var first = source[index]
        first.truncate(to: fitting, isWrapped: true)
        result.append(first)
        let count = result.count
        var piece: [Cell] = []
        var width = 0
        for cell in cells[fitting...] {
            if width + cell.width > columns {
                result.append(Row(cells: piece, isWrapped: true))
                piece = []
                width = 0
            }
            width += cell.width
            piece.append(cell)
        }
        result.append(Row(cells: piece, isWrapped: isWrapped))
        if index <= returnable { returnable += result.count - count }
        return width < columns && isWrapped ? join(index, width: width) : 0
    }

    /// Fills the result's last row from the rows after an index.
    ///
    /// - Returns: How many of them were used up.
    private mutating func join(_ index: Int, width start: Int) -> Int {
        let target = result.count - 1
        var cells = result[target].usedCells
        var width = start
        var count = 0
        var isWrapped = true
        var left = 0
        while index + 1 + count < source.count {
            let next = source[index + 1 + count]
            if !next.isWrapped { isWrapped = false }
            if next.usedCount == 0 {
                if !isWrapped { break }
                count += 1
                left = 0
                continue
            }
            guard width + next.cell(0).width <= columns else { break }
            var wanted = 0
            while wanted < next.usedCount, wanted == 0 || width + next.cell(wanted).width <= columns {
                width += next.cell(wanted).width
                cells.append(next.cell(wanted))
                wanted += 1
            }
            count += 1
            left = next.usedCount - wanted
            if !isWrapped || left > 0 || width == columns { break }
        }
        guard count > 0 else { return 0 }
        result[target].replaceUsed(with: cells)
        if left > 0 {
            let last = index + count
            source[last] = Row(cells: source[last].usedCells.suffix(left), isWrapped: source[last].isWrapped)
            count -= 1
        } else if !isWrapped {
            result[target].isWrapped = false
        }
        if returnable > target + count {
            returnable -= count
        } else if returnable > target {
            returnable = target
        }
        return count
    }
}

/// A place in the text, whatever the width of the screen.
struct TextPlace {
    private var line = 0
    /// Characters from the line's beginning; `nil` behind its end.
    private var offset: Int?

    init(row: Int, column: Int, in rows: [Row]) {
        var start = 0
        for index in 0..<row {
            if rows[index].isWrapped {
                start += rows[index].usedCount
            } else {
                start = 0
                line += 1
            }
        }
        if column < rows[row].usedCount { offset = start + column }
    }

    func position(in rows: [Row]) -> (row: Int, column: Int) {
        var (index, left) = (0, line)
        while left > 0, index < rows.count - 1 {
            if !rows[index].isWrapped { left -= 1 }
            index += 1
        }
        guard var column = offset else {
            while rows[index].isWrapped, index < rows.count - 1 { index += 1 }
            return (index, rows[index].usedCount)
        }
        while rows[index].isWrapped, index < rows.count - 1, column >= rows[index].usedCount {
            column -= rows[index].usedCount
            index += 1
        }
        return (index, column)
    }
}
