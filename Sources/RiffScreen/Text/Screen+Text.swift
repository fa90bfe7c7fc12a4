// Riff
// SPDX-License-Identifier: Apache-2.0

extension Screen {
    /// What is on the screen: its rows, each without the space at its end, with a line feed between.
    public var visibleText: String { visibleLines.map(text(ofLine:)).joined(separator: "\n") }

    /// The text of a line, without the space at its end; empty for a line that is not kept.
    public func text(ofLine line: Int) -> String { trimmed(text(of: line, 0..<columns)) }

    /// The text from one place up to another, as a person would copy it: a line that the screen wrapped is one line,
    /// and space at the end of a line is left out.
    ///
    /// - Parameter range: Places; those outside of ``lines`` are brought inside. A wide character counts with its left
    ///   half.
    /// - Returns: The text, with a line feed between lines.
    public func text(in range: Range<ScreenPosition>) -> String {
        let lines =
            max(range.lowerBound.line, self.lines.lowerBound)...max(range.upperBound.line, self.lines.lowerBound)
        var result = ""
        var joined = ""
        for line in lines where self.lines.contains(line) {
            let start = line == range.lowerBound.line ? range.lowerBound.column : 0
            let end = line == range.upperBound.line ? range.upperBound.column : columns
            joined += text(of: line, max(start, 0)..<max(min(end, columns), max(start, 0)))
            if isWrapped(line: line), line < lines.upperBound { continue }
            result += line == lines.upperBound ? joined : trimmed(joined) + "\n"
            joined = ""
        }
        return trimmed(result + joined)
    }

    /// The word at a place: a run of what is not space or bracket, over wrapped rows; `nil` where there is none.
    public func word(at place: ScreenPosition) -> Range<ScreenPosition>? {
        guard isWordPart(place) else { return nil }
        var start = place
        while let before = self.place(before: start), isWordPart(before) { start = before }
        var last = place
        while let after = self.place(after: last), isWordPart(after) { last = after }
        return start..<ScreenPosition(line: last.line, column: last.column + 1)
    }

    // MARK: Parts

    /// The text of some columns, blank cells as spaces.
    func text(of line: Int, _ range: Range<Int>) -> String {
        guard let row = row(ofLine: line) else { return "" }
        var text = ""
        for column in range where !row.cell(column).isSpacer {
            let cell = row.cell(column)
            if isLeftBlank(row, column, before: line + 1) { continue }
            if cell.isBlank { text += " " } else { text += self.text(of: cell) }
        }
        return text
    }

    private func trimmed(_ text: String) -> String {
        var scalars = Substring(text).unicodeScalars
        while let last = scalars.last, last == " " || last == "\n" { scalars.removeLast() }
        return String(Substring(scalars))
    }

    private func place(before place: ScreenPosition) -> ScreenPosition? {
        if place.column > 0 { return ScreenPosition(line: place.line, column: place.column - 1) }
        guard isWrapped(line: place.line - 1) else { return nil }
        return ScreenPosition(line: place.line - 1, column: columns - 1)
    }

    private func place(after place: ScreenPosition) -> ScreenPosition? {
        if place.column < columns - 1 { return ScreenPosition(line: place.line, column: place.column + 1) }
        guard isWrapped(line: place.line), lines.contains(place.line + 1) else { return nil }
        return ScreenPosition(line: place.line + 1, column: 0)
    }

    private func isWordPart(_ place: ScreenPosition) -> Bool {
        guard let cell = row(ofLine: place.line)?.cell(place.column), place.column < columns else { return false }
        if cell.isSpacer { return true }
        return !cell.isBlank && (cell.cluster != nil || !Self.wordSeparators.contains(cell.glyph & Cell.content))
    }

    private static let wordSeparators = Set(" ()[]{}<>\"'`,;|│".unicodeScalars.map(\.value))
}
