// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore
public import RiffTransport

extension SSHHost {
    /// Puts the scripts for worktrees on the host, into `~/.local/bin`; see ``HostScriptInstallation``. Doing so again
    /// changes nothing.
    ///
    /// - Parameter timeout: How long it may take altogether, the dial included.
    /// - Throws: `CoreError` with `hostScriptForeign` or `hostScriptNotInstalled`, or why the host could not be asked;
    ///   `CancellationError`.
    public func installHostScripts(timeout: Duration = ManagementTiming.defaultTimeout) async throws {
        let host = configuration.address.name
        let report = await link.report(of: try HostScriptInstallation.line, timeout: timeout)
        try Task.checkCancellation()
        let status = try report.outcome.get(host: host).status
        try HostScriptInstallation.check(status: status, diagnostics: report.diagnostics, host: host)
    }

    /// Removes the worktrees of a session that was closed; see ``WorktreeRemoval``. Who closes a session does not wait
    /// for it.
    ///
    /// - Parameters:
    ///   - session: The session.
    ///   - worktrees: As it was when the session was made.
    ///   - timeout: How long it may take altogether, the dial included; a large folder takes its time.
    /// - Returns: What is gone, and what was kept because it holds work.
    /// - Throws: Why the host could not be asked; `CancellationError`.
    public func removeWorktrees(
        of session: SessionName,
        in worktrees: Worktrees,
        timeout: Duration = .seconds(60)
    ) async throws -> WorktreeRemoval {
        let outcome = await link.manage(try WorktreeRemoval.line(for: session, in: worktrees), timeout: timeout)
        try Task.checkCancellation()
        return WorktreeRemoval(output: try outcome.get(host: configuration.address.name).output)
    }
}
