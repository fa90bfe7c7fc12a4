// Riff
// SPDX-License-Identifier: Apache-2.0

/// The lines that scrolled out of sight on the alternate screen, which keeps none: found by comparing the screen with
/// what it showed before.
///
/// A program that shows something else for a while, such as a menu, loses nothing; one that scrolls back and forth adds
/// nothing twice. A screen that has nothing in common with the one before it is told (``gapCount``): then more may have
/// gone by than was ever shown. What a program never showed cannot be found; its own transcript has it.
public struct ScrolledLines: Sendable {
    /// A row that went out of sight.
    public struct Line: Sendable, Hashable {
        /// Its text, without the space at its end.
        public var text: String
        /// Its cells.
        public var row: ScreenRow
        /// The time of the screen that showed it last, by the caller's time line.
        public var time: Double
    }

    /// The lines, the oldest first.
    public private(set) var lines: [Line] = []
    /// The number of lines that were dropped before those, because of the limit.
    public private(set) var droppedCount = 0
    /// The number of screens that had nothing in common with the one before.
    public private(set) var gapCount = 0

    private let limit: Int
    private var size: (columns: Int, rows: Int) = (0, 0)
    private var text: ScreenText?
    /// What is shown instead of the text for a while, if it does not fit.
    private var other: (text: ScreenText, gone: [Line])?
    /// Texts of before, of which lines are gone without having scrolled.
    private var earlier: [ScreenText] = []
    private var wasBlank = true

    /// Creates an empty history.
    ///
    /// - Parameter limit: The most lines that are kept; the oldest go first.
    public init(limit: Int = 10_000) { self.limit = max(limit, 1) }

    /// Takes the screen as it is now. Rows that are still being drawn look like others: call it when the program rests,
    /// such as after some output and 50 ms without any.
    ///
    /// - Parameters:
    ///   - picture: The alternate screen.
    ///   - time: The time, by the caller's time line.
    /// - Returns: The lines that went out of sight since the last call.
    @discardableResult
    public mutating func add(_ picture: ScreenPicture, at time: Double) -> [Line] {
        let rows = picture.rows.map { Line(text: Self.text($0), row: $0, time: time) }
        // Another size wraps the text anew; a program draws all of it again.
        guard let before = text, size == (picture.columns, rows.count) else {
            size = (picture.columns, rows.count)
            text = ScreenText(rows)
            other = nil
            earlier = []
            return []
        }
        // A screen that was drawn over, or half drawn, is followed by one that goes on from an earlier one.
        var (next, best) = (before, before.fit(of: rows))
        var isEarlier = false
        for text in earlier.reversed() {
            let fit = text.fit(of: rows)
            if fit > best { (next, best, isEarlier) = (text, fit, true) }
        }
        if next.add(rows) {
            other = nil
            let gone = next.takeGone()
            if before.lines(lostIn: next).count > 2 { earlier.append(before) }
            text = next
            let found = keep(gone, isEarlier: isEarlier)
            guard earlier.count > 3 else { return found }
            // What did not come back is gone.
            return found + keep(lost(from: earlier.removeFirst()))
        }
        if var shown = other?.text, shown.add(rows) {
            let gone = shown.takeGone()
            other = (shown, (other?.gone ?? []) + gone)
        } else {
            other = (ScreenText(rows), [])
        }
        // Something that scrolls by a screen and more is what the program shows now: what was between is not known.
        guard let shown = other, shown.gone.count * 4 >= rows.count else { return [] }
        gapCount += 1
        let gone = before.rest()
        text = shown.text
        other = nil
        earlier = []
        return keep(gone + shown.gone)
    }

    /// The lines that are still on the screen, or under something else that is shown: for the end of a session.
    public var remainingLines: [Line] {
        let covered = earlier.reduce(into: [Line]()) { all, text in
            let known = Set(all.map(\.text))
            all += lost(from: text).filter { !known.contains($0.text) }
        }
        return (covered + (text?.rest() ?? []) + (other?.text.rest() ?? [])).filter { !$0.text.isEmpty }
    }

    /// The lines of an earlier text that are nowhere now.
    private func lost(from earlier: ScreenText) -> [Line] {
        guard let text else { return [] }
        let known = Set(lines.suffix(4 * size.rows).map(\.text))
        return earlier.lines(lostIn: text).filter { !known.contains($0.text) }
    }

    private mutating func keep(_ gone: [Line], isEarlier: Bool = false) -> [Line] {
        var gone = gone
        if isEarlier, let last = lines.last(where: { !$0.text.isEmpty })?.text {
            // What the later text gave already.
            for end in gone.indices.reversed() where gone[end].text == last {
                let known = gone[...end].map(\.text).filter { !$0.isEmpty }
                guard
                    lines.suffix(2 * gone.count + 2).map(\.text).filter({ !$0.isEmpty }).suffix(known.count)
                        == known[...]
                else { continue }
                gone.removeFirst(end + 1)
                break
            }
        }
        // A screen has empty rows where its text has none.
        var found: [Line] = []
        for line in gone {
            if line.text.isEmpty, wasBlank { continue }
            wasBlank = line.text.isEmpty
            found.append(line)
        }
        lines += found
        if lines.count > limit + limit / 4 {
            droppedCount += lines.count - limit
            lines.removeFirst(lines.count - limit)
        }
        return found
    }

    static func text(_ row: ScreenRow) -> String {
        var text = ""
        for cell in row.cells where cell.width > 0 { text += cell.text.isEmpty ? " " : cell.text }
        while text.utf8.last == 0x20 { text.unicodeScalars.removeLast() }
        return text
    }
}
