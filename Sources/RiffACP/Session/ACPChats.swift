// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

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
            do { seen = try await changes.wait(after: seen) } catch { return nil }
            return await conversation.chat
        }
    }

    /// Starts to read.
    public func makeAsyncIterator() -> Iterator { Iterator(conversation: conversation, changes: changes) }
}
