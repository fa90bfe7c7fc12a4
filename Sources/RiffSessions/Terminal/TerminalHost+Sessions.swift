// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore
public import RiffTransport

extension TerminalHost {
    /// Opens a tmux session on the host, made if it is not there, and keeps it open.
    ///
    /// A lost connection comes back to the same session.
    ///
    /// - Parameters:
    ///   - name: The session's name.
    ///   - size: The terminal's size.
    ///   - server: Which tmux server, and how it is set up.
    ///   - spec: Where a new session starts and what it runs; `claude` in the home directory unless said otherwise.
    ///   - claude: How `claude` is started, where it is what a new session runs.
    ///   - watcher: Who tells whether its pane is in a mode; see ``TmuxWatcher``.
    ///   - protection: When input first leaves tmux's modes and prompts.
    /// - Returns: The session, connected.
    /// - Throws: A ``RiffError`` that says why the host could not be reached or the session not be opened;
    ///   `CancellationError`.
    public func session(
        _ name: String,
        size: TerminalSize,
        server: TmuxServer = TmuxServer(),
        spec: NewSessionSpec = NewSessionSpec(),
        claude: ClaudeArguments? = nil,
        watcher: (any TmuxWatching)? = nil,
        protection: InputProtection = .always
    ) async throws -> TerminalSession {
        let tmux = TmuxAttachment(
            server: server,
            session: try SessionName(name),
            watcher: watcher,
            protection: protection
        )
        return try await session(tmux, size: size, spec: spec, claude: claude) { $0 }
    }

    /// Opens a tmux session by a command that attaches in some way of its own.
    func session(
        _ tmux: TmuxAttachment,
        size: TerminalSize,
        spec: NewSessionSpec,
        claude: ClaudeArguments?,
        attaching: @escaping @Sendable (TmuxCommand) -> TmuxCommand
    ) async throws -> TerminalSession {
        let command = tmux.server.attachOrCreate(
            tmux.session,
            directory: spec.directory ?? .home,
            harness: spec.harness ?? .claude,
            claude: claude?.launch ?? ClaudeLaunch()
        )
        let lines = try TmuxEntryLines(first: command, on: tmux, attaching: attaching)
        let session = TerminalSession(
            lines,
            name: tmux.session.rawValue,
            on: sessionsLink(of: self),
            size: size,
            tmux: tmux
        )
        try await session.open()
        return session
    }

    /// Runs any command on a terminal of the host; after a lost connection it is run again.
    ///
    /// - Parameters:
    ///   - command: One line for the account's login shell.
    ///   - name: The name used in error messages.
    ///   - size: The terminal's size.
    /// - Returns: The session, connected.
    /// - Throws: As ``session(_:size:server:spec:claude:watcher:protection:)``.
    public func terminal(_ command: String, name: String, size: TerminalSize) async throws -> TerminalSession {
        try await terminal(command, name: name, size: size, tmux: nil)
    }

    /// As ``terminal(_:name:size:)``, for a command that attaches to a tmux session.
    package func terminal(
        _ command: String,
        name: String,
        size: TerminalSize,
        tmux: TmuxAttachment?
    ) async throws -> TerminalSession {
        let session = TerminalSession(name: name, command: command, on: sessionsLink(of: self), size: size, tmux: tmux)
        try await session.open()
        return session
    }
}
