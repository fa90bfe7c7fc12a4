// Riff
// SPDX-License-Identifier: Apache-2.0

internal import DequeModule

/// The rows of a screen, and those that left it at the top.
struct Grid {
    var rows: [Row]
    var columns: Int
    /// Rows above the screen, oldest first; without the blank cells at their end.
    var history: Deque<Row> = []
    /// The bytes of the cells in ``history``.
    var historyBytes = 0
    /// How many rows were dropped from the front of ``history`` so far.
    var droppedCount = 0
    /// How many of the last rows in ``history`` were pushed there by output since the screen was last cleared: they
    /// come back when it grows.
    var returnable = 0
    /// Whether rows that leave are kept.
    var keepsHistory: Bool
    var historyLimit: Int

    static let bytesPerRow = 48

    init(columns: Int, rows: Int, keepsHistory: Bool, historyLimit: Int) {
        self.columns = columns
        self.rows = (0..<rows).map { _ in Row(blank: columns) }
        self.keepsHistory = keepsHistory
        self.historyLimit = historyLimit
    }

    // MARK: Scrolling

    /// Moves the rows of a region up by one; a blank one comes in at its end. Where the region begins at the top, the
    /// row that leaves goes to the history.
    mutating func scrollUp(_ region: ClosedRange<Int>, background: ScreenColor) {
        var row = rows[region.lowerBound]
        if keepsHistory, region.lowerBound == 0 { push(row.trimmed()) }
        rows.withUnsafeMutableBufferPointer { rows in
            for index in region.lowerBound..<region.upperBound { rows.swapAt(index, index + 1) }
        }
        swap(&row, &rows[region.upperBound])
        row = Row(cells: [], isWrapped: false)
        rows[region.upperBound].clear(columns: columns, background: background)
    }

    /// Moves the rows of a region down by one; a blank one comes in at its beginning, the last one is gone.
    mutating func scrollDown(_ region: ClosedRange<Int>, background: ScreenColor) {
        rows.withUnsafeMutableBufferPointer { rows in
            for index in region.reversed() where index > region.lowerBound { rows.swapAt(index, index - 1) }
        }
        rows[region.lowerBound].clear(columns: columns, background: background)
    }

    // MARK: History

    mutating func push(_ row: Row) {
        history.append(row)
        historyBytes += Self.bytes(row)
        returnable += 1
        trimHistory()
    }

    /// Takes the newest row back.
    mutating func pull() -> Row? {
        guard let row = history.popLast() else { return nil }
        historyBytes -= Self.bytes(row)
        returnable = max(returnable - 1, 0)
        return row
    }

    mutating func removeHistory() {
        droppedCount += history.count
        history = []
        historyBytes = 0
        returnable = 0
    }

    mutating func trimHistory() {
        while historyBytes > historyLimit, let row = history.popFirst() {
            historyBytes -= Self.bytes(row)
            droppedCount += 1
        }
        returnable = min(returnable, history.count)
    }

    private static func bytes(_ row: Row) -> Int { row.cells.count * MemoryLayout<Cell>.stride + bytesPerRow }

    /// What the rows up to the last that shows anything hold goes to the history, and the screen is blank.
    mutating func clearIntoHistory(background: ScreenColor) {
        let used = (rows.lastIndex { $0.usedCount > 0 } ?? -1) + 1
        for index in rows.indices {
            if keepsHistory, index < used { push(rows[index].trimmed()) }
            rows[index].clear(columns: columns, background: background)
        }
        returnable = 0
    }

    mutating func clear(background: ScreenColor) {
        for index in rows.indices { rows[index].clear(columns: columns, background: background) }
    }
}
