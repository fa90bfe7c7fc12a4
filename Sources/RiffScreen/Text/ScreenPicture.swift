// Riff
// SPDX-License-Identifier: Apache-2.0

/// What is on the screen at a moment, to be compared with another moment or to be kept.
public struct ScreenPicture: Sendable, Hashable {
    /// The rows from the top.
    public var rows: [ScreenRow]
    /// The cells of a row.
    public var columns: Int

    /// Creates a picture.
    public init(rows: [ScreenRow], columns: Int) {
        self.rows = rows
        self.columns = columns
    }

    /// A run of cells that differs between two pictures.
    public struct Difference: Sendable, Hashable {
        /// The row, from 0.
        public var row: Int
        /// The columns, from the first to the last that differ.
        public var columns: Range<Int>

        /// Creates a difference.
        package init(row: Int, columns: Range<Int>) {
            self.row = row
            self.columns = columns
        }
    }

    /// Returns the differences of this picture from an earlier one, a run of columns for each row; everything if the
    /// sizes differ.
    public func difference(from earlier: ScreenPicture) -> [Difference] {
        guard columns == earlier.columns, rows.count == earlier.rows.count else {
            return rows.indices.map { Difference(row: $0, columns: 0..<columns) }
        }
        return rows.indices.compactMap { index in
            let (old, new) = (earlier.rows[index].cells, rows[index].cells)
            guard old != new else { return nil }
            let differing = (0..<max(old.count, new.count)).filter { column in
                column >= old.count || column >= new.count || old[column] != new[column]
            }
            guard let first = differing.first, let last = differing.last else { return nil }
            return Difference(row: index, columns: first..<last + 1)
        }
    }
}

extension Screen {
    /// A picture of this moment.
    public var picture: ScreenPicture { picture(of: visibleLines) }

    /// A picture of some lines; see ``lines``.
    public func picture(of lines: Range<Int>) -> ScreenPicture {
        let rows = lines.clamped(to: self.lines).map {
            ScreenRow(cells: cells(ofLine: $0), isWrapped: isWrapped(line: $0))
        }
        return ScreenPicture(rows: rows, columns: columns)
    }
}
