// Riff
// SPDX-License-Identifier: Apache-2.0

extension AgentKind {
    /// Additions to an agent's command.
    public struct LaunchOptions: Sendable, Hashable {
        /// Arguments, after the program's name.
        public var arguments: [String]
        /// Variables of its environment.
        public var environment: [String: String]
    }

    /// Options that keep the agent on the normal screen, where tmux keeps what scrolls away: none for an agent that
    /// never leaves it, `nil` if no option is known.
    ///
    /// Seen with Claude Code 2.1.331, Codex CLI 0.163.0 and aider 0.86.2: no alternate screen, no mouse, and tmux's
    /// history grows. Tails that are drawn again are in it too.
    public var normalScreen: LaunchOptions? {
        switch self {
        case .claude:
            LaunchOptions(arguments: [], environment: ["CLAUDE_CODE_DISABLE_ALTERNATE_SCREEN": "1"])
        case .codex: LaunchOptions(arguments: ["--no-alt-screen"], environment: [:])
        case AgentKind(rawValue: "aider"): LaunchOptions(arguments: [], environment: [:])
        default: nil
        }
    }
}
