// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore
public import RiffTransport

extension TerminalHost {
    /// Checks all that sessions on this host need, one after another, and says of each missing thing what it is and
    /// what can be done about it.
    ///
    /// It connects where there is no connection, and leaves it open for the session that follows. Nothing is changed on
    /// the host: tmux sessions are listed, none is made. Of a ``SSHHost`` the way to it is checked as well: the key,
    /// the jump host, the network, the server, its key and the login; any other host begins with the login shell.
    ///
    /// - Parameters:
    ///   - harness: What sessions will run.
    ///   - server: The tmux server that they will run on.
    ///   - timeout: How long the login shell may take; a shell that takes longer is ended on the host.
    ///   - progress: Told of each step; give its `updates()` to a view.
    /// - Returns: The checks. A host that cannot be used is an answer, not an error.
    /// - Throws: `CancellationError`; `CoreError` with `nulInArgument` for a harness that no shell could be given.
    public func preflight(
        harness: Harness = .claude,
        server: TmuxServer = TmuxServer(),
        timeout: Duration = ManagementTiming.defaultTimeout,
        progress: StateSource<HostReadiness>? = nil
    ) async throws -> HostReadiness {
        let survey = try HostSurvey(harness: harness, server: server)
        var preflight = HostPreflight(host: self, progress: progress)
        do {
            try await preflight.connect()
            try await preflight.run(survey, within: timeout)
        } catch is HostPreflight.Ended {
            // The failed check says why.
        }
        return preflight.readiness
    }
}
