// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

extension HostLink {
    /// Starts a command on the open connection, while input is held back.
    ///
    /// Returns when the command wrote something, or after two seconds. Keys enter and leave tmux's modes, which it
    /// tells its clients; those that are on their way arrive before the command begins. A link that nobody wants is not
    /// dialed.
    ///
    /// - Parameters:
    ///   - line: One line for the account's login shell.
    ///   - limit: How long input is held back at most.
    /// - Returns: The command's channel.
    /// - Throws: What made the start fail; `CancellationError`.
    package func startQuietly(_ line: String, within limit: Duration) async throws -> any ByteChannel {
        try await inputGate.hold(within: limit, clock: clock) {
            let handle = try await self.start(.command(line), dials: false)
            let isHeard = EventualValue<Void>()
            handle.state.output.observe { _ in isHeard.resolve(()) }
            // What came before that was not seen, and what never comes is not waited for.
            if !handle.state.output.holdsBytes { await self.wait(for: isHeard) }
            return SSHExecChannel(handle: handle)
        }
    }

    private func wait(for isHeard: EventualValue<Void>) async {
        // If it is cancelled, the channel is closed by who asked for it.
        try? await withDeadline(.seconds(2), clock: clock) { try await isHeard.cancellableValue() }
    }
}
