// Riff
// SPDX-License-Identifier: Apache-2.0

public import Logging
public import RiffCore

/// A machine reached by SSH: the entry point of this library.
///
/// ```swift
/// let host = try SSHHost("mac.tailnet.ts.net", user: "me", key: key, trust: .firstUse(pins))
/// let session = try await host.session("riff", size: TerminalSize(columns: 80, rows: 24))
/// for await bytes in session.output { view.feed(byteArray: bytes[...]) }
/// ```
///
/// A value; copies share one ``HostLink``, and with it the connection. Nothing is dialled before it is needed.
public struct SSHHost: Sendable {
    /// What it was made with.
    public let configuration: HostConfiguration
    /// The owner of its connections.
    public let link: HostLink

    /// A host with one key.
    ///
    /// - Parameters:
    ///   - name: A DNS name or an IP address.
    ///   - port: The port of its SSH server.
    ///   - user: The account.
    ///   - key: The private key.
    ///   - trust: Which host keys are trusted.
    ///   - jump: The host through which it is reached.
    /// - Throws: `CoreError` with `invalidHost` or `invalidPort`.
    public init(
        _ name: String,
        port: Int = 22,
        user: String,
        key: SSHPrivateKey,
        trust: HostTrust,
        jump: SSHHost? = nil
    ) throws(CoreError) {
        let address = try HostAddress(name, port: port)
        self.init(
            HostConfiguration(address: address, user: user, credentials: [.key(key)], trust: trust, jump: jump?.link)
        )
    }

    /// A host with everything said.
    ///
    /// - Parameters:
    ///   - configuration: Where, as whom, trusting which keys.
    ///   - clock: Runs the schedule of reconnects.
    ///   - logger: Told of connections, their states and their ends, at `debug`; never of secrets or of what is typed.
    public init(
        _ configuration: HostConfiguration,
        clock: any Clock<Duration> = ContinuousClock(),
        logger: Logger = Logger(label: "riff.transport", factory: { _ in SwiftLogNoOpLogHandler() })
    ) {
        self.configuration = configuration
        link = HostLink(configuration, clock: clock, logger: logger)
    }

    /// Commands and files on the host.
    public var files: SSHHostSession { SSHHostSession(link: link) }

    /// Opens a tmux session on the host, made if it is not there, and keeps it open: a lost connection comes back to the
    /// same session.
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
            claude: claude?.launch ?? NativeLaunch()
        )
        let lines = try TmuxEntryLines(first: command, on: tmux, attaching: attaching)
        let session = TerminalSession(lines, name: tmux.session.rawValue, link: link, size: size, tmux: tmux)
        try await session.open()
        return session
    }

    /// Runs any command on a terminal of the host; after a lost connection it is run again.
    ///
    /// - Parameters:
    ///   - command: One line for the account's login shell.
    ///   - name: What to call it in messages.
    ///   - size: The terminal's size.
    ///   - tmux: The tmux session that the command attaches to, where it does.
    /// - Returns: The session, connected.
    /// - Throws: As ``session(_:size:server:spec:claude:watcher:protection:)``.
    public func terminal(
        _ command: String,
        name: String,
        size: TerminalSize,
        tmux: TmuxAttachment? = nil
    ) async throws -> TerminalSession {
        let session = TerminalSession(name: name, command: command, link: link, size: size, tmux: tmux)
        try await session.open()
        return session
    }

    /// Closes every session and connection, on purpose: nothing reconnects.
    public func disconnect() async { await link.disconnect() }
}
