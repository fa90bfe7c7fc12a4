// Riff
// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// The states of an ``ACPConversation``, as fast as they are read: a turn changes it thousands of times a second, and a
/// copy for each change would cost more than the turn.
public struct ACPChats: AsyncSequence, Sendable {
    /// A state.
    public typealias Element = ACPChat
    /// It does not fail.
    public typealias Failure = Never

    let conversation: ACPConversation
    let changes: ChangeSignal

    /// Reads the states, each newer than the one before.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let conversation: ACPConversation
        fileprivate let changes: ChangeSignal
        fileprivate var seen: UInt64?

        /// The newest state, when it is one that was not read yet; `nil` when the task is cancelled.
        public mutating func next() async -> ACPChat? { await read() }

        /// The newest state, when it is one that was not read yet; `nil` when the task is cancelled.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(Never) -> ACPChat? {
            await read()
        }

        private mutating func read() async -> ACPChat? {
            guard let version = await changes.wait(after: seen) else { return nil }
            seen = version
            return await conversation.chat
        }
    }

    /// Starts to read.
    public func makeAsyncIterator() -> Iterator { Iterator(conversation: conversation, changes: changes) }
}

/// Counts changes, and wakes who waits for one.
final class ChangeSignal: Sendable {
    private struct State {
        var version: UInt64 = 0
        var nextID: UInt64 = 0
        var waiters: [UInt64: CheckedContinuation<Void, Never>] = [:]
    }

    private let state = Mutex(State())

    func signal() {
        let waiters = state.withLock { state in
            state.version += 1
            defer { state.waiters = [:] }
            return state.waiters.values
        }
        for waiter in waiters { waiter.resume() }
    }

    /// The version, when it is newer than the one seen; `nil` when the task is cancelled.
    func wait(after seen: UInt64?) async -> UInt64? {
        while !Task.isCancelled {
            let (version, id) = state.withLock { state in
                state.nextID += 1
                return (state.version, state.nextID)
            }
            if version != seen { return version }
            await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    let mustWait = state.withLock { state in
                        guard state.version == seen, !Task.isCancelled else { return false }
                        state.waiters[id] = continuation
                        return true
                    }
                    if !mustWait { continuation.resume() }
                }
            } onCancel: {
                state.withLock { $0.waiters.removeValue(forKey: id) }?.resume()
            }
        }
        return nil
    }
}
