// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// The states of an ``ACPConversation``, as fast as they are read: a turn changes it thousands of times a second, and a
/// copy for each change would cost more than the turn.
struct ACPChats: AsyncSequence, Sendable {
    /// The state of the chat.
    typealias Element = ACPChat
    /// It does not fail.
    typealias Failure = Never

    let conversation: ACPConversation
    let changes: ChangeSignal

    /// Reads the states, each newer than the one before.
    struct Iterator: AsyncIteratorProtocol {
        fileprivate let conversation: ACPConversation
        fileprivate let changes: ChangeSignal
        fileprivate var seen: UInt64?

        /// The newest state, when it is one that was not read yet; `nil` when the task is cancelled.
        mutating func next() async -> ACPChat? { await read() }

        /// The newest state, when it is one that was not read yet; `nil` when the task is cancelled.
        mutating func next(isolation actor: isolated (any Actor)?) async throws(Never) -> ACPChat? {
            await read()
        }

        private mutating func read() async -> ACPChat? {
            do { _ = try await changes.wait(after: seen) } catch { return nil }
            // The chat may be newer than the change that was waited for.
            let (chat, change) = await conversation.numbered
            seen = change
            return chat
        }
    }

    /// Starts to read.
    func makeAsyncIterator() -> Iterator { Iterator(conversation: conversation, changes: changes) }
}
