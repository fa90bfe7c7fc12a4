// Riff
// SPDX-License-Identifier: Apache-2.0

/// One row of cells.
///
/// On the screen it holds at least as many cells as the screen has columns: those beyond, hidden since the screen
/// became narrower, come back when it widens. In the scrollback the blank ones at its end are left out.
struct Row {
    var cells: [Cell]
    /// The number of cells from the left that were ever written since the row was last blank. Erased cells before that
    /// still count as text when the screen changes its width.
    private(set) var usedCount = 0
    /// Whether its text continues in the next row because the screen was too narrow.
    var isWrapped = false

    init(blank columns: Int, background: ScreenColor = .standard) {
        cells = Array(repeating: .erased(background), count: columns)
    }

    /// Creates a row for text that is wrapped again.
    init(cells: some Collection<Cell>, isWrapped: Bool) {
        self.cells = Array(cells)
        usedCount = cells.count
        self.isWrapped = isWrapped
    }

    /// A row of the scrollback.
    init(kept cells: [Cell], usedCount: Int, isWrapped: Bool) {
        self.cells = cells
        self.usedCount = usedCount
        self.isWrapped = isWrapped
    }

    @inline(__always)
    mutating func markUsed(to count: Int) { if count > usedCount { usedCount = count } }

    /// The cell at a column; blank where none is kept.
    func cell(_ column: Int) -> Cell { column < cells.count ? cells[column] : .blank }

    // MARK: Writing

    /// Writes one cell.
    mutating func set(_ column: Int, _ cell: Cell) {
        cells[column] = cell
        markUsed(to: column + 1)
    }

    /// Makes it a blank row of as many columns, in the memory that it has.
    mutating func clear(columns: Int, background: ScreenColor) {
        isWrapped = false
        usedCount = 0
        guard cells.count == columns else {
            cells = Array(repeating: .erased(background), count: columns)
            return
        }
        erase(0..<columns, background: background)
    }

    mutating func erase(_ columns: Range<Int>, background: ScreenColor) {
        let blank = Cell.erased(background)
        cells.withUnsafeMutableBufferPointer { cells in
            let columns = columns.clamped(to: 0..<cells.count)
            guard let base = cells.baseAddress else { return }
            (base + columns.lowerBound).update(repeating: blank, count: columns.count)
        }
    }

    /// Moves cells within the row; those that are left behind are erased.
    mutating func move(_ source: Range<Int>, to start: Int, background: ScreenColor) {
        guard !source.isEmpty else { return }
        let target = start..<start + source.count
        expand(to: max(source.upperBound, target.upperBound))
        let blank = Cell.erased(background)
        cells.withUnsafeMutableBufferPointer { cells in
            guard let base = cells.baseAddress else { return }
            (base + start).update(from: base + source.lowerBound, count: source.count)
            for column in source where !target.contains(column) { cells[column] = blank }
        }
        markUsed(to: target.upperBound)
    }

    /// Gives it at least as many cells.
    mutating func expand(to columns: Int) {
        if cells.count < columns { cells.append(contentsOf: repeatElement(.blank, count: columns - cells.count)) }
    }

    // MARK: Reflow

    /// The cells that were written.
    var usedCells: [Cell] {
        usedCount <= cells.count
            ? Array(cells.prefix(usedCount)) : cells + repeatElement(.blank, count: usedCount - cells.count)
    }

    /// Puts other cells in the place of those that were written; what is behind them stays.
    mutating func replaceUsed(with written: [Cell]) {
        cells = written + cells.dropFirst(written.count)
        usedCount = written.count
    }

    /// Cuts off what was written after the first cells.
    mutating func truncate(to count: Int, isWrapped: Bool) {
        cells = Array(usedCells.prefix(count))
        usedCount = count
        self.isWrapped = isWrapped
    }
}
