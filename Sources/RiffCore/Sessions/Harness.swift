// Riff
// SPDX-License-Identifier: Apache-2.0

/// The program of a session: `claude`, which Riff starts itself, or a command line of the person's own.
public enum Harness: Sendable, Hashable {
    /// `claude`, started with a ``ClaudeLaunch``.
    case claude
    /// A line for the person's own shell, as they wrote it: `codex`, `aider --model x`, `$SHELL`.
    case custom(String)

    /// Reads a harness as settings keep it: the word `claude`, or nothing, is `claude`; anything else is taken as it
    /// is.
    package init(_ text: String) {
        let words = text.split(whereSeparator: \.isWhitespace)
        self = words.isEmpty || words == ["claude"] ? .claude : .custom(text)
    }

    /// The text for settings; reading it gives the same harness.
    public var rawString: String {
        switch self {
        case .claude: "claude"
        case .custom(let line): line
        }
    }

    /// The program and its arguments, for the end of `new-session`.
    ///
    /// Every harness is started without TMUX and TMUX_PANE: agents that see them draw in 256 colors. A custom line is
    /// run by the person's own shell in the pane, so that it means there what it means to them, and nothing of it is
    /// read on the way there.
    package func words(native: ClaudeLaunch) -> [ShellWord] {
        let withoutTmux: [ShellWord] = ["env", "-u", "TMUX", "-u", "TMUX_PANE"]
        switch self {
        case .claude:
            let assignments = native.environment.sorted { $0.key < $1.key }.map { ShellWord("\($0.key)=\($0.value)") }
            let arguments = native.arguments.map { ShellWord($0) }
            guard native.worktrees != nil else { return withoutTmux + assignments + ["claude"] + arguments }
            return withoutTmux + assignments + HostScript.claude.words(arguments, otherwise: #"exec claude "$@""#)
        case .custom(let line):
            return withoutTmux + [.loginShell, "-c", ShellWord(line)]
        }
    }
}

/// The way `claude` is started: its arguments, variables for it alone, and whether in a worktree. ``ClaudeArguments``
/// makes one.
public struct ClaudeLaunch: Sendable, Hashable {
    /// The arguments after the program's name.
    public var arguments: [String]
    /// Variables set for it.
    public var environment: [String: String]
    /// Worktrees, where each session is to have one of its own; `nil` is off.
    public var worktrees: Worktrees?

    /// A launch; with nothing said, plain `claude`.
    public init(arguments: [String] = [], environment: [String: String] = [:], worktrees: Worktrees? = nil) {
        self.arguments = arguments
        self.environment = environment
        self.worktrees = worktrees
    }
}
