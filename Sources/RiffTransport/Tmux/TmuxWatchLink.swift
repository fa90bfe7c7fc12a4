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

    /// tmux up to 3.6 ends, with everything in it, where it has a word for clients in control mode while one of them is being
    /// let in (tmux/tmux#4980). So nothing of ours that it would tell of is done meanwhile: terminals are attached before, and
    /// commands wait until the client is in.
    func openChannel(_ line: String) async throws -> any ByteChannel {
        try await link.waitUntilCalm()
        return try await link.errandTurns.take {
            let handle = try await link.start(.command(line, isBulk: false), dials: false)
            let isIn = EventualValue<Void>()
            handle.state.output.observe { _ in isIn.resolve(()) }
            // What came before that was not seen, and what never comes is not waited for.
            if !handle.state.output.holdsBytes { await Self.wait(for: isIn) }
            return SSHExecChannel(handle: handle)
        }
    }

    private static func wait(for isIn: EventualValue<Void>) async {
        await withTaskGroup(of: Void.self) { group in
            // Cancellation ends both, and the channel is then closed by who asked for it.
            group.addTask { try? await isIn.cancellableValue() }
            group.addTask { try? await ContinuousClock().sleep(for: .seconds(2)) }
            await group.next()
            group.cancelAll()
        }
    }
}
