// Riff
// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// A signal for a single waiter. Signals sent while it does not wait are coalesced into one. Of two waiters one takes
/// it.
package final class CoalescingSignal: Sendable {
    private struct State {
        var isPending = false
        var waiters = WaitList()
    }

    private let state = Mutex(State())

    package init() {}

    /// Sends the signal.
    package func send() {
        let waiters = state.withLock { state in
            state.isPending = true
            return state.waiters.take()
        }
        waiters.wake()
    }

    /// Suspends until a signal was sent, and takes it.
    ///
    /// - Throws: `CancellationError`; the signal stays then.
    package func wait() async throws {
        try await state.wait(in: \.waiters) { state in
            defer { state.isPending = false }
            return !state.isPending
        }
    }
}
