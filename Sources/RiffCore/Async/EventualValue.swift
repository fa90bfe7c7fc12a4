// Riff
// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// A value that comes once and is then there for good: the end of a process, of a terminal, of a check.
package final class EventualValue<Value: Sendable>: Sendable {
    private struct State {
        var value: Value?
        var waiters: [UInt64: CheckedContinuation<Void, Never>] = [:]
        var nextID: UInt64 = 0
    }

    private let state = Mutex(State())

    package init() {}

    /// The value, where it has come.
    package var current: Value? { state.withLock { $0.value } }

    /// Sets the value and wakes everybody who waits. Only the first call counts.
    ///
    /// - Returns: Whether this was the first call.
    @discardableResult
    package func resolve(_ value: Value) -> Bool {
        let waiters: [CheckedContinuation<Void, Never>]? = state.withLock { state in
            guard state.value == nil else { return nil }
            state.value = value
            defer { state.waiters = [:] }
            return Array(state.waiters.values)
        }
        for waiter in waiters ?? [] { waiter.resume() }
        return waiters != nil
    }

    /// Suspends until the value is there, whatever happens to the task.
    package func value() async -> Value {
        while true {
            if let value = current { return value }
            await withCheckedContinuation { continuation in wait(continuation, as: nextID(), evenIfCancelled: true) }
        }
    }

    /// Suspends until the value is there.
    ///
    /// - Throws: `CancellationError` when the waiting task is cancelled first.
    package func cancellableValue() async throws -> Value {
        while true {
            if let value = current { return value }
            try Task.checkCancellation()
            let id = nextID()
            await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in wait(continuation, as: id, evenIfCancelled: false) }
            } onCancel: {
                state.withLock { $0.waiters.removeValue(forKey: id) }?.resume()
            }
        }
    }

    private func wait(_ continuation: CheckedContinuation<Void, Never>, as id: UInt64, evenIfCancelled: Bool) {
        let mustWait = state.withLock { state in
            guard state.value == nil, evenIfCancelled || !Task.isCancelled else { return false }
            state.waiters[id] = continuation
            return true
        }
        if !mustWait { continuation.resume() }
    }

    private func nextID() -> UInt64 {
        state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
    }
}
