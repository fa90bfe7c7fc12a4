// Riff
// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// One flag that somebody raises and one task waits for: raised often or once, it is one piece of news.
package final class NewsFlag: Sendable {
    private struct State {
        var isRaised = false
        var waiter: (id: UInt64, continuation: CheckedContinuation<Void, Never>)?
        var nextID: UInt64 = 0
    }

    private let state = Mutex(State())

    package init() {}

    /// There is news.
    package func raise() {
        let waiter = state.withLock { state in
            state.isRaised = true
            defer { state.waiter = nil }
            return state.waiter?.continuation
        }
        waiter?.resume()
    }

    /// Suspends until there is news, and takes it.
    ///
    /// - Throws: `CancellationError`; news stays then.
    package func wait() async throws {
        while true {
            try Task.checkCancellation()
            if takeIfRaised() { return }
            let id = state.withLock { state in
                state.nextID += 1
                return state.nextID
            }
            await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    let mustWait = state.withLock { state in
                        guard !state.isRaised, !Task.isCancelled else { return false }
                        precondition(state.waiter == nil, "A watch has one reader; a second one is asking.")
                        state.waiter = (id, continuation)
                        return true
                    }
                    if !mustWait { continuation.resume() }
                }
            } onCancel: {
                let waiter = state.withLock { state in
                    guard state.waiter?.id == id else { return nil as CheckedContinuation<Void, Never>? }
                    defer { state.waiter = nil }
                    return state.waiter?.continuation
                }
                waiter?.resume()
            }
        }
    }

    private func takeIfRaised() -> Bool {
        state.withLock { state in
            defer { state.isRaised = false }
            return state.isRaised
        }
    }
}
