// Riff
// SPDX-License-Identifier: Apache-2.0

internal import DequeModule
internal import Synchronization

/// A state that changes, and that several readers may follow: the one way out of everything with state.
///
/// A reader first gets the state as it is, then each change. A reader that falls more than 64 changes behind loses the
/// oldest of them, never the newest.
public final class StateSource<State: Sendable>: Sendable {
    private typealias Reader = AsyncStream<State>.Continuation

    /// The news still to be delivered to readers that were there when it happened.
    private enum News {
        case change(State, [Reader])
        case end([Reader])
    }

    private struct Storage {
        var current: State
        var readers: [UInt64: Reader] = [:]
        var nextID: UInt64 = 0
        var isFinished = false
        var news = Deque<News>()
        /// Whether a caller is delivering to readers, and delivers the newest state as well: the order of delivery is
        /// that of the changes.
        var isTelling = false
    }

    private let storage: Mutex<Storage>

    /// A source that starts with a state.
    public init(_ initial: State) { storage = Mutex(Storage(current: initial)) }

    /// The state as it is.
    public var current: State { storage.withLock(\.current) }

    /// Changes the state and tells every reader.
    public func update(_ state: State) { update { _ in state } }

    /// Changes the state, or leaves it, by what it is at that moment; readers are told of a change.
    ///
    /// - Parameter change: Gives the next state, or `nil` to leave it. It runs under the source's lock: it must be
    ///   short, and must not call the source.
    package func update(_ change: (State) -> State?) {
        tell { storage in
            guard !storage.isFinished, let state = change(storage.current) else { return nil }
            storage.current = state
            return .change(state, Array(storage.readers.values))
        }
    }

    /// Ends every reader's sequence; the state then stays as it is.
    public func finish() {
        tell { storage in
            storage.isFinished = true
            defer { storage.readers = [:] }
            return .end(Array(storage.readers.values))
        }
    }

    /// The state as it is, then each change; ends with ``finish()`` or with the reading task.
    public func updates() -> AsyncStream<State> {
        let (stream, continuation) = AsyncStream<State>.makeStream(bufferingPolicy: .bufferingNewest(64))
        let id = storage.withLock { storage -> UInt64? in
            // Nobody reads it yet, so that this wakes nobody up.
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

    /// Notes what happened, and tells it with the lock released: waking a task up needs a lock of the task's, which its
    /// cancellation holds while it calls `onTermination`, which needs ours.
    private func tell(_ happen: (inout Storage) -> News?) {
        let isMine = storage.withLock { storage in
            guard let news = happen(&storage) else { return false }
            storage.news.append(news)
            defer { storage.isTelling = true }
            return !storage.isTelling
        }
        guard isMine else { return }
        while let news = nextNews() {
            switch news {
            case .change(let state, let readers): for reader in readers { reader.yield(state) }
            case .end(let readers): for reader in readers { reader.finish() }
            }
        }
    }

    private func nextNews() -> News? {
        storage.withLock { storage in
            storage.isTelling = !storage.news.isEmpty
            return storage.news.popFirst()
        }
    }
}
