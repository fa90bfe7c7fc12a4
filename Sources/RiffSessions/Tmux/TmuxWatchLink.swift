// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore
package import RiffTransport

/// The source of a ``TmuxWatcher``'s channel.
package protocol TmuxWatchLink: Sendable {
    /// Tells whether channels can be opened, now and then at each change; returns when the task is cancelled or there
    /// will never be a change.
    func follow(_ tell: @Sendable (_ isUp: Bool) async -> Void) async

    /// Starts a line of the login shell on a channel; never dials.
    func openChannel(_ line: String) async throws -> any ByteChannel
}

/// A host's own connection, once it has been up for a while.
///
/// tmux up to 3.6 ends with all its sessions when it has something to tell while a client in control mode is being
/// identified, or when such a client goes away at that moment (tmux issues 4980 and 5004). What it tells is mostly that
/// somebody attached, as the terminals of a host do when its connection has just come up, and a connection that has
/// just come up is the likeliest to be lost: so this client comes last.
struct HostWatchLink: TmuxWatchLink {
    /// The time that a connection has to be up.
    static let rest = Duration.seconds(2)

    let link: HostLink

    func follow(_ tell: @Sendable (Bool) async -> Void) async {
        for await isUp in Self.rested(link.updates()) { await tell(isUp) }
    }

    static func rested(_ states: AsyncStream<HostLinkState>) -> AsyncStream<Bool> {
        AsyncStream { continuation in
            let task = Task {
                var waiting: Task<Void, Never>?
                for await state in states {
                    if state.connection != .connected {
                        waiting?.cancel()
                        waiting = nil
                        continuation.yield(false)
                    } else if waiting == nil {
                        waiting = Task {
                            // Cancellation is the only error of a sleep. Told too late it is harmless: nothing is
                            // dialed.
                            if (try? await Task.sleep(for: rest)) != nil { continuation.yield(true) }
                        }
                    }
                }
                waiting?.cancel()
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    /// Nothing of ours that tmux would tell of is done while the client is being identified: terminals are attached
    /// before, and commands and keys wait until it was heard of.
    func openChannel(_ line: String) async throws -> any ByteChannel {
        while true {
            try await link.waitUntilCalm()
            let before = await link.terminalCount
            // Whoever had the turn before may have made a session, which gets its terminal now.
            if let channel = try await link.errandTurns.take({ try await attach(line, ifStill: before) }) {
                return channel
            }
        }
    }

    private func attach(_ line: String, ifStill count: Int) async throws -> (any ByteChannel)? {
        guard await link.terminalCount == count else { return nil }
        // Keys enter and leave tmux's modes, which it tells as well. Those that are on their way are there before the
        // client.
        return try await link.startQuietly(line, within: Self.longestHold)
    }

    /// The time that a person's keys may wait for it, on a slow host.
    private static let longestHold = Duration.seconds(2)
}
