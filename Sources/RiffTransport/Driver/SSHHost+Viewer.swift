// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

extension SSHHost {
    /// Opens a tmux session as ``session(_:size:server:spec:)`` does, for a front end that shares it with others: it comes
    /// as an observer where somebody drives, and drives where nobody does. ``DriverSeats`` does the rest.
    ///
    /// - Parameters:
    ///   - name: The session's name.
    ///   - size: The terminal's size.
    ///   - server: Which tmux server, and how it is set up; tmux 3.2 or later.
    ///   - spec: Where a new session starts and what it runs.
    ///   - viewer: The front end, the same at every start; it has one terminal on each session.
    /// - Returns: The session, connected.
    /// - Throws: As there.
    public func session(
        _ name: String,
        size: TerminalSize,
        server: TmuxServer = TmuxServer(),
        spec: NewSessionSpec = NewSessionSpec(),
        viewer: RiffIdentifier
    ) async throws -> TerminalSession {
        let command = server.attachOrCreate(
            try SessionName(name),
            directory: spec.directory ?? .home,
            harness: spec.harness ?? .claude
        )
        return try await terminal(try command.viewing(as: viewer).loginCommand().line, name: name, size: size)
    }
}
