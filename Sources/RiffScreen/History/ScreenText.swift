// Riff
// SPDX-License-Identifier: Apache-2.0

/// A text of which screens show a part each: a full-screen program's lines, put together again.
///
/// Each screen is laid on the text where most of its changed rows fit. Rows that stayed where they are, such as a
/// composer at the bottom, say nothing of a move; rows above the first that fits, such as a heading that stays, are
/// the program's and not the text's.
struct ScreenText: Sendable {
    /// The text's lines; of those above the screen, as many as four screens.
    private(set) var lines: [ScrolledLines.Line]
    /// The line at the top of the screen.
    private(set) var top = 0
    /// How many lines from the beginning were given away.
    private var givenCount = 0

    init(_ rows: [ScrolledLines.Line]) { lines = rows }

    /// How many rows of a screen fit where it would be laid.
    func fit(of rows: [ScrolledLines.Line]) -> Int {
        let shown = lines[top...].map(\.text)
        let isSame = rows.indices.map { $0 < shown.count && shown[$0] == rows[$0].text }
        let stayed = rows.indices.count { isSame[$0] && !rows[$0].text.isEmpty }
        guard let place = place(of: rows, isSame) else { return stayed }
        return rows.indices.count { row in
            let line = place.top + row
            return !rows[row].text.isEmpty && line < lines.count && lines[line].text == rows[row].text
        }
    }

    /// Lays the next screen on the text.
    ///
    /// - Parameter rows: The screen's rows; as many as before.
    /// - Returns: Whether it fits somewhere. If not, nothing changed.
    mutating func add(_ rows: [ScrolledLines.Line]) -> Bool {
        let shown = lines[top...].map(\.text)
        let isSame = rows.indices.map { $0 < shown.count && shown[$0] == rows[$0].text }
        if let place = place(of: rows, isSame) {
            // Above the first row that fits the screen shows something else than the text.
            lines.removeSubrange(min(place.top + place.first, lines.count)...)
            lines += rows[(lines.count - place.top)...]
            top = place.top
            return true
        }
        let same = rows.indices.count { isSame[$0] && !shown[$0].isEmpty }
        let filled = min(shown.count { !$0.isEmpty }, rows.count { !$0.text.isEmpty })
        guard same * 3 >= filled else { return false }
        lines.removeSubrange(top...)
        lines += rows
        return true
    }

    /// The lines that went above the screen, once each.
    mutating func takeGone() -> [ScrolledLines.Line] {
        guard top > givenCount else { return [] }
        let gone = Array(lines[givenCount..<top])
        givenCount = top
        let spare = top - 4 * (lines.count - top)
        if spare > 0 {
            lines.removeFirst(spare)
            top -= spare
            givenCount -= spare
        }
        return gone
    }

    /// The lines on this text's screen that a later text does not have any more.
    func lines(lostIn later: ScreenText) -> [ScrolledLines.Line] {
        let known = Set(later.lines.map(\.text))
        return lines[top...].filter { !$0.text.isEmpty && !known.contains($0.text) }
    }

    /// All that was not given yet.
    func rest() -> [ScrolledLines.Line] { Array(lines[min(max(givenCount, top), lines.count)...]) }

    /// Where a screen's changed rows fit best.
    private func place(of rows: [ScrolledLines.Line], _ isSame: [Bool]) -> (top: Int, first: Int)? {
        var numbers: [String: Int] = [:]
        func number(_ text: String) -> Int {
            if text.isEmpty { return 0 }
            if let known = numbers[text] { return known }
            numbers[text] = numbers.count + 1
            return numbers.count
        }
        let text = lines.map { number($0.text) }
        let screen = rows.map { number($0.text) }
        var counts = Array(repeating: (text: 0, screen: 0), count: numbers.count + 1)
        for line in text { counts[line].text += 1 }
        for row in screen { counts[row].screen += 1 }
        var best: (top: Int, first: Int, score: Int)?
        for start in text.indices where start != top {
            var (score, contradictions, first, pending) = (0, 0, -1, 0)
            var isRare = false
            for row in screen.indices where screen[row] != 0 && start + row < text.count {
                if isSame[row] {
                    // A row that stayed, between rows that moved.
                    pending += 1
                } else if text[start + row] == screen[row] {
                    contradictions += pending
                    pending = 0
                    score += 1
                    if counts[screen[row]] == (1, 1) {
                        score += 1
                        isRare = true
                    }
                    if first < 0 { first = row }
                }
            }
            guard isRare, score > contradictions, score - contradictions > best?.score ?? 1 else { continue }
            best = (start, first, score - contradictions)
        }
        return best.map { ($0.top, $0.first) }
    }
}
