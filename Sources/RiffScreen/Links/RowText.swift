// Riff
// SPDX-License-Identifier: Apache-2.0

/// Rows that are one text, or the part of it around a place, for a ``LinkDetector``.
struct RowText {
    private var text = LinkText()
    /// The first line, and for each line how many cells of it came before it.
    private let firstLine: Int
    private var starts: [Int] = []
    private var columns: [Int] = []

    init(firstLine: Int) { self.firstLine = firstLine }

    init(
        _ rows: ArraySlice<ScreenRow>,
        firstLine: Int,
        breaks: HardBreaks,
        around place: ScreenPosition? = nil
    ) {
        self.init(firstLine: firstLine)
        for (offset, row) in rows.enumerated() {
            let columns = Self.columns(of: firstLine + offset, width: row.cells.count, around: place)
            begin(columns)
            let next = offset + 1 < rows.count ? rows[rows.startIndex + offset + 1] : nil
            let joined = breaks.text(of: firstLine + offset, within: firstLine..<firstLine + rows.count)
            let pushesOn = row.isWrapped && next?.cells.first?.width == 2
            for column in columns {
                // Blank because the wide character that came next found no room in it: no space in the text.
                let isLeftBlank = pushesOn && column == row.cells.count - 1 && row.cells[column].text.isEmpty
                append(row.cells[column], isLeftBlank: isLeftBlank || !joined.contains(column))
            }
            if breaks.isDoubtful(firstLine + offset, within: firstLine..<firstLine + rows.count) { appendDoubt() }
        }
    }

    // MARK: What is searched

    /// The lines of one text around a place, as far as is looked.
    static func lines(
        around place: ScreenPosition,
        count: Int,
        width: (Int) -> Int,
        isWrapped: (Int) -> Bool
    ) -> Range<Int> {
        var (first, last) = (place.line, place.line)
        var left = LinkDetector.reach - place.column
        while left > 0, first > 0, isWrapped(first - 1) {
            first -= 1
            left -= max(width(first), 1)
        }
        var right = LinkDetector.reach - (width(last) - place.column)
        while right > 0, isWrapped(last), last + 1 < count {
            last += 1
            right -= max(width(last), 1)
        }
        return first..<last + 1
    }

    static func columns(of line: Int, width: Int, around place: ScreenPosition?) -> Range<Int> {
        guard let place, line == place.line else { return 0..<width }
        let near = place.column - LinkDetector.reach..<place.column + LinkDetector.reach
        return near.clamped(to: 0..<width)
    }

    // MARK: Building

    mutating func begin(_ columns: Range<Int>) {
        starts.append(text.cellCount)
        self.columns.append(columns.lowerBound)
    }

    private mutating func append(_ cell: ScreenCell, isLeftBlank: Bool) {
        if cell.width > 0, !isLeftBlank {
            if cell.text.isEmpty {
                text.append(0x20)
            } else {
                for scalar in cell.text.unicodeScalars { text.append(scalar.value) }
            }
        }
        text.endCell(link: cell.link)
    }

    /// Appends the mark that it is not known whether the next row continues this one.
    mutating func appendDoubt() { text.append(HardBreaks.doubt) }

    @inline(__always)
    mutating func append(_ scalar: UInt32, link: ScreenLink?) {
        text.append(scalar)
        text.endCell(link: link)
    }

    mutating func append(run: UnsafeBufferPointer<Cell>) { text.append(run: run) }

    mutating func append(_ scalars: some Sequence<UInt32>, link: ScreenLink?) {
        for scalar in scalars { text.append(scalar) }
        text.endCell(link: link)
    }

    // MARK: What is found

    func found(by detector: LinkDetector) -> [FoundLink] {
        detector.links(in: text).map { link in
            let cells = text.cells(link.range)
            return FoundLink(
                url: link.url,
                kind: link.kind,
                range: position(cells.lowerBound)..<end(cells.upperBound),
                text: text.string(link.range),
                id: link.id
            )
        }
    }

    private func position(_ cell: Int) -> ScreenPosition {
        // The last line that begins at or before the cell.
        var (line, end) = (0, starts.count)
        while end - line > 1 {
            let middle = (line + end) / 2
            if starts[middle] <= cell { line = middle } else { end = middle }
        }
        return ScreenPosition(line: firstLine + line, column: cell - starts[line] + columns[line])
    }

    /// Behind a cell: in the cell's own line, not at the beginning of the next.
    private func end(_ cell: Int) -> ScreenPosition {
        var end = position(cell - 1)
        end.column += 1
        return end
    }
}
