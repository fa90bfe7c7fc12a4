// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// The rows of a screen, and those that left it at the top.
struct Grid {
    var rows: [Row]
    var columns: Int
    /// Rows above the screen, oldest first; without the blank cells at their end.
    private(set) var history = Scrollback()
    /// The bytes of the cells in ``history``.
    private var historyBytes = 0
    /// The number of rows that were dropped from the front of ``history`` so far.
    private(set) var droppedCount = 0
    /// The number of the last rows in ``history`` that output pushed there since the screen was last cleared: they come
    /// back when it grows.
    var returnable = 0
    /// Whether rows that leave are kept.
    let keepsHistory: Bool
    private let historyLimit: Int

    private static let bytesPerRow = MemoryLayout<Row>.stride + 32

    init(columns: Int, rows: Int, keepsHistory: Bool, historyLimit: Int) {
        self.columns = columns
        self.rows = (0..<rows).map { _ in Row(blank: columns) }
        self.keepsHistory = keepsHistory
        self.historyLimit = historyLimit
    }

    var size: TerminalSize { TerminalSize(columns: columns, rows: rows.count) }

    // MARK: Moving rows

    /// Moves the rows of a region up by one; a blank one comes in at its end. The row that leaves goes to the
    /// scrollback, wherever the region begins.
    mutating func scrollUp(_ region: ClosedRange<Int>, background: ScreenColor) {
        if keepsHistory {
            push(rows[region.lowerBound])
        } else {
            unwrap(before: region.lowerBound)
        }
        let columns = columns
        rows.withUnsafeMutableBufferPointer { rows in
            // The row is taken out, cleared in the memory that it has, and put in again: no copy, no count of
            // references.
            guard let top = rows.baseAddress.map({ $0 + region.lowerBound }) else { return }
            var row = top.move()
            top.moveInitialize(from: top + 1, count: region.count - 1)
            row.clear(columns: columns, background: background)
            (top + (region.count - 1)).initialize(to: row)
        }
        if !keepsHistory, region.count == 2 { rows[region.lowerBound].isWrapped = false }
    }

    /// Takes out the first rows of a region; as many blank ones come in at its end. None goes to the scrollback.
    mutating func deleteRows(_ region: ClosedRange<Int>, count: Int, background: ScreenColor) {
        let removed = rows[region.lowerBound..<region.lowerBound + count]
        rows.removeSubrange(removed.indices)
        rows.insert(contentsOf: removed, at: region.upperBound + 1 - count)
        clearRows(region.upperBound + 1 - count...region.upperBound, background: background)
        unwrap(before: region.lowerBound)
    }

    /// Puts blank rows in at the beginning of a region; as many at its end are gone.
    ///
    /// `isPartial`: rows stay as they are that neither move nor make room, as tmux has it where the region is the rest
    /// of the screen.
    mutating func insertRows(
        _ region: ClosedRange<Int>,
        count: Int,
        background: ScreenColor,
        isPartial: Bool = false
    ) {
        let moved = region.count - count
        if isPartial, moved < count {
            guard moved > 0 else { return }
            for index in 0..<moved { rows.swapAt(region.lowerBound + index, region.lowerBound + count + index) }
            return clearRows(region.lowerBound...region.lowerBound + moved - 1, background: background)
        }
        rows[region.lowerBound + count - 1].isWrapped = false
        let removed = rows[region.upperBound + 1 - count...region.upperBound]
        rows.removeSubrange(removed.indices)
        rows.insert(contentsOf: removed, at: region.lowerBound)
        clearRows(region.lowerBound...region.lowerBound + count - 1, background: background)
    }

    // MARK: Clearing

    /// Blanks whole rows. What stands above them does not go on in them any more.
    mutating func clearRows(_ range: ClosedRange<Int>, background: ScreenColor) {
        for index in range { rows[index].clear(columns: columns, background: background) }
        unwrap(before: range.lowerBound)
    }

    /// Blanks a part of a row.
    mutating func clear(row: Int, columns range: Range<Int>, background: ScreenColor) {
        if range == 0..<columns {
            clearRows(row...row, background: background)
        } else {
            rows[row].erase(range, background: background)
        }
    }

    mutating func unwrap(before row: Int) {
        if row > 0 {
            rows[row - 1].isWrapped = false
        } else {
            history.unwrapLast()
        }
    }

    /// Moves the rows up to the last written one to the scrollback, and makes the screen blank.
    mutating func clearIntoHistory(background: ScreenColor) {
        guard keepsHistory, let last = rows.lastIndex(where: { $0.usedCount > 0 }) else {
            return clearRows(0...rows.count - 1, background: background)
        }
        for index in 0...last {
            push(rows[index])
            rows[index].clear(columns: columns, background: background)
        }
        if last + 1 < rows.count { clearRows(last + 1...rows.count - 1, background: background) }
        returnable = 0
    }

    // MARK: Scrollback

    mutating func push(_ row: Row) {
        historyBytes += Self.bytes(history.append(row))
        returnable += 1
        trimHistory()
    }

    /// Takes the newest row back.
    mutating func pull() -> Row? {
        guard var row = history.popLast() else { return nil }
        historyBytes -= Self.bytes(row.cells.count)
        returnable = max(returnable - 1, 0)
        row.expand(to: columns)
        return row
    }

    mutating func removeHistory() {
        droppedCount += history.count
        history = Scrollback()
        historyBytes = 0
        returnable = 0
    }

    /// Puts other rows in the place of all.
    mutating func replace(history rows: some Sequence<Row>, screen: [Row], returnable count: Int) {
        history = Scrollback(rows)
        historyBytes = (0..<history.count).reduce(0) { $0 + Self.bytes(history.cellCount($1)) }
        self.rows = screen
        returnable = min(count, history.count)
        trimHistory()
    }

    private mutating func trimHistory() {
        while historyBytes > historyLimit, let count = history.dropFirst() {
            historyBytes -= Self.bytes(count)
            droppedCount += 1
        }
        returnable = min(returnable, history.count)
    }

    /// Returns the number of bytes that a row counts for: those that it would take with a style for each cell, which
    /// none exceeds.
    private static func bytes(_ cells: Int) -> Int { cells * MemoryLayout<Cell>.stride + bytesPerRow }

    /// Changes cells, but perhaps not those of plain text.
    mutating func updateCells(_ body: (inout Cell) -> Void) {
        for row in rows.indices {
            for column in rows[row].cells.indices { body(&rows[row].cells[column]) }
        }
        history.updateCells(body)
    }
}
