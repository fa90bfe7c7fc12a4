// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore
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
        /// The number of times that an entry's text was replaced, of those whose text was.
        var editions: [Int: UInt64] = [:]
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
    ///
    /// - Parameters:
    ///   - replacesAnswer: Whether the last answer's text is another one after it; else texts only grow.
    ///   - body: Changes the conversation.
    package func change(replacingAnswer replacesAnswer: Bool = false, _ body: (inout ChatThread) -> Void) {
        let bells = storage.withLock { storage in
            if replacesAnswer, let answer = storage.thread.answer?.id { storage.editions[answer, default: 0] += 1 }
            body(&storage.thread)
            return storage.bells.values
        }
        // With the lock released: waking a task up needs a lock of the task's, which its cancellation holds while it
        // calls `onTermination`, which needs ours.
        for bell in bells { bell.yield() }
    }

    /// The conversation as it is, then as it is whenever it has changed; changes while a reader is busy come as one.
    package func updates() -> AsyncStream<ChatThread> {
        let rings = rings()
        return AsyncStream { [weak self] in
            for await _ in rings { return self?.current }
            return nil
        }
    }

    /// The conversation as ``updates()`` tells it, with what of it is new to this reader.
    package func changes() -> AsyncStream<ChatThread.Update> {
        let rings = rings()
        let marks = Mutex(Marks())
        return AsyncStream { [weak self] in
            for await _ in rings { return self?.update(since: marks) }
            return nil
        }
    }

    private struct Marks {
        var texts = TextGrowthMarks()
        var refusals = TextGrowthMarks()
        /// The entries of which the reader has a refusal.
        var refused: Set<Int> = []
    }

    private func update(since marks: borrowing Mutex<Marks>) -> ChatThread.Update {
        storage.withLock { storage in
            marks.withLock { marks in
                var (texts, refusals): ([TextGrowth], [TextGrowth]) = ([], [])
                for entry in storage.thread.entries {
                    let edition = storage.editions[entry.id] ?? 0
                    let text = marks.texts.growth(of: entry.id, edition: edition, bytes: entry.text.utf8.count) {
                        String(decoding: entry.text.utf8.dropFirst($0), as: UTF8.self)
                    }
                    if let text { texts.append(text) }
                    if entry.refusal.isEmpty {
                        // One that the reader has was taken back: it is told that nothing is left of it.
                        guard marks.refused.remove(entry.id) != nil else { continue }
                    } else {
                        marks.refused.insert(entry.id)
                    }
                    let count = entry.refusal.utf8.count
                    let refusal = marks.refusals.growth(of: entry.id, edition: edition, bytes: count) {
                        String(decoding: entry.refusal.utf8.dropFirst($0), as: UTF8.self)
                    }
                    if let refusal { refusals.append(refusal) }
                }
                return ChatThread.Update(thread: storage.thread, texts: texts, refusals: refusals)
            }
        }
    }

    private func rings() -> AsyncStream<Void> {
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
        return rings
    }
}
