// Riff
// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// A state that is changed in place and often: a change costs the same however large the state is, and a reader gets
/// the newest state when it asks for one.
///
/// A reader first gets the state as it is, and then the newest one after each change or several of them.
package final class NewestStateSource<State: Sendable>: Sendable {
    private struct Storage {
        var current: State
        var changes: UInt64 = 0
        var isFinished = false
        var waiters = WaitList()
    }

    private let storage: Mutex<Storage>

    /// Creates a source that starts with a state.
    package init(_ initial: State) { storage = Mutex(Storage(current: initial)) }

    /// The state as it is.
    package var current: State { storage.withLock(\.current) }

    /// Changes the state in place, and wakes the readers that wait.
    ///
    /// - Parameter change: Returns whether anything differs. It runs under the source's lock: it must be short, and
    ///   must not call the source.
    package func modify(_ change: (inout State) -> Bool) {
        let waiters = storage.withLock { storage -> WaitList? in
            guard !storage.isFinished, change(&storage.current) else { return nil }
            storage.changes &+= 1
            return storage.waiters.take()
        }
        waiters?.wake()
    }

    /// Ends every reader's sequence after the newest state; the state then stays as it is.
    package func finish() {
        let waiters = storage.withLock { storage in
            storage.isFinished = true
            return storage.waiters.take()
        }
        waiters.wake()
    }

    /// The state as it is, then the newest one after each change; ends with ``finish()`` or with the reading task.
    package func updates() -> AsyncStream<State> {
        let reader = Reader()
        return AsyncStream { await self.next(for: reader) }
    }

    private final class Reader: Sendable {
        /// The number of changes at the time the reader last took the state.
        let seen = Mutex<UInt64?>(nil)
    }

    private func next(for reader: Reader) async -> State? {
        // Cancellation is the only error of the wait, and ends the sequence as the source's end does.
        try? await storage.wait(in: \.waiters) { storage -> State?? in
            let isNew = reader.seen.withLock { seen in
                defer { seen = storage.changes }
                return seen != storage.changes
            }
            if isNew { return storage.current }
            return storage.isFinished ? .some(nil) : nil
        } ?? nil
    }
}
