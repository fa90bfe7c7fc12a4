// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore
internal import RiffTransport
internal import Synchronization

/// The lines that wait to be sent, in the order in which they were posted; one task takes them out.
///
/// Posting never suspends: an answer or a cancellation must go out whatever its task's fate. What waits is bounded by
/// what is asked: requests wait for their answers, and the other side's requests are limited. An agent that reads
/// nothing at all is given up at `limit`.
final class Outbox: Sendable {
    private struct State {
        var bytes: [UInt8] = []
        var isFinished = false
        var readers = WaitList()
    }

    private let state = Mutex(State())
    private let limit: Int

    init(limit: Int = 256 * 1024 * 1024) { self.limit = limit }

    /// Adds a line.
    ///
    /// - Returns: Whether it will be sent; `false` after the end, and where too much waits already.
    @discardableResult
    func post(_ line: [UInt8]) -> Bool {
        let (isTaken, readers) = state.withLock { state in
            guard !state.isFinished, state.bytes.count + line.count <= limit else { return (false, WaitList()) }
            if state.bytes.isEmpty { state.bytes = line } else { state.bytes += line }
            return (true, state.readers.take())
        }
        readers.wake()
        return isTaken
    }

    /// Whether the sender has taken all that was posted.
    var isEmpty: Bool { state.withLock(\.bytes.isEmpty) }

    /// Takes no more lines; the reader gets what was posted before.
    func finish() {
        let readers = state.withLock { state in
            state.isFinished = true
            return state.readers.take()
        }
        readers.wake()
    }

    /// All lines that wait; suspends until there are some. `nil` after the end. One caller, not cut short by
    /// cancellation: `finish` ends it.
    func next() async -> [UInt8]? {
        while true {
            let (bytes, isFinished) = state.withLock { state in
                defer { state.bytes = [] }
                return (state.bytes, state.isFinished)
            }
            if !bytes.isEmpty { return bytes }
            if isFinished { return nil }
            await state.waitEvenIfCancelled(in: \.readers) { $0.bytes.isEmpty && !$0.isFinished }
        }
    }
}
