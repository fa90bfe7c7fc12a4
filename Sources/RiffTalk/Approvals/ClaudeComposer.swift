// Riff
// SPDX-License-Identifier: Apache-2.0

/// The prompt of Claude Code at the end of its screen: a rule, `❯` in the first column, a rule of the same width, and
/// beneath it lines of hints, all of them indented.
struct ClaudeComposer {
    /// The reading, and the text in the prompt.
    let result: (reading: ScreenLook.Reading, draft: String?)

    /// Reads a screen; `nil` if the prompt is not there.
    init?(_ rows: [ScreenRow]) {
        guard let lower = rows.lastIndex(where: { $0.rule(of: "─") > 0 }) else { return nil }
        let width = rows[lower].rule(of: "─")
        let footer = rows[(lower + 1)...]
        guard footer.allSatisfy({ $0.isBlank || $0.indent >= 2 }), rows.allSatisfy({ $0.leastWidth <= width }) else {
            return nil
        }
        var first = lower
        repeat {
            first -= 1
            guard first > 0, rows[first].isBlank || rows[first].indent >= 2 || rows[first].scalars.first == "❯" else {
                return nil
            }
        } while rows[first].scalars.first != "❯"
        guard Self.isUpperRule(rows[first - 1], width) else { return nil }
        let sign = rows[first].scalars
        // The space that does not break tells it from a person's words in the transcript, and from a shell's sign.
        guard sign.count == 1 || sign[1] == "\u{A0}" else { return nil }

        if let seen = QuestionSigns.sign(in: footer) ?? Self.mode(in: footer) {
            result = (.question(seen), nil)
            return
        }
        let text = ([String(sign.dropFirst(2))] + rows[(first + 1)..<lower].map { String($0.scalars.dropFirst(2)) })
            .joined(separator: "\n")
        let isHint = Self.hints.contains(text) || text.hasPrefix("Try \"")
        if let menu = Self.menu(above: rows[..<(first - 1)]) ?? (isHint ? nil : DraftMenu.menu(opensFor: text)) {
            result = (.question(menu), nil)
            return
        }
        result = (.atPrompt(program: .claude), text.isEmpty || isHint ? nil : text)
    }

    /// Shown in an empty prompt, in a dim color that the text does not tell.
    private static let hints: Set<String> = [
        "Press up to edit queued messages", "Resend your message to try again", "Once fixed, resend your message",
    ]

    /// A rule that may hold the session's name near its end.
    private static func isUpperRule(_ row: ScreenRow, _ width: Int) -> Bool {
        row.rule(of: "─") == width || row.namedRule > 0 && row.namedRule <= width
    }

    /// Modes in which letters are commands.
    private static func mode(in footer: ArraySlice<ScreenRow>) -> String? {
        footer.contains { $0.text.contains("-- NORMAL --") || $0.text.contains("-- VISUAL") }
            ? "Claude's prompt takes commands of an editor, not text." : nil
    }

    /// A menu right above the prompt, or the question how the session goes, which a figure in an empty prompt answers.
    private static func menu(above rows: ArraySlice<ScreenRow>) -> String? {
        for row in rows.suffix(8) {
            let text = row.text
            if row.indent >= 1, text.hasPrefix("❯ ") { return "A menu of Claude's is open above its prompt." }
            if text.contains("1: "), text.contains("2: ") { return "Claude asks something above its prompt." }
        }
        return nil
    }
}

/// Menus that an agent opens above its prompt while this text is in it: Return would choose from them.
enum DraftMenu {
    static func menu(opensFor draft: String) -> String? {
        let isOpen = draft.hasPrefix("/") || draft.split(whereSeparator: \.isWhitespace).last?.hasPrefix("@") == true
        return isOpen && draft.last?.isWhitespace != true ? "A menu may be open above the prompt." : nil
    }
}
