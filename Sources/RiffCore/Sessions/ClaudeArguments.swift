// Riff
// SPDX-License-Identifier: Apache-2.0

/// The choices of a person about `claude`. They count for sessions made from then on: one that runs keeps those it
/// began with.
public struct ClaudeArguments: Sendable, Hashable {
    /// Whether it acts without asking first (`--dangerously-skip-permissions`).
    public var skipsPermissions: Bool
    /// The effort of its thinking, in claude's own words (`--effort`), such as `max`; blank leaves it to claude.
    public var effort: String
    /// The size of the context, in tokens, at which it summarizes the conversation; `nil`, and what is not above zero,
    /// leave it to claude.
    public var compactWindow: Int?
    /// Worktrees, where each session is to have one of its own; `nil` is off.
    public var worktrees: Worktrees?

    /// A choice; without arguments, the one of a person who changed nothing.
    public init(
        skipsPermissions: Bool = false,
        effort: String = "max",
        compactWindow: Int? = 200_000,
        worktrees: Worktrees? = nil
    ) {
        self.skipsPermissions = skipsPermissions
        self.effort = effort
        self.compactWindow = compactWindow
        self.worktrees = worktrees
    }

    /// The choice of a person's settings.
    ///
    /// - Parameters:
    ///   - settings: The settings as they are when a session is made.
    ///   - root: Where worktrees are kept, if the settings ask for them; see ``Worktrees/root``.
    public init(_ settings: SettingsSnapshot, root: StartDirectory? = nil) {
        self.init(
            skipsPermissions: settings[.skipPermissions],
            effort: settings[.effort],
            compactWindow: settings[.contextTokens],
            worktrees: settings[.worktree] ? Worktrees(root: root) : nil
        )
    }

    /// The arguments after the program's name.
    public var arguments: [String] {
        let effort = InertText.line(effort)
        return (skipsPermissions ? ["--dangerously-skip-permissions"] : [])
            + (effort.isEmpty ? [] : ["--effort", effort])
    }

    /// Variables for it alone.
    ///
    /// The window is a count of tokens, passed on as it is. `CLAUDE_AUTOCOMPACT_PCT_OVERRIDE`, whose name promises the
    /// same as a percentage, changed nothing (seen with 2.1.330), and is never set.
    public var environment: [String: String] {
        guard let compactWindow, compactWindow > 0 else { return [:] }
        return ["CLAUDE_CODE_AUTO_COMPACT_WINDOW": "\(compactWindow)"]
    }

    /// The launch of `claude` with this choice, for ``TmuxServer``.
    public var launch: ClaudeLaunch {
        ClaudeLaunch(arguments: arguments, environment: environment, worktrees: worktrees)
    }
}
