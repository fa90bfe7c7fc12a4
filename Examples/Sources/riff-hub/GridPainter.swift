// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffScreen

/// What to write to the person's terminal so that it shows a frame, given what it shows already.
package struct GridPainter {
    private var shown: GridView.Frame?

    package init() {}

    /// Forgets what the terminal shows: after a resize, which may have left anything.
    package mutating func reset() { shown = nil }

    /// The control sequences that turn what is shown into a frame; none where nothing differs.
    package mutating func paint(_ frame: GridView.Frame) -> String {
        guard frame != shown else { return "" }
        let before = shown.flatMap { $0.columns == frame.columns && $0.rows.count == frame.rows.count ? $0 : nil }
        shown = frame
        var text = before == nil ? "\u{1B}[0m\u{1B}[2J" : ""
        for (index, row) in frame.rows.enumerated() where before?.rows[index] != row {
            // Erased first: to erase behind a full row would take its last cell.
            text += "\u{1B}[\(index + 1);1H\u{1B}[0m\u{1B}[2K" + ScreenPicture(rows: [row], columns: frame.columns).ansi
        }
        let cursor = "\u{1B}[\(frame.rows.count);\(frame.cursorColumn + 1)H"
        // One frame at a time, for terminals that can; without the cursor running over the screen, for all.
        return "\u{1B}[?2026h\u{1B}[?25l\(text)\(cursor)\u{1B}[?25h\u{1B}[?2026l"
    }
}
