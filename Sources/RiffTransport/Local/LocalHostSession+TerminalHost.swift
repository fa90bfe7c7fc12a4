// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

extension LocalHostSession: TerminalHost {
    /// `this machine`.
    public var name: String { "this machine" }

    /// Always connected.
    public var current: HostLinkState { HostLinkState(connection: .connected) }

    /// The one state; ends when its reader does.
    public func updates() -> AsyncStream<HostLinkState> {
        let (states, continuation) = AsyncStream.makeStream(of: HostLinkState.self)
        continuation.yield(current)
        return states
    }

    /// Makes a terminal that runs a command line in the account's shell.
    public func makeTerminal(_ command: String) -> any TerminalTransport {
        LocalPTYTerminal(program: nameForMessages(of: command)) { try await self.shellCommand(command) }
    }
}
