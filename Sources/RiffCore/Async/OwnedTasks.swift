// Riff
// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// Tasks that end with their owner: those that run are cancelled and waited for, and none begins afterwards. When the
/// owner is let go without that, they are cancelled.
package final class OwnedTasks: Sendable {
    private struct State {
        var tasks: [UInt64: Task<Void, Never>] = [:]
        var nextID: UInt64 = 0
        var isOver = false
    }

    private let state = Mutex(State())

    package init() {}

    deinit {
        for task in state.withLock({ $0.tasks.values }) { task.cancel() }
    }

    /// Runs something; `nil` after the end.
    @discardableResult
    package func run(_ work: @escaping @Sendable () async -> Void) -> Task<Void, Never>? {
        state.withLock { state in
            guard !state.isOver else { return nil }
            state.nextID += 1
            let id = state.nextID
            let task = Task { [weak self] in
                await work()
                self?.state.withLock { $0.tasks[id] = nil }
            }
            state.tasks[id] = task
            return task
        }
    }

    /// Cancels all, and returns when none is left.
    package func end() async {
        let tasks = state.withLock { state in
            state.isOver = true
            return state.tasks.values
        }
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
    }
}
