// Riff
// SPDX-License-Identifier: Apache-2.0

package import Synchronization

/// Tasks that wait for a state behind a `Mutex` to change; a part of that state.
///
/// Whoever changes the state takes the list under the lock, and wakes its tasks after it: resuming waits for a task's
/// own lock, which a cancellation holds while its handler waits for this one.
package struct WaitList: Sendable {
    // Most lists hold one waiter at most, which then costs no array.
    private var first: Waiter?
    private var others: [Waiter] = []

    package init() {}

    /// Whether no task waits.
    package var isEmpty: Bool { first == nil }

    /// Takes all tasks off the list, for ``wake()``.
    package mutating func take() -> WaitList {
        defer { self = WaitList() }
        return self
    }

    /// Wakes the tasks of a list that was taken. Not under the lock.
    package consuming func wake() {
        first?.wake()
        for waiter in others { waiter.wake() }
    }

    fileprivate mutating func add(_ waiter: Waiter) {
        if first == nil { first = waiter } else { others.append(waiter) }
    }

    fileprivate mutating func remove(_ waiter: Waiter) {
        if first === waiter {
            first = others.isEmpty ? nil : others.removeFirst()
        } else {
            others.removeAll { $0 === waiter }
        }
    }
}

extension Mutex where Value: Sendable {
    /// Tries a step under the lock until it returns a value; in between the task waits in a list of the state.
    ///
    /// - Throws: What the step throws; `CancellationError` when the task is cancelled before the step returned a value.
    package borrowing func wait<Result: Sendable>(
        in list: any WritableKeyPath<Value, WaitList> & Sendable,
        isolation: isolated (any Actor)? = #isolation,
        until step: (inout Value) throws -> Result?
    ) async throws -> Result {
        while true {
            try Task.checkCancellation()
            switch try attempt(step, waitingIn: list) {
            case .done(let result): return result
            case .wait(let waiter):
                // Off the list with the cancellation itself: a successor must not find who waits no more.
                await waiter.wait { withLock { $0[keyPath: list].remove(waiter) } }
            }
        }
    }

    /// Waits in a list of the state for as long as a condition, read under the lock, holds.
    ///
    /// - Throws: `CancellationError` when the task is cancelled before.
    package borrowing func wait(
        in list: any WritableKeyPath<Value, WaitList> & Sendable,
        isolation: isolated (any Actor)? = #isolation,
        while condition: (inout Value) -> Bool
    ) async throws {
        try await wait(in: list) { state -> Void? in condition(&state) ? nil : () }
    }

    /// Waits as ``wait(in:isolation:while:)`` does, whatever happens to the task.
    package borrowing func waitEvenIfCancelled(
        in list: any WritableKeyPath<Value, WaitList> & Sendable,
        isolation: isolated (any Actor)? = #isolation,
        while condition: (inout Value) -> Bool
    ) async {
        while case .wait(let waiter) = attempt({ condition(&$0) ? nil : () }, waitingIn: list) { await waiter.wait() }
    }

    private borrowing func attempt<Result: Sendable>(
        _ step: (inout Value) throws -> Result?,
        waitingIn list: WritableKeyPath<Value, WaitList>
    ) rethrows -> Attempt<Result> {
        try withLock { state in
            if let result = try step(&state) { return .done(result) }
            let waiter = Waiter()
            state[keyPath: list].add(waiter)
            return .wait(waiter)
        }
    }
}

private enum Attempt<Result: Sendable>: Sendable {
    case done(Result)
    case wait(Waiter)
}

/// One task that waits once.
private final class Waiter: Sendable {
    private enum State {
        case idle
        case waiting(CheckedContinuation<Void, Never>)
        case woken
    }

    private let state = Mutex(State.idle)

    func wait() async {
        await withCheckedContinuation { continuation in
            let isWoken = state.withLock { state in
                if case .woken = state { return true }
                state = .waiting(continuation)
                return false
            }
            if isWoken { continuation.resume() }
        }
    }

    func wait(cancelled: @Sendable () -> Void) async {
        await withTaskCancellationHandler {
            await wait()
        } onCancel: {
            cancelled()
            wake()
        }
    }

    func wake() {
        let continuation: CheckedContinuation<Void, Never>? = state.withLock { state in
            defer { state = .woken }
            if case .waiting(let continuation) = state { return continuation }
            return nil
        }
        continuation?.resume()
    }
}
