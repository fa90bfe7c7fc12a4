// Riff
// SPDX-License-Identifier: Apache-2.0

extension Screen {
    /// Writes the run of plain ASCII that the bytes begin with, as far as the row goes.
    ///
    /// - Returns: How many bytes were taken, at least one.
    mutating func printASCII(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
        guard modes.autoWrap, !modes.insert, !charsets.draws else {
            let byte = bytes[0]
            print(charsets.draws ? Charsets.drawn(byte) : UInt32(byte))
            return 1
        }
        if cursor.column >= columns { wrap() }
        let room = min(columns - cursor.column, bytes.count)
        var count = 1
        while count < room, bytes[count] >= 0x20, bytes[count] < 0x7F { count += 1 }
        let range = cursor.column..<cursor.column + count
        freeHalves(at: range)
        var cell = pen.cell(0)
        let start = range.lowerBound
        grid.rows[cursor.row].cells.withUnsafeMutableBufferPointer { cells in
            for offset in 0..<count {
                cell.glyph = UInt32(bytes[offset])
                cells[start + offset] = cell
            }
        }
        lastGlyph = cell.glyph
        cursor.column += count
        changes.touch(cursor.row)
        return count
    }

    /// Writes one character: a new cell, or one more scalar in the cell before it.
    mutating func print(_ scalar: UInt32) {
        let width = CharacterWidth.of(scalar)
        guard width > 0 else { return combine(scalar) }
        if endsInJoiner { return combine(scalar) }
        place(width == 2 ? scalar | Cell.Flag.wide : scalar, width: width)
        lastGlyph = scalar
    }

    private mutating func place(_ glyph: UInt32, width: Int) {
        // Where there is no wrapping, what does not fit is not shown.
        if !modes.autoWrap, width > 1, width > columns || (cursor.column != columns && cursor.column > columns - width) {
            return
        }
        if modes.insert, cursor.column <= columns - width { insertCells(width) }
        if modes.autoWrap, cursor.column > columns - width { wrap() }
        guard cursor.column <= columns - width else { return }
        let range = cursor.column..<cursor.column + width
        freeHalves(at: range)
        grid.rows[cursor.row].cells[range.lowerBound] = pen.cell(glyph)
        if width == 2 { grid.rows[cursor.row].cells[range.lowerBound + 1] = pen.cell(Cell.Flag.spacer) }
        changes.touch(cursor.row)
        let last = modes.autoWrap ? columns : columns - 1
        cursor.column = min(range.upperBound, last)
    }

    /// The row is full: its text goes on in the next one.
    private mutating func wrap() {
        grid.rows[cursor.row].isWrapped = true
        lineFeed()
        cursor.column = 0
    }

    /// Blanks the halves of wide cells that are left over when the columns of a range are written.
    mutating func freeHalves(at range: Range<Int>) {
        let row = cursor.row
        grid.rows[row].cells.withUnsafeMutableBufferPointer { cells in
            if range.lowerBound > 0, range.lowerBound < cells.count, cells[range.lowerBound].isSpacer {
                cells[range.lowerBound - 1] = .blank
            }
            if range.upperBound < cells.count, cells[range.upperBound].isSpacer { cells[range.upperBound] = .blank }
        }
    }

    // MARK: Clusters

    /// The column of the cell before the cursor.
    private var columnBefore: Int? {
        guard cursor.column > 0 else { return nil }
        let column = cursor.column - 1
        return grid.rows[cursor.row].cells[column].isSpacer && column > 0 ? column - 1 : column
    }

    /// Whether the cell before the cursor ends in a zero width joiner, so that the next character belongs to it.
    private var endsInJoiner: Bool {
        guard let column = columnBefore, let index = grid.rows[cursor.row].cells[column].cluster else { return false }
        return clusters.text(index).unicodeScalars.last == "\u{200D}"
    }

    /// Adds a scalar to the cell before the cursor; where there is none, or no room in it, it is dropped.
    private mutating func combine(_ scalar: UInt32) {
        guard let column = columnBefore, let added = Unicode.Scalar(scalar), added.value >= 0xA0 else { return }
        let cell = grid.rows[cursor.row].cells[column]
        var text = self.text(of: cell)
        if text.isEmpty { text = " " }
        text.unicodeScalars.append(added)
        guard text.utf8.count <= ClusterTable.maximumBytes, let index = clusterIndex(text) else { return }
        let flags = cell.glyph & (Cell.Flag.wide | Cell.Flag.spacer)
        grid.rows[cursor.row].cells[column].glyph = index | flags | Cell.Flag.cluster
        changes.touch(cursor.row)
    }

    private mutating func clusterIndex(_ text: String) -> UInt32? {
        if let index = clusters.index(of: text) { return index }
        sweep()
        return clusters.index(of: text)
    }

    /// The text of a cell; empty for one that was never written, and for the right half of a wide one.
    func text(of cell: Cell) -> String {
        if let index = cell.cluster { return clusters.text(index) }
        guard !cell.isBlank, !cell.isSpacer, let scalar = Unicode.Scalar(cell.glyph & Cell.content) else { return "" }
        return String(scalar)
    }

    /// REP: writes the last character again.
    mutating func repeatLast(_ count: Int) {
        guard lastGlyph != 0 else { return }
        for _ in 0..<min(count, columns * rowCount) { print(lastGlyph) }
    }
}
