// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore

/// The characters of a text that may go over several rows, and the cells where they stand.
struct LinkText {
    /// A run of cells on which a program put one link.
    struct Program {
        var link: ScreenLink
        /// Indices of ``scalars``.
        var range: Range<Int>
    }

    private(set) var scalars: [UInt32] = []
    /// The cell of each character, counted from the first cell of the text.
    private(set) var cells: [Int32] = []
    private(set) var programs: [Program] = []
    private(set) var cellCount = 0

    @inline(__always)
    mutating func append(_ scalar: UInt32) {
        scalars.append(scalar)
        cells.append(Int32(truncatingIfNeeded: cellCount))
    }

    /// Adds cells of one character each, without links.
    mutating func append(run: UnsafeBufferPointer<Cell>) {
        scalars.append(contentsOf: run.lazy.map { $0.isBlank ? 0x20 : $0.glyph & Cell.content })
        let first = Int32(truncatingIfNeeded: cellCount)
        cells.append(contentsOf: first..<first + Int32(run.count))
        cellCount += run.count
    }

    /// Says that a cell's characters are all there.
    mutating func endCell(link: ScreenLink?) {
        cellCount += 1
        guard let link else { return }
        let end = scalars.count
        if let last = programs.last, last.range.upperBound == end || last.range.upperBound == lastCellStart,
            last.link == link
        {
            programs[programs.count - 1].range = last.range.lowerBound..<end
        } else {
            programs.append(Program(link: link, range: lastCellStart..<end))
        }
    }

    /// The index at which the characters of the last cell begin.
    private var lastCellStart: Int {
        var start = scalars.count
        while start > 0, cells[start - 1] == Int32(cellCount - 1) { start -= 1 }
        return start
    }

    /// The cells of some characters, with the right halves of wide ones and the blank cell that one of them left at a
    /// row's end.
    func cells(_ range: Range<Int>) -> Range<Int> {
        let end = range.upperBound < cells.count ? Int(cells[range.upperBound]) : cellCount
        // A blank cell behind the last character is no part of it.
        let last = Int(cells[range.upperBound - 1])
        return Int(cells[range.lowerBound])..<max(min(end, last + lastWidth(range.upperBound - 1)), last + 1)
    }

    private func lastWidth(_ index: Int) -> Int {
        var index = index
        while index > 0, cells[index - 1] == cells[index] { index -= 1 }
        return max(CharacterWidth.of(scalars[index]), 1)
    }

    func string(_ range: Range<Int>) -> String {
        scalars[range].reduce(into: "") { text, scalar in
            if scalar != HardBreaks.doubt, let scalar = Unicode.Scalar(scalar) { text.unicodeScalars.append(scalar) }
        }
    }
}
