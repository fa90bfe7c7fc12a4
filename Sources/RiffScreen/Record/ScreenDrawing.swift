// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// The control sequences that make one picture of another.
enum ScreenDrawing {
    /// Draws what differs.
    ///
    /// - Parameters:
    ///   - earlier: What is shown; `nil` for anything.
    ///   - later: What is to be shown, of the same size.
    /// - Returns: The sequences; empty if nothing differs.
    static func changes(from earlier: ScreenPicture?, to later: ScreenPicture) -> String {
        var result = earlier == nil ? "\u{1B}[0m\u{1B}[2J" : ""
        let isSame = later.rows.indices.map { row in earlier.map { $0.rows[row] == later.rows[row] } ?? false }
        var row = 0
        while row < later.rows.count {
            // Rows that the terminal wrapped are written in one go, so that it wraps them again.
            var end = row
            while end + 1 < later.rows.count, later.rows[end].isWrapped { end += 1 }
            if !isSame[row...end].allSatisfy(\.self) {
                result += "\u{1B}[\(row + 1);1H"
                for line in row...end {
                    result += text(of: later.rows[line].cells, isPadded: line < end, columns: later.columns)
                }
            }
            row = end + 1
        }
        return result
    }

    /// Puts the cursor where it is.
    static func cursor(of screen: Screen) -> String {
        let place = "\u{1B}[\(screen.cursor.row + 1);\(screen.cursor.column + 1)H"
        return place + (screen.modes.cursorVisible ? "\u{1B}[?25h" : "\u{1B}[?25l")
    }

    private static func text(of cells: [ScreenCell], isPadded: Bool, columns: Int) -> String {
        let end = isPadded ? cells.count : (cells.lastIndex { !$0.isPlainBlank } ?? -1) + 1
        var result = ""
        var style = CellStyle()
        var link: ScreenLink?
        for cell in cells.prefix(end) where cell.width > 0 {
            if cell.style != style {
                result += "\u{1B}[0" + cell.style.parameters + "m"
                style = cell.style
            }
            if cell.link != link {
                link = cell.link
                let id = link?.id.map { "id=" + $0 } ?? ""
                result += "\u{1B}]8;\(id);\(link?.uri ?? "")\u{1B}\\"
            }
            result += cell.text.isEmpty ? " " : cell.text
        }
        if link != nil { result += "\u{1B}]8;;\u{1B}\\" }
        if style != CellStyle() { result += "\u{1B}[0m" }
        // After the last column it would erase that one.
        return end < columns ? result + "\u{1B}[K" : result
    }
}
