// Riff
// SPDX-License-Identifier: Apache-2.0

package import ExampleTerminal
package import RiffCore
import RiffScreen

/// What stands at the end of the terminal and is drawn anew with each change, beneath what has scrolled away.
package struct LiveArea {
    /// In how many rows above the cursor it stands.
    private var height = 0

    package init() {}

    /// What to write to the terminal.
    ///
    /// - Parameters:
    ///   - above: What is added to what stands above, whole lines.
    ///   - live: What stands here from now on; the cursor is behind it. Of more than fits, the end is shown.
    ///   - size: The terminal's.
    /// - Returns: Control sequences.
    package mutating func draw(above: HarmlessText, live: HarmlessText, size: TerminalSize) -> HarmlessText {
        // A screen of our own wraps it as the terminal would, and what does not fit scrolls off its top.
        var screen = Screen(size: TerminalSize(columns: size.columns, rows: max(size.rows - 1, 1)))
        screen.feed(Self.returning(live.text))
        let rows = screen.picture.rows.prefix(screen.cursor.row + 1)
        let picture = ScreenPicture(rows: Array(rows), columns: size.columns).ansi
        let up = height > 0 ? "\u{1B}[\(height)A" : ""
        height = rows.count - 1
        let column = min(screen.cursor.column, size.columns - 1) + 1
        // One frame at a time, for terminals that can; without the cursor running about, for all.
        return HarmlessText(
            drawn: "\u{1B}[?2026h\u{1B}[?25l\(up)\r\u{1B}[J\(Self.returning(above.text))"
                + Self.returning(picture) + "\u{1B}[\(column)G\u{1B}[?25h\u{1B}[?2026l"
        )
    }

    /// With a carriage return at each line's end: the terminal adds none while it is raw.
    private static func returning(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\r\n")
    }
}
