// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// A question for permission that Claude Code shows at the end of its screen, read only where nothing about it is in
/// doubt.
///
/// It is one unbroken box or nothing. Recognized by all of its parts, each in its own columns: a rule across the
/// screen, a title, what it is about between two broken rules of the same width, the question, options numbered from 1
/// without a gap, one of them chosen, and the line of keys beneath them with nothing after it. What stands between is
/// indented by a column, and draws no lines of its own: a command cannot draw a smaller box into the real one. Seen
/// with Claude Code 2.1.329 and 2.1.331; its screens change, and then nothing is recognized.
package struct ClaudePermissionPrompt: Sendable, Hashable {
    /// One of the answers.
    package struct Option: Sendable, Hashable {
        /// Its number, which is also the key that takes it.
        package let number: Int
        /// What it says, on one line.
        package let label: String
    }

    /// What Claude wants to do, such as `Bash command`.
    package let title: String
    /// What stands under the title, a line each: a file's path, a description. For a command it is the model's own
    /// word.
    package let details: [String]
    /// The command or the change, a row of the screen each; all of it.
    package let subject: [String]
    /// What Claude says about the command before it asks: `This command requires approval`.
    package let remarks: [String]
    /// The question itself.
    package let question: String
    /// The answers in order.
    package let options: [Option]

    /// The option that allows this once, and nothing beyond: the one that says `Yes` and no more.
    package var allowOnce: Option? {
        options.filter { $0.label == "Yes" }.count == 1 ? options.first { $0.label == "Yes" } : nil
    }

    /// The question as it is read out, with every line of what it is about.
    ///
    /// The description of a command is left out: the model wrote it, and it may say something else than the command
    /// does. With everything else the lines under the title are the path or the tool, and are read.
    package var spoken: String {
        let details = title.hasPrefix("Bash command") ? [] : details
        return ([title + "."] + details + subject + remarks + [question])
            .map(InertText.line)
            .filter { !$0.isEmpty }
            .joined(separator: "\n")
    }

    /// Reads a screen.
    ///
    /// - Parameter rows: The rows that are visible, from the top, with the spaces at their beginning.
    /// - Returns: The prompt; `nil` if there is none, if a part of it is not on the screen, or if it is not certain.
    package static func read(_ rows: [String]) -> ClaudePermissionPrompt? {
        let all = rows.map(ScreenRow.init)
        var above = all[...]
        removeBlanks(&above)
        // A session with a name has a rule with it at the very end.
        if let last = above.last, last.namedRule > 0 { above.removeLast() }
        removeBlanks(&above)
        guard let keys = above.popLast(), keys.indent >= 1, isKeys(keys.text) else { return nil }
        removeBlanks(&above)
        guard let options = ClaudeOptions.take(from: &above), let asked = question(&above) else { return nil }
        guard let width = above.popLast()?.rule(of: "╌"), width > 0 else { return nil }
        guard let subject = take(&above, to: width, of: "╌").map(withoutBars), subject.contains(where: { !$0.isBlank })
        else { return nil }
        // What was left out of the question cannot be read out.
        guard !subject.contains(where: isCut) else { return nil }
        guard let head = take(&above, to: width, of: "─"), !head.isEmpty, !head.contains(where: \.isBlank),
            !head.contains(where: { $0.text.unicodeScalars.contains("…") })
        else { return nil }
        // Another box above, or a row that is wider than this one: then this is not the whole of it.
        guard !above.contains(where: { $0.rule(of: "╌") > 0 || $0.rule(of: "─") == width }),
            all.allSatisfy({ $0.leastWidth <= width })
        else { return nil }
        return ClaudePermissionPrompt(
            title: head[0].text,
            details: head.dropFirst().map(\.text),
            subject: subject.map(\.text),
            remarks: asked.remarks,
            question: asked.question,
            options: options
        )
    }

    /// The rows above, up to a rule of this width, which is taken too.
    private static func take(
        _ above: inout ArraySlice<ScreenRow>,
        to width: Int,
        of rule: Unicode.Scalar
    ) -> [ScreenRow]? {
        guard let start = above.lastIndex(where: { $0.rule(of: rule) == width }) else { return nil }
        let rows = Array(above[(start + 1)...])
        above = above[..<start]
        return rows.allSatisfy(isContent) ? rows : nil
    }

    /// What stands beneath the lower edge: the question right above its options, and remarks before it.
    private static func question(_ above: inout ArraySlice<ScreenRow>) -> (remarks: [String], question: String)? {
        guard let edge = above.lastIndex(where: { $0.rule(of: "╌") > 0 }) else { return nil }
        let rows = above[(edge + 1)...]
        guard let last = rows.last, !last.isBlank, rows.allSatisfy(isContent) else { return nil }
        above = above[...edge]
        let start = (rows.lastIndex(where: \.isBlank) ?? edge) + 1
        let question = rows[start...].map(\.text).joined(separator: " ")
        return question.hasSuffix("?") ? (rows[..<start].map(\.text).filter { !$0.isEmpty }, question) : nil
    }

    /// A subject of several lines, or a long one, has a bar before each of its rows, which is no part of it.
    private static func withoutBars(_ rows: [ScreenRow]) -> [ScreenRow] {
        guard rows.allSatisfy({ $0.scalars.starts(with: bar) }) else { return rows }
        return rows.map { ScreenRow(String($0.scalars.dropFirst(bar.count))) }
    }

    private static let bar: [Unicode.Scalar] = [" ", "│"]

    private static func isContent(_ row: ScreenRow) -> Bool {
        (row.scalars.isEmpty || row.indent >= 1) && row.isPlain && !row.holdsDrawing
    }

    private static func isCut(_ row: ScreenRow) -> Bool {
        let text = row.text
        return text.hasPrefix("…") || text.hasSuffix("…") || text.contains("… +")
    }

    private static func isKeys(_ text: String) -> Bool {
        text == "Esc to cancel" || text.hasPrefix("Esc to cancel ·")
    }

    private static func removeBlanks(_ rows: inout ArraySlice<ScreenRow>) {
        while rows.last?.isBlank == true { rows.removeLast() }
    }
}
