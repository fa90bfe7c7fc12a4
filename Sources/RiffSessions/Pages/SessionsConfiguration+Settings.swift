// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

extension SessionsConfiguration {
    /// A configuration that does what a person's settings say, as they are when a session is made: what it runs, where
    /// it starts, how `claude` is started, and how long commands on the host may take. A session that runs keeps what
    /// it began with.
    ///
    /// - Parameters:
    ///   - settings: The settings, as ``RiffSettings/current`` tells them.
    ///   - server: The tmux server.
    ///   - root: Where worktrees are kept, if the settings ask for them; see ``Worktrees/root``.
    public init(settings: RiffSettings, server: TmuxServer = TmuxServer(), root: StartDirectory? = nil) {
        let claude: @Sendable () -> ClaudeArguments = { ClaudeArguments(settings.current, root: root) }
        self.init(server: server, claude: claude)
        baseSession = {
            let settings = settings.current
            return server.attachOrCreate(
                .base,
                directory: settings[.startDirectory],
                harness: settings[.harness],
                claude: claude().launch
            )
        }
        newSession = { name, choice, size in
            // What was not chosen for this one session is as the settings have it.
            let settings = settings.current
            let spec = NewSessionSpec(
                directory: choice?.directory ?? settings[.startDirectory],
                harness: choice?.harness ?? settings[.harness]
            )
            return server.newDetached(name, spec: spec, size: size, claude: claude().launch)
        }
        timeout = { settings.current[.managementTimeout] }
    }
}
