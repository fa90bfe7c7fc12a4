// Riff
// SPDX-License-Identifier: Apache-2.0

// sample: host: SSHHost
/// The commands that Riff gives to a host's tmux server, as values; nothing here runs them.
///
/// ```swift
/// let tmux = TmuxServer()
/// print(try await host.preflight(server: tmux).isReady)  // `tmux -L riff`, and its options
/// ```
public struct TmuxServer: Sendable, Hashable {
    /// Which server.
    public var socket: TmuxSocket
    /// What is set on it before each session is made.
    public var options: TmuxOptions

    /// The private server with the default options, unless said otherwise.
    public init(_ socket: TmuxSocket = .riff, options: TmuxOptions = TmuxOptions()) {
        self.socket = socket
        self.options = options
    }

    /// Attaches to a session, and makes it where it is not there: the base session's way in, and back in after a loss.
    ///
    /// - Parameters:
    ///   - name: The session.
    ///   - directory: Where a new one starts.
    ///   - harness: What a new one runs.
    ///   - claude: How `claude` is started, where it is the harness.
    /// - Returns: The call, with the options first. On a command line it ends with an error if the session is to be
    ///   made and its folder or its program is not on the host.
    package func attachOrCreate(
        _ name: SessionName,
        directory: StartDirectory = .home,
        harness: Harness = .claude,
        claude: ClaudeLaunch = ClaudeLaunch()
    ) -> TmuxCommand {
        let words: [ShellWord] = ["new-session", "-A", "-s", name.formatWord]
        return starting(name, words, directory: directory, harness: harness, claude: claude)
    }

    /// Returns the call that attaches to an existing session, and fails if there is none: a session that was ended
    /// stays ended.
    public func attach(_ name: SessionName) -> TmuxCommand {
        prepared().then(["attach-session", "-t", name.target])
            .then(TmuxCustody.session(name) + TmuxCustody.leavingErrors(name))
    }

    /// Attaches to the very session that a terminal was on before its connection was lost. It makes none, and fails if
    /// the session is gone or if another one has its name: its program is over then, which has to be told.
    ///
    /// - Parameters:
    ///   - name: The session's name.
    ///   - identity: Which session it was; `nil` if the server never said, and then the name alone decides.
    /// - Returns: The call.
    package func reattach(_ name: SessionName, _ identity: SessionIdentity?) -> TmuxCommand {
        guard let identity, let target = try? name.target.quoted(), let other = try? replacedTarget(name).quoted()
        else {
            return attach(name)
        }
        // The first command tells a session that is gone from one that was replaced.
        return prepared()
            .then(["has-session", "-t", name.target])
            .then([
                "if-shell", "-F", "-t", name.paneTarget,
                ShellWord("#{==:#{session_id} #{session_created},\(identity.id) \(identity.created)}"),
                ShellWord("attach-session -t \(target)"), ShellWord("has-session -t \(other)"),
            ])
            .then(TmuxCustody.session(name) + TmuxCustody.leavingErrors(name))
    }

    /// The name of no session, by which tmux's own words tell that a session was replaced.
    private func replacedTarget(_ name: SessionName) -> ShellWord {
        ShellWord("=\(name)\(TmuxFailure.replacementMark)")
    }

    /// Returns the call that makes a session without a client; fails with `duplicate session` if the name is taken, and
    /// never attaches.
    ///
    /// - Parameters:
    ///   - name: Its name.
    ///   - spec: What the person chose for it; `nil`, and a spec of two `nil`, give the same bytes.
    ///   - size: The size of its window until somebody looks; tmux's own (80 by 24) where `nil` or not usable.
    ///   - claude: How `claude` is started, where it is the harness.
    /// - Returns: The call, with the options first.
    package func newDetached(
        _ name: SessionName,
        spec: NewSessionSpec? = nil,
        size: TerminalSize? = nil,
        claude: ClaudeLaunch = ClaudeLaunch()
    ) -> TmuxCommand {
        var words: [ShellWord] = ["new-session", "-d", "-s", name.formatWord]
        if let size, size.isUsable { words += ["-x", ShellWord("\(size.columns)"), "-y", ShellWord("\(size.rows)")] }
        let (directory, harness) = (spec?.directory ?? .home, spec?.harness ?? .claude)
        return starting(name, words, directory: directory, harness: harness, claude: claude)
    }

    /// Lists the sessions for ``SessionListing``.
    public func listSessions() -> TmuxCommand {
        TmuxCommand(socket, ["list-sessions", "-F", ShellWord(SessionListing.format)])
    }

    /// Ends a session and what runs in it: the only thing here that ends anything.
    public func kill(_ name: SessionName) -> TmuxCommand {
        TmuxCommand(socket, ["kill-session", "-t", name.target])
    }

    /// Whether the server is Riff's to set up: every one but the person's own.
    package var isRiffs: Bool { socket != .name("default") }

    /// Returns the directory that a new session starts in and the command it runs. Worktrees are for `claude` alone: a
    /// harness of one's own is a line that no script can take apart, so it starts as it does without them.
    private func start(
        _ name: SessionName,
        directory: StartDirectory,
        harness: Harness,
        claude: ClaudeLaunch
    ) -> [ShellWord] {
        let worktrees = harness == .claude ? claude.worktrees : nil
        let flags = worktrees?.flags(session: name, directory: directory) ?? []
        return flags + ["-c", directory.formatWord] + harness.words(native: claude)
    }

    /// A call that may make a session, which starts where and with what was chosen or not at all.
    private func starting(
        _ name: SessionName,
        _ words: [ShellWord],
        directory: StartDirectory,
        harness: Harness,
        claude: ClaudeLaunch
    ) -> TmuxCommand {
        var command = prepared()
            .then(words + start(name, directory: directory, harness: harness, claude: claude))
            .then(TmuxCustody.session(name) + TmuxCustody.leavingErrors(name))
        command.startCheck = StartCheck(name, directory: directory, harness: harness)
        return command
    }

    private func prepared() -> TmuxCommand {
        let own = isRiffs ? TmuxCustody.server + TmuxCustody.titles : []
        return TmuxCommand(socket, commands: [["start-server"]] + options.commands + own)
    }
}

extension TmuxCommand {
    /// Returns the call as a terminal's program: run by the login shell, whose place it then takes, so that the
    /// terminal ends with it.
    ///
    /// - Returns: The command to run under a terminal.
    /// - Throws: ``CoreError`` with `nulInArgument` or `invalidVariableName`.
    public func loginCommand() throws(CoreError) -> LoginShellCommand {
        try LoginShellCommand("exec \(try line())")
    }
}
