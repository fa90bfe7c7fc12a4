// Riff
// SPDX-License-Identifier: Apache-2.0

package import RiffScreen

/// What to write to a terminal so that it shows a picture, given what it shows already.
package struct RowPainter {
    private var shown: ScreenPicture?

    package init() {}

    package mutating func paint(_ picture: ScreenPicture) -> String {
        let before = shown
        shown = picture
        let rows = picture.rows.indices.filter { index in
            guard let before, before.rows.count == picture.rows.count else { return true }
            return before.rows[index] != picture.rows[index]
        }
        guard !rows.isEmpty else { return "" }
        // Erased first: to erase behind a full row would take its last cell.
        let text = rows.map { index in
            let row = ScreenPicture(rows: [picture.rows[index]], columns: picture.columns).ansi
            return "\u{1B}[\(index + 1);1H\u{1B}[0m\u{1B}[2K" + row
        }
        // One frame at a time, for terminals that can.
        return "\u{1B}[?2026h\u{1B}[?25l" + (before == nil ? "\u{1B}[0m\u{1B}[2J" : "") + text.joined()
            + "\u{1B}[?2026l"
    }
}
