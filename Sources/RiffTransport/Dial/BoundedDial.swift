// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore
internal import Synchronization

/// A dial by code of others, which may notice neither its limit nor that it was cancelled. It is then left behind, and
/// a channel that it brings all the same is closed: one that nobody gets must not stay open.
package final class BoundedDial: Sendable {
    private struct State {
        var channel: (any ByteChannel)?
        var isAbandoned = false
    }

    private let state = Mutex(State())

    private init() {}

    /// Dials within a time limit.
    ///
    /// - Parameters:
    ///   - limit: How long it may take.
    ///   - clock: What counts the time.
    ///   - dial: Opens the channel.
    /// - Returns: The channel.
    /// - Throws: `DeadlineExceeded`, `CancellationError`, or what `dial` threw.
    package static func run(
        within limit: Duration,
        clock: any Clock<Duration> = ContinuousClock(),
        _ dial: @escaping @Sendable () async throws -> any ByteChannel
    ) async throws -> any ByteChannel {
        let attempt = BoundedDial()
        do {
            return try await withDeadline(
                limit,
                clock: clock,
                abandoning: {
                    let channel = try await dial()
                    guard attempt.take(channel) else {
                        await channel.abort()
                        throw CancellationError()
                    }
                    return channel
                }
            )
        } catch {
            await attempt.abandon()?.abort()
            throw error
        }
    }

    /// Takes the channel, and returns whether the caller still wants it.
    private func take(_ channel: any ByteChannel) -> Bool {
        state.withLock { state in
            guard !state.isAbandoned else { return false }
            state.channel = channel
            return true
        }
    }

    private func abandon() -> (any ByteChannel)? {
        state.withLock { state in
            state.isAbandoned = true
            return state.channel
        }
    }
}
