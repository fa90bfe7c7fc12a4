// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore
public import RiffTransport

extension TerminalHost {
    /// Opens a tmux session as ``session(_:size:server:spec:claude:watcher:protection:)`` does, for a front end that
    /// shares it with others: it comes as an observer if another front end drives, and drives if none does.
    /// ``DriverSeats`` does the rest.
    ///
    /// - Parameters:
    ///   - name: The session's name.
    ///   - size: The terminal's size.
    ///   - server: Which tmux server, and how it is set up; tmux 3.2 or later.
    ///   - spec: Where a new session starts and what it runs.
    ///   - claude: How `claude` is started, where it is what a new session runs.
    ///   - watcher: Who tells whether its pane is in a mode.
    ///   - protection: When input first leaves tmux's modes and prompts.
    ///   - viewer: The front end, the same at every start; it has one terminal on each session.
    /// - Returns: The session, connected.
    /// - Throws: As there.
    public func session(
        _ name: String,
        size: TerminalSize,
        server: TmuxServer = TmuxServer(),
        spec: NewSessionSpec = NewSessionSpec(),
        claude: ClaudeArguments? = nil,
        watcher: (any TmuxWatching)? = nil,
        protection: InputProtection = .always,
        viewer: RiffIdentifier
    ) async throws -> TerminalSession {
        let tmux = TmuxAttachment(
            server: server,
            session: try SessionName(name),
            watcher: watcher,
            protection: protection
        )
        return try await session(tmux, size: size, spec: spec, claude: claude) { $0.viewing(as: viewer) }
    }
}
