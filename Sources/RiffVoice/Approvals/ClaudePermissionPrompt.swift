// Riff
// SPDX-License-Identifier: Apache-2.0

/// A question for permission that Claude Code shows at the end of its screen, read only where nothing about it is in doubt.
///
/// It is recognised by all of its parts: a rule across the screen, a title, the question, options numbered from 1 without a gap,
/// one of them chosen, and the line of keys beneath them with nothing behind it. Anything else is no prompt. Seen with Claude
/// Code 2.1.329; its screens change.
public struct ClaudePermissionPrompt: Sendable, Hashable {
    /// One of the answers.
    public struct Option: Sendable, Hashable {
        /// Its number, which is also the key that takes it.
        public let number: Int
        /// What it says.
        public let label: String
    }

    /// What Claude wants to do, such as `Bash command`.
    public let title: String
    /// The command or the change, a line each, as far as it is on the screen.
    public let subject: [String]
    /// The question itself.
    public let question: String
    /// The answers in order.
    public let options: [Option]

    /// The option that allows this once, and nothing beyond: the one that says `Yes` and no more.
    public var allowOnce: Option? {
        options.filter { $0.label == "Yes" }.count == 1 ? options.first { $0.label == "Yes" } : nil
    }

    /// The question as it is read out.
    public var spoken: String {
        ([title + "."] + subject + [question]).joined(separator: "\n")
    }

    /// Reads a screen.
    ///
    /// - Parameter rows: The rows that are visible, from the top.
    /// - Returns: The prompt; `nil` where there is none, or where it is not certain that there is.
    public static func read(_ rows: [String]) -> ClaudePermissionPrompt? {
        var lines = rows.map(trimmed)
        while lines.last?.isEmpty == true { lines.removeLast() }
        guard let keys = lines.popLast(), keys.hasPrefix("Esc to cancel") else { return nil }
        while lines.last?.isEmpty == true { lines.removeLast() }
        var (options, chosen): ([Option], Int) = ([], 0)
        while let line = lines.last, let option = option(line) {
            options.insert(option.option, at: 0)
            chosen += option.isChosen ? 1 : 0
            lines.removeLast()
        }
        guard options.count >= 2, chosen == 1, options.map(\.number) == Array(1...options.count) else { return nil }
        guard let question = lines.popLast(), question.hasSuffix("?") else { return nil }
        guard let top = lines.lastIndex(where: { isRule($0, of: "─") }) else { return nil }
        let body = lines[(top + 1)...].filter { !$0.isEmpty }
        guard let title = body.first, !isRule(title, of: "╌") else { return nil }
        let edges = body.indices.filter { isRule(body[$0], of: "╌") }
        // Without its edges it is not known what the subject is.
        guard edges.count == 2, edges[0] + 1 < edges[1] else { return nil }
        return ClaudePermissionPrompt(
            title: title,
            subject: Array(body[(edges[0] + 1)..<edges[1]]),
            question: question,
            options: options
        )
    }

    /// Whether anything on a screen looks like a question with numbered answers, or a part of one: what is typed then may be
    /// taken for an answer. A text that only looks like one counts as well.
    ///
    /// - Parameter rows: The rows that are visible, from the top.
    /// - Returns: Whether there is.
    public static func mayStand(on rows: [String]) -> Bool {
        rows.map(trimmed).contains { line in
            line.hasPrefix("Esc to cancel") || option(line)?.isChosen == true
        }
    }

    private static func option(_ line: String) -> (option: Option, isChosen: Bool)? {
        let isChosen = line.hasPrefix("❯ ")
        let text = isChosen ? trimmed(String(line.dropFirst(2))) : line
        let parts = text.split(separator: ". ", maxSplits: 1)
        guard parts.count == 2, let number = Int(parts[0]), (1...9).contains(number) else { return nil }
        return (Option(number: number, label: String(parts[1])), isChosen)
    }

    private static func isRule(_ line: String, of character: Character) -> Bool {
        line.count >= 10 && line.allSatisfy { $0 == character }
    }

    private static func trimmed(_ line: String) -> String {
        String(line.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
}
