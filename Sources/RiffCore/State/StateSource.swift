// Riff
// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// A state that changes, and that several readers may follow: the one way out of everything with state.
///
/// A reader first gets the state as it is, then each change. A reader that falls more than 64 changes behind loses the
/// oldest of them, never the newest.
public final class StateSource<State: Sendable>: Sendable {
    private struct Storage {
        var current: State
        var readers: [UInt64: AsyncStream<State>.Continuation] = [:]
        var nextID: UInt64 = 0
        var isFinished = false
    }

    private let storage: Mutex<Storage>

    /// A source that starts with a state.
    public init(_ initial: State) { storage = Mutex(Storage(current: initial)) }

    /// The state as it is.
    public var current: State { storage.withLock(\.current) }

    /// Changes the state and tells every reader.
    public func update(_ state: State) {
        storage.withLock { storage in
            guard !storage.isFinished else { return }
            storage.current = state
            for reader in storage.readers.values { reader.yield(state) }
        }
    }

    /// Ends every reader's sequence; the state then stays as it is.
    public func finish() {
        let readers = storage.withLock { storage in
            storage.isFinished = true
            defer { storage.readers = [:] }
            return Array(storage.readers.values)
        }
        for reader in readers { reader.finish() }
    }

    /// The state as it is, then each change; ends with ``finish()`` or with the reading task.
    public func updates() -> AsyncStream<State> {
        let (stream, continuation) = AsyncStream<State>.makeStream(bufferingPolicy: .bufferingNewest(64))
        let id = storage.withLock { storage -> UInt64? in
            continuation.yield(storage.current)
            guard !storage.isFinished else { return nil }
            storage.nextID += 1
            storage.readers[storage.nextID] = continuation
            return storage.nextID
        }
        guard let id else {
            continuation.finish()
            return stream
        }
        continuation.onTermination = { [weak self] _ in
            self?.storage.withLock { _ = $0.readers.removeValue(forKey: id) }
        }
        return stream
    }
}
