// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// Where a ``TmuxWatcher`` gets its channel from.
package protocol TmuxWatchLink: Sendable {
    /// Tells whether channels can be opened, now and then at each change; returns when the task is cancelled or there
    /// will never be a change.
    func follow(_ tell: @Sendable (_ isUp: Bool) async -> Void) async

    /// Starts a line of the login shell on a channel; never dials.
    func openChannel(_ line: String) async throws -> any ByteChannel
}

/// A host's own connection.
struct HostWatchLink: TmuxWatchLink {
    let link: HostLink

    func follow(_ tell: @Sendable (Bool) async -> Void) async {
        for await state in link.states() { await tell(state.connection == .connected) }
    }

    func openChannel(_ line: String) async throws -> any ByteChannel {
        SSHExecChannel(handle: try await link.start(.command(line, isBulk: false), dials: false))
    }
}
