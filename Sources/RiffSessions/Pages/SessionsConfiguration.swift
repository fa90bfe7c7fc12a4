// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

/// The way that ``SessionManager`` makes sessions, and their number.
public struct SessionsConfiguration: Sendable {
    /// The tmux server whose sessions are shown.
    public var server: TmuxServer
    /// Which pages have a terminal when it starts.
    public var attach = AttachPolicy.eager
    /// The front end's own name if it shares sessions with others, the same at every start: its pages then come as
    /// observers if another front end drives, as ``DriverSeats`` says. `nil`: its size always counts.
    public var viewer: RiffIdentifier?
    /// The number of sessions at which no more are made. Those that others make are shown all the same.
    public var softCap = 24
    /// The time limit for each command on the host, opening included.
    public var managementTimeout: Duration {
        get { timeout() }
        set { timeout = { newValue } }
    }
    var timeout: @Sendable () -> Duration = { ManagementTiming.defaultTimeout }
    /// The call that attaches to the base session, and makes it where it is not there.
    public var baseSession: @Sendable () -> TmuxCommand
    /// The call that makes a session without attaching to it, by its name, the person's choice, and the size of its
    /// window until a client attaches.
    public var newSession: @Sendable (SessionName, NewSessionSpec?, TerminalSize) -> TmuxCommand
    /// A line for the host's `sh` to be run after a session was ended by a person, such as one that removes its
    /// worktree; `nil` for none. Nobody waits for it, and it is given up after ``managementTimeout``.
    public var cleanup: @Sendable (SessionName) -> String? = { _ in nil }

    /// A configuration; the rest has defaults.
    ///
    /// - Parameters:
    ///   - server: The tmux server.
    ///   - base: Where the base session starts and what it runs, if it is made.
    ///   - launch: How `claude` is started in a new session; asked at each, so that settings count from the next one
    ///     on.
    public init(
        server: TmuxServer = TmuxServer(),
        base: NewSessionSpec = NewSessionSpec(),
        launch: @escaping @Sendable () -> ClaudeLaunch = { ClaudeLaunch() }
    ) {
        self.server = server
        baseSession = {
            let directory = base.directory ?? .home
            return server.attachOrCreate(
                .base,
                directory: directory,
                harness: base.harness ?? .claude,
                claude: launch()
            )
        }
        newSession = { name, spec, size in server.newDetached(name, spec: spec, size: size, claude: launch()) }
    }
}
