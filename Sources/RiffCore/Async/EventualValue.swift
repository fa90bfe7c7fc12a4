// Riff
// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// A value that comes once and is then there for good: the end of a process, of a terminal, of a check.
package final class EventualValue<Value: Sendable>: Sendable {
    private struct State {
        var value: Value?
        var waiters = WaitList()
    }

    private let state = Mutex(State())

    package init() {}

    /// The value, if it has come.
    package var current: Value? { state.withLock { $0.value } }

    /// Sets the value and wakes all tasks that wait for it. Only the first call counts.
    ///
    /// - Returns: Whether this was the first call.
    @discardableResult
    package func resolve(_ value: Value) -> Bool {
        let waiters: WaitList? = state.withLock { state in
            guard state.value == nil else { return nil }
            state.value = value
            return state.waiters.take()
        }
        waiters?.wake()
        return waiters != nil
    }

    /// Suspends until the value is there, whatever happens to the task.
    package func value() async -> Value {
        while true {
            if let value = current { return value }
            await state.waitEvenIfCancelled(in: \.waiters) { $0.value == nil }
        }
    }

    /// Suspends until the value is there.
    ///
    /// - Throws: `CancellationError` if the waiting task is cancelled before.
    package func cancellableValue() async throws -> Value {
        if let value = current { return value }
        return try await state.wait(in: \.waiters) { $0.value }
    }
}
