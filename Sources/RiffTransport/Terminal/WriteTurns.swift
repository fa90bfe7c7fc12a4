// Riff
// SPDX-License-Identifier: Apache-2.0

internal import DequeModule
internal import Synchronization

/// Lets writers in one after another, in the order in which they came: a text and its Return stay together. The same for
/// commands to a server, of which each is to see what the one before did.
package final class WriteTurns: Sendable {
    private struct State {
        var isTaken = false
        var waiting = Deque<(id: UInt64, continuation: CheckedContinuation<Bool, Never>)>()
        var nextID: UInt64 = 0
    }

    private let state = Mutex(State())

    package init() {}

    /// Waits for the turn, runs the body, and lets the next one in.
    ///
    /// - Returns: What the body returns.
    /// - Throws: What the body throws; `CancellationError` when cancelled while waiting, and then the body did not run.
    package func take<Result: Sendable>(_ body: @Sendable () async throws -> Result) async throws -> Result {
        guard await enter() else { throw CancellationError() }
        defer { leave() }
        return try await body()
    }

    private func enter() async -> Bool {
        let id: UInt64? = state.withLock { state in
            guard state.isTaken else {
                state.isTaken = true
                return nil
            }
            state.nextID += 1
            return state.nextID
        }
        guard let id else { return true }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let now: Bool? = state.withLock { state in
                    if Task.isCancelled { return false }
                    guard state.isTaken else {
                        state.isTaken = true
                        return true
                    }
                    state.waiting.append((id, continuation))
                    return nil
                }
                if let now { continuation.resume(returning: now) }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                state.waiting.firstIndex { $0.id == id }.map { state.waiting.remove(at: $0).continuation }
            }
            waiter?.resume(returning: false)
        }
    }

    private func leave() {
        let next = state.withLock { state in
            let next = state.waiting.popFirst()
            state.isTaken = next != nil
            return next
        }
        next?.continuation.resume(returning: true)
    }
}
