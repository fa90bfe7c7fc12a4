// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// A shell's screen: at its prompt if the cursor stands after a usual sign of one, and nothing near it asks.
struct ShellScreen {
    let reading: ScreenLook.Reading

    init(rows: [ScreenRow], look: ScreenLook) {
        reading = Self.reading(rows, look)
    }

    private static func reading(_ rows: [ScreenRow], _ look: ScreenLook) -> ScreenLook.Reading {
        guard let row = look.cursorRow, let column = look.cursorColumn, rows.indices.contains(row), column >= 0 else {
            return .unknown("It is not known where the cursor is.")
        }
        guard !look.isAlternate else { return .unknown("The shell shows another screen than its own.") }
        guard rows[(row + 1)...].allSatisfy(\.isBlank) else {
            return .unknown("Something is on the screen beneath the cursor.")
        }
        // Each character takes two cells at most.
        guard column <= 2 * rows[row].leastWidth + 2 else { return .unknown("The shell is not at its prompt.") }
        let (before, after) = rows[row].split(at: column)
        let above = rows[..<row].filter { !$0.isBlank }
        if let sign = QuestionSigns.sign(ofPrompt: before, above: Array(above.suffix(12))) { return .question(sign) }
        guard after.isEmpty || after.hasPrefix("  ") else { return .unknown("Text is in the shell's prompt.") }
        if waitsWithSign(look.program), isContinuation(before) {
            return .unknown("The shell waits for the rest of a command.")
        }
        guard endsWithSign(before) else { return .unknown("The shell is not at its prompt.") }
        return .atPrompt(program: .shell)
    }

    /// Whether the shell asks for more of a command with `> `. Others have that as their prompt.
    private static func waitsWithSign(_ program: String?) -> Bool {
        let name = program?.split(byte: "/").last.map { $0.drop { $0 == "-" } } ?? ""
        return !["fish", "tcsh", "csh", "nu", "pwsh", "elvish", "murex", "ion"].contains(String(name))
    }

    /// `> `, and zsh's `quote> `, `for> `, `cmdand heredoc> `.
    private static func isContinuation(_ text: String) -> Bool {
        let words = text.split(separator: " ")
        guard let last = words.last, last.hasSuffix(">") else { return false }
        let name = last.dropLast()
        return words.count <= 4 && words.dropLast().allSatisfy { $0.allSatisfy(\.isLetter) }
            && name.allSatisfy(\.isLetter)
    }

    /// Whether a text ends with the sign after which a shell takes commands.
    static func endsWithSign(_ text: String) -> Bool {
        var sign = Substring(text)
        while sign.last == " " || sign.last == "\u{A0}" { sign.removeLast() }
        // More than two spaces are something else's.
        guard text.count - sign.count <= 2, let last = sign.last, "$#%>❯➜λ»›⟩▶❱→\u{E0B0}\u{E0B1}".contains(last) else {
            return false
        }
        // A figure before it is a quantity: "50%", "3 $".
        let before = sign.dropLast().split(separator: " ").last ?? "x"
        return !before.allSatisfy { $0.isNumber || $0 == "." || $0 == "," }
    }
}

extension ScreenRow {
    /// The text before a column and from it on. Which characters are wide is not known here: with one of them before
    /// the cursor, too much counts as before it.
    fileprivate func split(at column: Int) -> (before: String, after: String) {
        guard column < leastWidth else { return (String(scalars), "") }
        return (String(scalars.prefix(column)), String(scalars.dropFirst(column)))
    }
}
