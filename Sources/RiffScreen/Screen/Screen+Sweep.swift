// Riff
// SPDX-License-Identifier: Apache-2.0

extension Screen {
    /// Drops from the tables what no cell refers to any more.
    mutating func sweep() {
        sweepCount += 1
        var usedClusters: Set<UInt32> = []
        var usedExtras: Set<UInt16> = [pen.extra, saved.pen.extra, beforeAlternate.pen.extra]
        forEachCell { cell in
            if cell.cluster != nil { usedClusters.insert(cell.glyph & Cell.content) }
            if cell.extra != 0 { usedExtras.insert(cell.extra) }
        }
        let clusterIndices = clusters.keep(usedClusters)
        let extraIndices = extras.keep(usedExtras)
        updateCells { cell in
            if cell.cluster != nil {
                let index = clusterIndices[cell.glyph & Cell.content] ?? 0
                cell.glyph = cell.glyph & ~Cell.content | index
            }
            if cell.extra != 0 { cell.extra = extraIndices[cell.extra] ?? 0 }
        }
        pen.extra = extraIndices[pen.extra] ?? 0
        saved.pen.extra = extraIndices[saved.pen.extra] ?? 0
        beforeAlternate.pen.extra = extraIndices[beforeAlternate.pen.extra] ?? 0
    }

    private func forEachCell(_ body: (Cell) -> Void) {
        for grid in [grid, beneath].compactMap(\.self) {
            for row in grid.rows { row.cells.forEach(body) }
            grid.history.forEachCell(body)
        }
    }

    private mutating func updateCells(_ body: (inout Cell) -> Void) {
        grid.updateCells(body)
        beneath?.updateCells(body)
    }
}
