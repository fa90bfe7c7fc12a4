// Riff
// SPDX-License-Identifier: Apache-2.0

/// One look at a terminal's screen: its rows as text, the cursor and the program in front.
public struct ScreenLook: Sendable, Hashable {
    /// The visible rows from the top, with the spaces at their beginning; those at their end may be missing.
    public var rows: [String]
    /// The row of the cursor from 0; `nil` if it is not known. Only a shell's prompt is never recognized without it.
    public var cursorRow: Int?
    /// The column of the cursor from 0, in cells; `nil` if it is not known.
    public var cursorColumn: Int?
    /// Whether the alternate screen is shown.
    public var isAlternate: Bool
    /// The name of the program in the foreground, as tmux tells it (`pane_current_command`); `nil` if it is not known.
    public var program: String?

    /// Creates a look from its parts.
    public init(rows: [String], cursorRow: Int?, cursorColumn: Int?, isAlternate: Bool, program: String?) {
        self.rows = rows
        self.cursorRow = cursorRow
        self.cursorColumn = cursorColumn
        self.isAlternate = isAlternate
        self.program = program
    }
}

extension ScreenLook {
    /// A program whose prompt Riff knows.
    public struct KnownProgram: RawRepresentable, Sendable, Hashable {
        /// The program's name.
        public let rawValue: String

        /// Creates a program from its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Claude Code.
        public static let claude = ScreenLook.KnownProgram(rawValue: "claude")
        /// Codex CLI.
        public static let codex = ScreenLook.KnownProgram(rawValue: "codex")
        /// A shell, whichever.
        public static let shell = ScreenLook.KnownProgram(rawValue: "shell")
    }
}

extension ScreenLook {
    /// The state of a screen, as far as typing words is concerned.
    public enum Reading: Sendable, Hashable {
        /// A known program waits at its prompt, or takes prompts while it works. ``ScreenLook/draft`` tells the text in
        /// it.
        case atPrompt(program: ScreenLook.KnownProgram)
        /// A question, a menu or a dialog may be shown: words or a Return could answer it. The text says what was seen,
        /// on one line for a person.
        case question(String)
        /// Nothing that Riff can read. The text says why, on one line for a person.
        case unknown(String)
    }
}

extension ScreenLook {
    /// The state of the screen: at a prompt only if that is certain.
    ///
    /// A prompt is recognized by its own shape at the end of the screen and by the program that is in front; whatever
    /// looks like a question near it wins. Seen with Claude Code 2.1.331 and Codex CLI 0.163.0.
    public var reading: ScreenLook.Reading { look.reading }

    /// The text in the prompt of an agent, as far as it is visible, its rows joined by line feeds; `nil` if the prompt
    /// is empty, is a shell's, or is not recognized. A hint that the program shows in an empty prompt is not text in
    /// it, if it is a known one.
    public var draft: String? { look.draft }

    private var look: (reading: ScreenLook.Reading, draft: String?) {
        let rows = rows.map(ScreenRow.init)
        let front = FrontProgram(program)
        if front == .shell {
            let reading = ShellScreen(rows: rows, look: self).reading
            guard case .unknown = reading, let sign = QuestionSigns.sign(in: rows) else { return (reading, nil) }
            return (.question(sign), nil)
        }
        if front.mayBe(.claude), let composer = ClaudeComposer(rows), !isShells(composer.result.draft, front) {
            return composer.result
        }
        if front.mayBe(.codex), let composer = CodexComposer(rows), !isShells(composer.result.draft, front) {
            return composer.result
        }
        if let sign = QuestionSigns.sign(in: rows) { return (.question(sign), nil) }
        return (.unknown(front.reason(program)), nil)
    }

    /// Whether the text in an agent's prompt may be a shell's, drawn into what a dead agent left.
    private func isShells(_ draft: String?, _ front: FrontProgram) -> Bool {
        front == .untold && draft.map { ShellScreen.endsWithSign($0) } == true
    }
}
