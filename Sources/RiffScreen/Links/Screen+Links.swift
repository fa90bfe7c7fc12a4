// Riff
// SPDX-License-Identifier: Apache-2.0

extension Screen {
    /// The link at a place, whichever way it was made.
    ///
    /// - Parameters:
    ///   - place: A cell; see ``lines``.
    ///   - detector: Which schemes are opened.
    /// - Returns: The link, also one that opens nothing; `nil` where there is none.
    public func link(at place: ScreenPosition, detector: LinkDetector = LinkDetector()) -> FoundLink? {
        guard lines.contains(place.line), (0..<columns).contains(place.column) else { return nil }
        let first = lines.lowerBound
        let relative = ScreenPosition(line: place.line - first, column: place.column)
        let reach = LinkDetector.reachInLines(columns)
        let breaks = breaks(in: (place.line - reach..<place.line + reach).clamped(to: lines))
        let near = RowText.lines(around: relative, count: lines.count, width: { _ in columns }) {
            isWrapped(line: first + $0) || breaks.joins(first + $0)
        }
        return text(of: first + near.lowerBound..<first + near.upperBound, breaks: breaks, around: place)
            .found(by: detector)
            .first { $0.range.contains(place) }
    }

    /// The links on some lines, in order. A text that goes on before or after them is searched as far as
    /// ``link(at:detector:)`` looks.
    public func links(in lines: Range<Int>, detector: LinkDetector = LinkDetector()) -> [FoundLink] {
        let wanted = lines.clamped(to: self.lines)
        guard !wanted.isEmpty else { return [] }
        var found: [FoundLink] = []
        let margin = LinkDetector.reach / columns + 1
        var start = wanted.lowerBound
        let reach = LinkDetector.reachInLines(columns)
        let breaks = breaks(in: (wanted.lowerBound - reach..<wanted.upperBound + reach).clamped(to: self.lines))
        func goesOn(_ line: Int) -> Bool { isWrapped(line: line) || breaks.joins(line) }
        while start > self.lines.lowerBound, wanted.lowerBound - start < margin, goesOn(start - 1) { start -= 1 }
        while start < wanted.upperBound {
            var end = start + 1
            while end < self.lines.upperBound, end < wanted.upperBound + margin, goesOn(end - 1) { end += 1 }
            found += text(of: start..<end, breaks: breaks, around: nil).found(by: detector)
            start = end
        }
        return found.filter {
            $0.range.upperBound.line >= wanted.lowerBound && $0.range.lowerBound.line < wanted.upperBound
        }
    }

    private func breaks(in lines: Range<Int>) -> HardBreaks {
        HardBreaks(
            lines,
            columns: { _ in columns },
            scalars: { line in
                row(ofLine: line)?.cells.prefix(columns).map { cell in
                    if cell.isSpacer || cell.cluster != nil { return RowShape.letter }
                    return cell.isBlank ? 0x20 : cell.glyph & Cell.content
                } ?? []
            },
            isWrapped: { isWrapped(line: $0) }
        )
    }

    private func text(of lines: Range<Int>, breaks: HardBreaks, around place: ScreenPosition?) -> RowText {
        var text = RowText(firstLine: lines.lowerBound)
        for line in lines {
            guard let row = row(ofLine: line) else { continue }
            let range = RowText.columns(of: line, width: columns, around: place)
            text.begin(range)
            // Beyond the cells that are kept there is nothing but blanks; in the text's last line they do not count.
            let joined = breaks.text(of: line, within: lines)
            let kept = line == lines.upperBound - 1 ? range.clamped(to: 0..<row.cells.count) : range
            var start = kept.lowerBound
            while start < kept.upperBound {
                let column = start
                // Most cells hold one character and no link: as many as there are, but for the last column, at once.
                let plain = row.cells.withUnsafeBufferPointer { cells in
                    let end = min(kept.upperBound, columns - 1, cells.count, joined.upperBound)
                    var next = column
                    guard column >= joined.lowerBound else { return 0 }
                    while next < end, cells[next].isSingle { next += 1 }
                    if next > column { text.append(run: UnsafeBufferPointer(rebasing: cells[column..<next])) }
                    return next - column
                }
                start += max(plain, 1)
                if plain > 0 { continue }
                if !joined.contains(column) || isLeftBlank(row, column, before: line + 1) {
                    text.append(EmptyCollection(), link: nil)
                } else {
                    append(row.cell(column), to: &text)
                }
            }
            if breaks.isDoubtful(line, within: lines) { text.appendDoubt() }
        }
        return text
    }

    /// Whether a cell is blank because the wide character that came next found no room in it: it is no space in the
    /// text.
    func isLeftBlank(_ row: Row, _ column: Int, before next: Int) -> Bool {
        column == columns - 1 && row.isWrapped && row.cell(column).isBlank
            && self.row(ofLine: next)?.cell(0).isWide == true
    }

    @inline(__always)
    private func append(_ cell: Cell, to text: inout RowText) {
        let link = cell.extra == 0 ? nil : extras[cell.extra].link
        if cell.isSpacer {
            text.append(EmptyCollection(), link: link)
        } else if let cluster = cell.cluster {
            text.append(clusters.text(cluster).unicodeScalars.lazy.map(\.value), link: link)
        } else {
            text.append(cell.isBlank ? 0x20 : cell.glyph & Cell.content, link: link)
        }
    }
}
