// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffScreen

/// What to write to the person's terminal so that it shows a frame, given what it shows already.
package struct Painter {
    private var shown: Frame?

    package init() {}

    /// Forgets what the terminal shows: after a resize, which may have left anything.
    package mutating func reset() { shown = nil }

    /// The rows that are shown, where they are those of a source; `nil` where all are to be made anew.
    func rows(of source: Frame.Source) -> [ScreenRow]? { shown?.source == source ? shown?.rows : nil }

    /// The control sequences that turn what is shown into a frame; none where nothing differs.
    package mutating func paint(_ frame: Frame) -> String {
        let before = shown
        shown = frame
        let rows = frame.rows.indices.filter { index in
            guard let old = before?.rows, old.count == frame.rows.count else { return true }
            return old[index] != frame.rows[index]
        }
        var text = rows.map { Self.text(of: frame.rows[$0], at: $0, frame.columns) }.joined()
        if before == nil { text = "\u{1B}[0m\u{1B}[2J" + text }
        text += Self.modes(frame.modes, before: before?.modes ?? TerminalModes())
        if frame.title != before?.title ?? "" { text += "\u{1B}]2;\(InertText.line(frame.title))\u{7}" }
        guard !text.isEmpty || frame.cursor != before?.cursor else { return "" }
        // One frame at a time, for terminals that can; without the cursor running over the screen, for all.
        return "\u{1B}[?2026h\u{1B}[?25l" + text + Self.cursor(frame.cursor, frame.columns) + "\u{1B}[?2026l"
    }

    /// Erased first: to erase behind a full row would take its last cell.
    private static func text(of row: ScreenRow, at index: Int, _ columns: Int) -> String {
        "\u{1B}[\(index + 1);1H\u{1B}[0m\u{1B}[2K" + ScreenPicture(rows: [row], columns: columns).ansi
    }

    private static func cursor(_ cursor: ScreenCursor?, _ columns: Int) -> String {
        guard let cursor else { return "" }
        var shape =
            switch cursor.shape {
            case .standard: 0
            case .block: 2
            case .underline: 4
            case .bar: 6
            }
        if shape > 0, cursor.isBlinking { shape -= 1 }
        let column = min(cursor.column, columns - 1) + 1
        return "\u{1B}[\(cursor.row + 1);\(column)H\u{1B}[\(shape) q\u{1B}[?25h"
    }

    /// What the session wants of a terminal's keyboard and mouse is wanted of the person's.
    private static func modes(_ modes: TerminalModes, before: TerminalModes) -> String {
        var text = ""
        func set(_ number: Int, _ isOn: Bool, _ wasOn: Bool) {
            if isOn != wasOn { text += "\u{1B}[?\(number)\(isOn ? "h" : "l")" }
        }
        set(1, modes.applicationCursorKeys, before.applicationCursorKeys)
        set(2004, modes.bracketedPaste, before.bracketedPaste)
        set(1004, modes.focusReports, before.focusReports)
        for (number, mouse) in [(1000, TerminalModes.Mouse.buttons), (1002, .drag), (1003, .motion)] {
            set(number, modes.mouse == mouse, before.mouse == mouse)
        }
        set(1006, modes.sgrMouse, before.sgrMouse)
        if modes.applicationKeypad != before.applicationKeypad {
            text += modes.applicationKeypad ? "\u{1B}=" : "\u{1B}>"
        }
        return text
    }
}
