// Riff
// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// Counts changes, and wakes the tasks that wait for one.
package final class ChangeSignal: Sendable {
    private struct State {
        var count: UInt64 = 0
        var waiters = WaitList()
    }

    private let state = Mutex(State())

    package init() {}

    /// The number of changes so far.
    package var current: UInt64 { state.withLock(\.count) }

    /// Counts a change.
    package func signal() {
        let waiters = state.withLock { state in
            state.count += 1
            return state.waiters.take()
        }
        waiters.wake()
    }

    /// Suspends until the number of changes is another one than the one seen, and returns it.
    ///
    /// - Throws: `CancellationError`.
    package func wait(after seen: UInt64?) async throws -> UInt64 {
        try await state.wait(in: \.waiters) { $0.count == seen ? nil : $0.count }
    }
}
