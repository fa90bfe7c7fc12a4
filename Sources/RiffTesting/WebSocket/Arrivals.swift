// Riff
// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// What has come and was not taken yet, for a test that waits for it. Unlike an `AsyncStream` it goes on after a task
/// that waited was cancelled. It grows with what a test does not take.
final class Arrivals<Element: Sendable>: Sendable {
    private struct State {
        var elements: [Element] = []
        var waiters: [(id: UInt64, continuation: CheckedContinuation<Void, Never>)] = []
        var lastID: UInt64 = 0
    }

    private let state = Mutex(State())

    func add(_ element: Element) {
        let waiters = state.withLock { state in
            state.elements.append(element)
            defer { state.waiters = [] }
            return state.waiters
        }
        // Behind the lock: resuming waits for the task's own, which a cancellation holds while its handler waits for this.
        for waiter in waiters { waiter.continuation.resume() }
    }

    /// Takes the oldest one, and waits for it.
    func next() async throws -> Element {
        while true {
            try Task.checkCancellation()
            let id = state.withLock { state in
                state.lastID += 1
                return state.lastID
            }
            var element: Element?
            await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    let mustWait = state.withLock { state in
                        guard state.elements.isEmpty else {
                            element = state.elements.removeFirst()
                            return false
                        }
                        guard !Task.isCancelled else { return false }
                        state.waiters.append((id, continuation))
                        return true
                    }
                    if !mustWait { continuation.resume() }
                }
            } onCancel: {
                let waiter = state.withLock { state in
                    state.waiters.firstIndex { $0.id == id }.map { state.waiters.remove(at: $0) }
                }
                waiter?.continuation.resume()
            }
            if let element { return element }
        }
    }
}
