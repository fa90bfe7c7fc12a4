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
    /// How many lines went before those, because of the limit.
    public private(set) var droppedCount = 0
    /// How often a screen had nothing in common with the one before it.
    public private(set) var gapCount = 0

    private struct Shown: Sendable {
        var picture: ScreenPicture
        var rows: [String]
        var time: Double
    }

    private let limit: Int
    private var current: Shown?
    /// What was shown before something that has nothing in common with it: it may come back.
    private var covered: Shown?
    private var coveredAge = 0
    /// How many of the lines are on the screen again, because the program scrolled back.
    private var returned = 0

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
        let next = Shown(picture: picture, rows: picture.rows.map(Self.text), time: time)
        defer { current = next }
        guard let current, current.rows.count == next.rows.count, current.picture.columns == picture.columns else {
            // Another size wraps the text anew; a program draws all of it again.
            covered = nil
            return []
        }
        if current.rows == next.rows { return [] }
        var found: [Line] = []
        if let before = covered {
            coveredAge += 1
            let isBack = ScreenShift.likeness(before.rows, next.rows) >= 0.5
            if isBack || ScreenShift.between(before.rows, next.rows) != nil {
                covered = nil
                if !isBack { found = apply(ScreenShift.between(before.rows, next.rows), from: before, to: next) }
                return keep(found)
            }
        }
        if let shift = ScreenShift.between(current.rows, next.rows) {
            found = apply(shift, from: current, to: next)
        } else if ScreenShift.likeness(current.rows, next.rows) < 0.34, covered == nil {
            covered = current
            coveredAge = 0
        }
        if let before = covered, coveredAge > 0, !found.isEmpty, found.count + coveredAge > next.rows.count {
            // It did not come back, and what came instead has scrolled by.
            covered = nil
            gapCount += 1
            found = before.rows.indices.filter { !before.rows[$0].isEmpty && !next.rows.contains(before.rows[$0]) }
                .map { Self.line(before, $0) } + found
        }
        return keep(found)
    }

    private mutating func apply(_ shift: ScreenShift?, from: Shown, to: Shown) -> [Line] {
        guard let shift else { return [] }
        guard shift.count > 0 else {
            // It came back only if it is what went.
            let back = shift.rows.map { to.rows[$0] }
            let known = lines.suffix(returned + back.count).dropLast(returned).map(\.text)
            if zip(back.reversed(), known.reversed()).allSatisfy({ $0 == $1 }) {
                returned = min(returned + back.count, lines.count)
            }
            return []
        }
        let again = min(returned, shift.count)
        returned -= again
        return shift.rows.dropFirst(again).map { Self.line(from, $0) }
    }

    private mutating func keep(_ found: [Line]) -> [Line] {
        lines += found
        if lines.count > limit + limit / 4 {
            droppedCount += lines.count - limit
            lines.removeFirst(lines.count - limit)
            returned = min(returned, lines.count)
        }
        return found
    }

    private static func line(_ shown: Shown, _ row: Int) -> Line {
        Line(text: shown.rows[row], row: shown.picture.rows[row], time: shown.time)
    }

    static func text(_ row: ScreenRow) -> String {
        var text = ""
        for cell in row.cells where cell.width > 0 { text += cell.text.isEmpty ? " " : cell.text }
        while text.utf8.last == 0x20 { text.unicodeScalars.removeLast() }
        return text
    }
}
