// Riff
// SPDX-License-Identifier: Apache-2.0

package import RiffScreen

/// What the person's terminal is to show: the page and the status line beneath it.
package struct Frame {
    /// What the rows of the page are taken from: as long as it is the same, only its changed rows are drawn.
    package enum Source: Hashable {
        /// Nothing yet.
        case nothing
        /// A page as it lives.
        case live(ObjectIdentifier)
        /// Older output, or marked cells: drawn whole.
        case still
    }

    package var source = Source.nothing
    /// All rows from the top, the status line last.
    package var rows: [ScreenRow]
    package var columns: Int
    package var cursor: ScreenCursor?
    package var modes = TerminalModes()
    package var title = ""

    package init(
        rows: [ScreenRow] = [],
        columns: Int,
        cursor: ScreenCursor? = nil,
        modes: TerminalModes = TerminalModes(),
        title: String = ""
    ) {
        self.rows = rows
        self.columns = columns
        self.cursor = cursor
        self.modes = modes
        self.title = title
    }

    /// It as a picture.
    package var picture: ScreenPicture { ScreenPicture(rows: rows, columns: columns) }

    /// Shows cells of some lines as chosen: the other way round.
    ///
    /// - Parameters:
    ///   - range: The cells.
    ///   - first: The line that the top row shows.
    package mutating func mark(_ range: Range<ScreenPosition>, first: Int) {
        for line in range.lowerBound.line...range.upperBound.line where rows.indices.contains(line - first) {
            let start = line == range.lowerBound.line ? range.lowerBound.column : 0
            let end = line == range.upperBound.line ? range.upperBound.column : columns
            for column in start..<max(start, min(end, rows[line - first].cells.count)) {
                rows[line - first].cells[column].style.attributes.formSymmetricDifference(.reverse)
            }
        }
    }
}
