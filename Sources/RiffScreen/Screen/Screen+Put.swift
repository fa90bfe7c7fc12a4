// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore

extension Screen {
    /// Writes the run of plain ASCII that the bytes begin with, as far as the row goes.
    ///
    /// - Returns: How many bytes were taken, at least one.
    mutating func putASCII(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
        guard modes.autoWrap, !modes.insert, !charsets.draws else {
            let scalar = charsets.draws ? Charsets.drawn(bytes[0]) : UInt32(bytes[0])
            put(scalar)
            lastScalar = scalar
            return 1
        }
        if cursor.column >= columns { wrap() }
        let room = min(columns - cursor.column, bytes.count)
        var count = 1
        while count < room, bytes[count] >= 0x20, bytes[count] < 0x7F { count += 1 }
        let start = cursor.column
        var cell = pen.cell(0)
        let end = start + count
        let columns = columns
        grid.rows[cursor.row].cells.withUnsafeMutableBufferPointer { cells in
            if cells[start].isSpacer { Self.freeLeftHalfOfRun(cells, at: start) }
            for offset in 0..<count {
                cell.glyph = UInt32(bytes[offset])
                cells[start + offset] = cell
            }
            if end < columns, cells[end].isSpacer { Self.freeRightHalves(cells, from: end, columns: columns) }
        }
        grid.rows[cursor.row].markUsed(to: end)
        lastScalar = cell.glyph
        isJoining = false
        cursor.column = end
        changes.touch(cursor.row)
        return count
    }

    /// Writes one character: a new cell, or one more scalar in the cell before it.
    mutating func put(_ scalar: UInt32) {
        guard scalar >= 0xA0 || scalar < 0x7F else { return }
        if scalar == CharacterWidth.joiner {
            isJoining = true
            return
        }
        let width = CharacterWidth.of(scalar)
        guard width > 0, !isJoining else { return combine(scalar) }
        place(width == 2 ? scalar | Cell.Flag.wide : scalar, width: width)
    }

    private mutating func place(_ glyph: UInt32, width: Int) {
        // Where there is no wrapping, what does not fit is not shown.
        if !modes.autoWrap, width > 1, width > columns || (cursor.column != columns && cursor.column > columns - width)
        {
            return
        }
        if modes.insert { insertCells(width, background: .standard) }
        if modes.autoWrap, cursor.column > columns - width { wrap() }
        guard cursor.column <= columns - width else { return }
        let (row, column, columns) = (cursor.row, cursor.column, columns)
        let cell = pen.cell(glyph)
        grid.rows[row].cells.withUnsafeMutableBufferPointer { cells in
            let wasHalf = cells[column].isSpacer
            if wasHalf { Self.freeLeftHalf(cells, at: column) }
            if width != 1 || wasHalf || cells[column].isWide {
                Self.freeRightHalves(cells, from: column + width, columns: columns)
            }
            cells[column] = cell
            if width == 2 { cells[column + 1] = pen.cell(Cell.Flag.spacer) }
        }
        grid.rows[row].markUsed(to: column + width)
        changes.touch(row)
        let last = modes.autoWrap ? columns : columns - 1
        cursor.column = width > last ? column + width : min(column + width, last)
    }

    /// Wraps a full row: its text continues in the next one.
    private mutating func wrap() {
        grid.rows[cursor.row].isWrapped = true
        lineFeed(background: .standard)
        cursor.column = 0
    }

    /// Blanks the character whose right half is at a column, and that half.
    private static func freeLeftHalf(_ cells: UnsafeMutableBufferPointer<Cell>, at column: Int) {
        var column = column
        while column > 0, cells[column].isSpacer {
            cells[column] = .space
            column -= 1
        }
        cells[column] = .space
    }

    /// As ``freeLeftHalf(_:at:)``, for a run of text, where tmux leaves a character in the first column alone.
    private static func freeLeftHalfOfRun(_ cells: UnsafeMutableBufferPointer<Cell>, at column: Int) {
        var column = column
        while column > 0, cells[column].isSpacer {
            cells[column] = .space
            column -= 1
        }
        if column > 0, cells[column].isWide { cells[column] = .space }
    }

    /// Blanks right halves from a column on, whose character is overwritten.
    private static func freeRightHalves(_ cells: UnsafeMutableBufferPointer<Cell>, from column: Int, columns: Int) {
        var column = column
        while column < columns, cells[column].isSpacer {
            cells[column] = .space
            column += 1
        }
    }

    // MARK: Clusters

    /// Adds a scalar to the cell before the cursor; where there is none, or no room in it, it is dropped.
    private mutating func combine(_ scalar: UInt32) {
        // No scalar has that bit.
        let added = isJoining ? scalar | 1 << 31 : scalar
        isJoining = false
        var column = min(cursor.column, columns) - 1
        while column >= 0, grid.rows[cursor.row].cells[column].isSpacer { column -= 1 }
        guard column >= 0 else { return }
        let cell = grid.rows[cursor.row].cells[column]
        guard let index = clusterIndex(cell, adding: added) else { return }
        // A sweep may have changed it.
        var combined = grid.rows[cursor.row].cells[column]
        combined.glyph = index | cell.glyph & Cell.Flag.wide | Cell.Flag.cluster
        grid.rows[cursor.row].set(column, combined)
        changes.touch(cursor.row)
    }

    private mutating func clusterIndex(_ cell: Cell, adding added: UInt32) -> UInt32? {
        let content = cell.glyph & (Cell.content | Cell.Flag.cluster)
        if let index = clusters.index(of: content, adding: added) { return index }
        var text = self.text(of: cell)
        if text.isEmpty { text = " " }
        let scalars = added >> 31 == 0 ? [added] : [CharacterWidth.joiner, added & Cell.content]
        for scalar in scalars.compactMap(Unicode.Scalar.init)
        where text.utf8.count + UTF8.width(scalar) <= ClusterTable.maximumBytes {
            text.unicodeScalars.append(scalar)
        }
        guard let index = clusters.index(of: text) else {
            guard clusters.sweeps.turnedAway(of: clusters.count) else { return nil }
            // What it is now called in the table changes with it.
            sweep()
            return clusters.index(of: text)
        }
        clusters.remember(index, for: content, adding: added)
        return index
    }

    /// The text of a cell; empty for one that was never written, and for the right half of a wide one.
    func text(of cell: Cell) -> String {
        if let index = cell.cluster { return clusters.text(index) }
        guard !cell.isBlank, !cell.isSpacer, let scalar = Unicode.Scalar(cell.glyph & Cell.content) else { return "" }
        return String(scalar)
    }

    /// REP: writes the ASCII character again that was written just before, as far as the row goes.
    mutating func repeatLast(_ count: Int) {
        guard let scalar = lastScalar else { return }
        for _ in 0..<min(count, max(columns - cursor.column, 0)) { put(scalar) }
    }
}
