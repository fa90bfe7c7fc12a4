// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

extension SessionsConfiguration {
    /// A configuration for what a person chose about `claude`, worktrees included: where they are asked for, a session
    /// that is closed gives its worktree back, unless that holds work (``WorktreeRemoval``).
    ///
    /// - Parameters:
    ///   - server: The tmux server.
    ///   - base: Where the base session starts and what it runs, if it is made.
    ///   - claude: The choice; asked at each session that is made or closed, so that settings count from the next one
    ///     on.
    public init(
        server: TmuxServer = TmuxServer(),
        base: NewSessionSpec = NewSessionSpec(),
        claude: @escaping @Sendable () -> ClaudeArguments
    ) {
        self.init(server: server, base: base, launch: { claude().launch })
        cleanup = { session in
            guard let worktrees = claude().worktrees else { return nil }
            // Only a NUL could keep the line from being written, and neither a name nor a directory has one.
            return try? WorktreeRemoval.line(for: session, in: worktrees)
        }
    }
}
