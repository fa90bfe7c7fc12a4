// Riff
// SPDX-License-Identifier: Apache-2.0

/// One row of cells.
///
/// On the screen it holds as many cells as the screen has columns; in the scrollback the blank ones at its end are left
/// out.
struct Row {
    var cells: [Cell]
    /// Whether its text goes on in the next row because the screen was too narrow.
    var isWrapped = false

    init(blank columns: Int, background: ScreenColor = .standard) {
        cells = Array(repeating: .erased(background), count: columns)
    }

    init(cells: [Cell], isWrapped: Bool) {
        self.cells = cells
        self.isWrapped = isWrapped
    }

    /// How many cells there are up to the last that shows anything.
    var usedCount: Int {
        var count = cells.count
        cells.withUnsafeBufferPointer { cells in
            while count > 0, cells[count - 1] == .blank { count -= 1 }
        }
        return count
    }

    /// The row for the scrollback.
    func trimmed() -> Row {
        // A wrapped row's end is text, also where it is blank.
        Row(cells: Array(cells.prefix(isWrapped ? cells.count : usedCount)), isWrapped: isWrapped)
    }

    /// Makes it a blank row of as many columns, in the memory that it has.
    mutating func clear(columns: Int, background: ScreenColor) {
        isWrapped = false
        guard cells.count == columns else {
            cells = Array(repeating: .erased(background), count: columns)
            return
        }
        erase(0..<columns, background: background)
    }

    mutating func erase(_ columns: Range<Int>, background: ScreenColor) {
        let blank = Cell.erased(background)
        cells.withUnsafeMutableBufferPointer { cells in
            for column in columns.clamped(to: 0..<cells.count) { cells[column] = blank }
        }
    }

    /// Gives it another number of cells; what does not fit is cut off.
    mutating func resize(to columns: Int) {
        if cells.count > columns {
            cells.removeLast(cells.count - columns)
            repairEnd()
        } else {
            cells.append(contentsOf: repeatElement(.blank, count: columns - cells.count))
        }
    }

    /// A wide cell whose right half was cut off is blank.
    private mutating func repairEnd() {
        guard let last = cells.last, last.isWide else { return }
        cells[cells.count - 1] = .erased(last.background)
    }
}
