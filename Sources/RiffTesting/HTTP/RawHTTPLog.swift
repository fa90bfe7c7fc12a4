// Riff
// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// What happened on each connection, and who waits for it.
final class RawHTTPLog: Sendable {
    struct Entry: Sendable {
        var received: [UInt8] = []
        var step = -1
        var patternBytes = 0
        var isPatternSent = false
        var isClosed = false
    }

    private struct Waiter {
        let id: UInt64
        let isMet: @Sendable ([Entry]) -> Bool
        let continuation: CheckedContinuation<Void, Never>
    }

    private struct State {
        var entries: [Entry] = []
        var waiters: [Waiter] = []
        var lastID: UInt64 = 0
    }

    private let state = Mutex(State())

    var snapshot: [Entry] { state.withLock { $0.entries } }

    /// The number of a new connection.
    func open() -> Int { change { $0.append(Entry()) } - 1 }

    func update(_ connection: Int, _ body: (inout Entry) -> Void) { _ = change { body(&$0[connection]) } }

    /// Suspends until the condition holds.
    func wait(for isMet: @escaping @Sendable ([Entry]) -> Bool) async throws {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isDone = state.withLock { state in
                    if isMet(state.entries) || Task.isCancelled { return true }
                    state.waiters.append(Waiter(id: id, isMet: isMet, continuation: continuation))
                    return false
                }
                if isDone { continuation.resume() }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                state.waiters.firstIndex { $0.id == id }.map { state.waiters.remove(at: $0) }
            }
            waiter?.continuation.resume()
        }
        try Task.checkCancellation()
    }

    private func change(_ body: (inout [Entry]) -> Void) -> Int {
        let (count, met) = state.withLock { state in
            body(&state.entries)
            let entries = state.entries
            let met = state.waiters.filter { $0.isMet(entries) }
            state.waiters.removeAll { waiter in met.contains { $0.id == waiter.id } }
            return (entries.count, met)
        }
        for waiter in met { waiter.continuation.resume() }
        return count
    }
}
