// Riff
// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// A conversation that grows, and that several readers may follow.
///
/// An answer of a megabyte comes in a quarter of a million pieces. Each is added in place; a copy is made only where
/// somebody takes the conversation, so that what is copied depends on how often it is read and not on the pieces.
/// Readers are told that there is something new, and take what is newest then.
package final class ChatThreadSource: Sendable {
    private typealias Bell = AsyncStream<Void>.Continuation

    private struct Storage {
        var thread: ChatThread
        var bells: [UInt64: Bell] = [:]
        var nextBell: UInt64 = 0
    }

    private let storage: Mutex<Storage>

    /// A source that starts with a conversation.
    package init(_ thread: ChatThread) { storage = Mutex(Storage(thread: thread)) }

    deinit { storage.withLock { $0.bells.values }.forEach { $0.finish() } }

    /// The conversation as it is.
    package var current: ChatThread { storage.withLock(\.thread) }

    /// Looks at the conversation where it is, without a copy.
    package func read<Value: Sendable>(_ body: (borrowing ChatThread) -> Value) -> Value {
        storage.withLock { body($0.thread) }
    }

    /// Changes the conversation, and tells every reader.
    package func change(_ body: (inout ChatThread) -> Void) {
        let bells = storage.withLock { storage in
            body(&storage.thread)
            return storage.bells.values
        }
        // With the lock released: waking a task up needs a lock of the task's, which its cancellation holds while it
        // calls `onTermination`, which needs ours.
        for bell in bells { bell.yield() }
    }

    /// The conversation as it is, then as it is whenever it has changed; changes while a reader is busy come as one.
    package func updates() -> AsyncStream<ChatThread> {
        let (rings, bell) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let id = storage.withLock { storage in
            storage.nextBell += 1
            storage.bells[storage.nextBell] = bell
            return storage.nextBell
        }
        bell.onTermination = { [weak self] _ in
            self?.storage.withLock { _ = $0.bells.removeValue(forKey: id) }
        }
        bell.yield()
        return AsyncStream { [weak self] in
            for await _ in rings { return self?.current }
            return nil
        }
    }
}
