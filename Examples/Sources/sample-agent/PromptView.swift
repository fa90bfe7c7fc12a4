// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore

/// The lower end of the screen that is drawn again and again: the answer's unfinished line and the prompt. What is
/// above it has scrolled away for good and belongs to the terminal.
package struct PromptView: Sendable {
    private static let prompt = "> "

    private var rows = Rows()
    /// The cursor's place within `rows`.
    private var cursor = (row: 0, column: 0)

    /// Nothing drawn yet.
    package init() {}

    /// The bytes that take away what was drawn before, on a terminal `columns` wide (which may have changed since).
    package mutating func erase(columns: Int) -> String {
        // A narrower terminal has folded our rows, the cursor's own as well; count what they take now.
        let above = rows.height(ofFirst: cursor.row, columns: columns) + cursor.column / columns
        rows = Rows()
        cursor = (0, 0)
        return (above > 0 ? "\u{1B}[\(above)A" : "") + "\r\u{1B}[J"
    }

    /// The bytes that draw an unfinished answer line and the prompt beneath; the cursor must be in an empty row.
    package mutating func draw(answer: String, editor: LineEditor, columns: Int) -> String {
        var bytes = ""
        var all = Rows()
        if !answer.isEmpty {
            all.append(answer, columns: columns)
            bytes += all.texts.joined(separator: "\r\n") + "\r\n"
        }
        var prompt = Rows()
        prompt.append(Self.prompt + editor.text, columns: columns, indent: Self.prompt.count)
        var beforeCursor = Rows()
        beforeCursor.append(
            Self.prompt + String(editor.characters[..<editor.cursor]),
            columns: columns,
            indent: Self.prompt.count
        )
        var target = beforeCursor.position
        // A wide character that begins the next row leaves the cursor behind; put it where the character is.
        if editor.cursor < editor.characters.count, editor.characters[editor.cursor] != "\n",
            target.column + CharacterWidth.of(String(editor.characters[editor.cursor])) > max(2, columns - 1)
        {
            target = (target.row + 1, 0)
        }

        bytes += "\u{1B}[1;36m" + Self.prompt + "\u{1B}[0m" + String(prompt.texts[0].dropFirst(Self.prompt.count))
        for text in prompt.texts.dropFirst() { bytes += "\r\n" + text }
        let up = prompt.position.row - target.row
        if up > 0 { bytes += "\u{1B}[\(up)A" }
        bytes += "\r" + (target.column > 0 ? "\u{1B}[\(target.column)C" : "")

        let answerRows = answer.isEmpty ? 0 : all.texts.count
        rows = Rows.joined(answer.isEmpty ? nil : all, prompt)
        cursor = (answerRows + target.row, target.column)
        return bytes
    }
}
