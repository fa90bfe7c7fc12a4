// Riff
// SPDX-License-Identifier: Apache-2.0

/// Runs commands for an agent: the five `terminal/` methods. ``ACPHostTerminals`` is one.
///
/// To the implementer: an id stays valid until it is released, whether its command runs or not. Throw
/// ``ACP/RPCError/resourceNotFound(_:)`` for one that is not known. A call whose task is cancelled ends.
public protocol ACPTerminals: Sendable {
    /// Starts a command and returns at once.
    func create(_ request: ACP.CreateTerminalRequest) async throws -> ACP.CreateTerminalResponse

    /// Returns the output of the command so far, and the way it ended if it did.
    func output(_ request: ACP.TerminalOutputRequest) async throws -> ACP.TerminalOutputResponse

    /// Waits for the command's end.
    func waitForExit(_ request: ACP.WaitForTerminalExitRequest) async throws -> ACP.WaitForTerminalExitResponse

    /// Ends the command; its output stays.
    func kill(_ request: ACP.KillTerminalRequest) async throws -> ACP.KillTerminalResponse

    /// Ends the command if it runs, and forgets it.
    func release(_ request: ACP.ReleaseTerminalRequest) async throws -> ACP.ReleaseTerminalResponse
}
