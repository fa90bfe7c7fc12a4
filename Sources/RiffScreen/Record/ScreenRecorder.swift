// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

// sample: screen: Screen
/// Makes a record of a session from its screen: what was shown when, what scrolled away, and marks. Secrets are dots
/// before anything leaves it.
///
/// ```swift
/// var recorder = ScreenRecorder(redactor: ScreenRedactor(secrets: [Secret("hunter2")]))
/// let entries = recorder.record(screen, at: 1_800_000_000)
/// print(Cast(entries).bytes.count)
/// ```
///
/// The record has the screen at the moments at which it was given, not each byte between them: give it after some
/// output and 50 ms without any, and at least every half second while output goes on.
public struct ScreenRecorder: Sendable {
    /// What was recorded last, with dots for secrets; `nil` before the first record.
    public private(set) var picture: ScreenPicture?

    private var redactor: ScreenRedactor
    private var scrolled = ScrolledLines(limit: 1)
    private var cursor = ""
    /// The time of the last whole picture, and what was drawn since, in bytes.
    private var keyTime = -Double.infinity
    private var drawnBytes = 0
    private var title = ""
    private var size: TerminalSize?
    private var state = ""
    /// The first line of the screen, by the screen's numbers, when it was recorded last.
    private var top: Int?
    private var wasAlternate = false
    /// The beginning of a wrapped line that is out of sight, and goes on on the screen.
    private var begun = ""

    /// Creates a recorder.
    ///
    /// - Parameter redactor: What makes secrets dots.
    public init(redactor: ScreenRedactor = ScreenRedactor()) { self.redactor = redactor }

    /// Records the screen as it is.
    ///
    /// - Parameters:
    ///   - screen: The session's screen.
    ///   - time: The time, in seconds since 1970.
    /// - Returns: The entries to be kept; empty if nothing changed.
    public mutating func record(_ screen: Screen, at time: Double) -> [RecordEntry] {
        var entries: [RecordEntry] = []
        if size != screen.size {
            size = screen.size
            picture = nil
            top = nil
            scrolled = ScrolledLines(limit: 1)
        }
        // Now and then all of it, so that a record of which the beginning was dropped has one.
        if picture == nil || time - keyTime > 300 || drawnBytes > 1 << 18 {
            picture = nil
            cursor = ""
            (keyTime, drawnBytes) = (time, 0)
            entries.append(RecordEntry(time: time, content: .resized(screen.size)))
        }
        let next = redactor.redacted(screen.picture, cursor: (screen.cursor.row, screen.cursor.column))
        let lines = gone(from: screen, next, at: time)
        if !lines.isEmpty { entries.append(RecordEntry(time: time, content: .lines(lines, state: state))) }
        var text = ScreenDrawing.changes(from: picture, to: next)
        picture = next
        let place = ScreenDrawing.cursor(of: screen)
        if !text.isEmpty || place != cursor { text += place }
        cursor = place
        let name = redactor.redacted(screen.title)
        if name != title {
            title = name
            text += "\u{1B}]2;\(InertText.quote(name, limitBytes: 200))\u{7}"
        }
        drawnBytes += text.utf8.count
        if !text.isEmpty { entries.append(RecordEntry(time: time, content: .drew(text))) }
        return entries
    }

    /// Records a mark.
    public mutating func record(_ mark: RecordMark) -> RecordEntry {
        var mark = mark
        mark.text = InertText.quote(redactor.redacted(mark.text), limitBytes: 600)
        if mark.kind == .state { state = mark.text }
        return RecordEntry(time: mark.time, content: .mark(mark))
    }

    /// Records the lines that are still on the screen, so that they are found like those that went.
    ///
    /// - Parameter time: The time, in seconds since 1970.
    /// - Returns: The entries; empty for a blank screen.
    public mutating func finish(at time: Double) -> [RecordEntry] {
        guard let picture else { return [] }
        var lines = wasAlternate ? scrolled.remainingLines.map(\.text) : Self.lines(picture)
        if !wasAlternate, !begun.isEmpty { lines = [begun + (lines.first ?? "")] + lines.dropFirst() }
        begun = ""
        self.picture = nil
        size = nil
        return lines.isEmpty ? [] : [RecordEntry(time: time, content: .lines(lines, state: state))]
    }

    /// The lines that went out of sight.
    private mutating func gone(from screen: Screen, _ next: ScreenPicture, at time: Double) -> [String] {
        defer { wasAlternate = screen.isAlternate }
        if screen.isAlternate {
            if !wasAlternate { scrolled = ScrolledLines(limit: 1) }
            return scrolled.add(next, at: time).map(\.text).filter { !$0.isEmpty }
        }
        let now = screen.visibleLines.lowerBound
        var end = now
        while end > screen.lines.lowerBound, screen.isWrapped(line: end - 1) { end -= 1 }
        begun = end < now ? Self.lines(redactor.redacted(screen.picture(of: end..<now))).joined() : ""
        // The numbers mean something else after the alternate screen.
        let before = wasAlternate ? nil : top
        top = end
        guard let before, before < end else { return [] }
        let range = max(before, screen.lines.lowerBound)..<end
        return Self.lines(redactor.redacted(screen.picture(of: range)))
    }

    /// The lines of a picture that have text, with those joined that the terminal wrapped.
    private static func lines(_ picture: ScreenPicture) -> [String] {
        var lines: [String] = []
        var line = ""
        for row in picture.rows {
            line +=
                row.isWrapped
                ? row.cells.map { $0.text.isEmpty && $0.width > 0 ? " " : $0.text }.joined()
                : ScrolledLines.text(row)
            if row.isWrapped { continue }
            if !line.isEmpty { lines.append(line) }
            line = ""
        }
        return line.isEmpty ? lines : lines + [line]
    }
}
