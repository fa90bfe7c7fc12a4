// Riff
// SPDX-License-Identifier: Apache-2.0

internal import DequeModule
internal import RiffCore
internal import Synchronization

/// A bounded byte queue between one producer and one consumer, either of which may be asynchronous or live on an event
/// loop: the one back-pressure mechanism of this target.
///
/// Chunks keep their order; small ones are joined when the consumer is behind, so that a flood costs few wake-ups.
/// The producer is asked to pause above `highWater` bytes and to go on below `lowWater`.
package final class BytePipe: Sendable {
    private struct State {
        var chunks = Deque<[UInt8]>()
        /// The number of bytes taken from the first chunk already: a chunk is not copied for each piece of it.
        var takenOfFirst = 0
        var bytes = 0
        var isPaused = false
        var isFinished = false
        var failure: (any Error)?
        var readers = WaitList()
        var writers = WaitList()
    }

    private let state = Mutex(State())
    /// Buffered bytes at which the producer is asked to pause.
    package let highWater: Int
    private let lowWater: Int
    private let onReadable: (@Sendable () -> Void)?
    private let onDrain: (@Sendable () -> Void)?
    private let observer = Mutex<(@Sendable ([UInt8]) -> Void)?>(nil)
    /// Most pipes have no observer; those ask no lock for it.
    private let isObserved = Atomic(false)

    /// - Parameters:
    ///   - highWater: Buffered bytes at which the producer is asked to pause.
    ///   - onReadable: Called when the empty pipe got its first bytes or ended; for a consumer on an event loop.
    ///   - onDrain: Called when a paused producer may go on; for a producer on an event loop.
    package init(
        highWater: Int = 256 * 1024,
        onReadable: (@Sendable () -> Void)? = nil,
        onDrain: (@Sendable () -> Void)? = nil
    ) {
        self.highWater = highWater
        self.lowWater = highWater / 2
        self.onReadable = onReadable
        self.onDrain = onDrain
    }

    /// Shows all bytes to an observer as they come in, before a reader can take them, whether or not one does.
    package func observe(_ observer: @escaping @Sendable ([UInt8]) -> Void) {
        self.observer.withLock { $0 = observer }
        isObserved.store(true, ordering: .releasing)
    }

    // MARK: Producer

    /// Adds bytes without ever suspending. Bytes offered after the end are dropped.
    ///
    /// - Returns: Whether the producer may go on; `false` asks it to wait for `onDrain`.
    @discardableResult
    package func offer(_ bytes: [UInt8]) -> Bool { add(bytes) { _ in true }.mayGoOn }

    /// Adds bytes unless the pipe is above its high-water mark or has ended. Not for a pipe that is observed: the
    /// observer would see bytes that are refused.
    ///
    /// - Returns: Whether it took them.
    package func offerIfOpen(_ bytes: [UInt8]) -> Bool {
        assert(!isObserved.load(ordering: .relaxed), "An observed pipe was offered bytes that it may refuse.")
        return add(bytes) { !$0.isPaused && !$0.isFinished }.isAllowed
    }

    private func add(
        _ bytes: [UInt8],
        if condition: (State) -> Bool
    ) -> (isAllowed: Bool, mayGoOn: Bool) {
        if isObserved.load(ordering: .acquiring) { observer.withLock(\.self)?(bytes) }
        var readers = WaitList()
        var wasEmpty = false
        let answer = state.withLock { state in
            guard condition(state) else { return (false, !state.isPaused) }
            guard !state.isFinished, !bytes.isEmpty else { return (true, !state.isPaused) }
            wasEmpty = state.chunks.isEmpty
            state.chunks.append(bytes)
            state.bytes += bytes.count
            if state.bytes >= highWater { state.isPaused = true }
            readers = state.readers.take()
            return (true, !state.isPaused)
        }
        readers.wake()
        if wasEmpty { onReadable?() }
        return answer
    }

    /// Adds bytes, and drops the oldest ones beyond the high-water mark: for a producer that must never wait.
    package func offerDroppingOldest(_ bytes: [UInt8]) {
        state.withLock { state in
            while state.bytes + bytes.count > highWater, let oldest = state.chunks.popFirst() {
                state.bytes -= oldest.count - state.takenOfFirst
                state.takenOfFirst = 0
            }
        }
        offer(bytes.count > highWater ? Array(bytes.suffix(highWater)) : bytes)
    }

    /// Whether the producer was asked to pause.
    package var isPaused: Bool { state.withLock { $0.isPaused } }

    /// Adds bytes, then suspends while the pipe is above its high-water mark.
    ///
    /// - Throws: The pipe's failure, or `TransportError` with `closed`, when it ended before the bytes were added;
    ///   `CancellationError` when the task was cancelled before they were.
    package func send(_ bytes: [UInt8]) async throws {
        try Task.checkCancellation()
        while true {
            let isPaused = state.withLock { $0.isPaused && !$0.isFinished }
            guard isPaused else { break }
            try await state.wait(in: \.writers) { $0.isPaused && !$0.isFinished }
        }
        // The pipe may have ended since: bytes that are dropped are not said to be sent.
        guard add(bytes, if: { !$0.isFinished }).isAllowed else {
            let failure = state.withLock(\.failure)
            throw failure ?? TransportError(.closed, "Writing to a channel that is already closed.")
        }
    }

    /// Ends the pipe: the consumer gets what is buffered, then the failure or the end. Only the first call counts.
    package func finish(throwing failure: (any Error)? = nil) {
        let (readers, writers, first) = state.withLock { state in
            guard !state.isFinished else { return (WaitList(), WaitList(), false) }
            state.isFinished = true
            state.failure = failure
            return (state.readers.take(), state.writers.take(), true)
        }
        readers.wake()
        writers.wake()
        if first { onReadable?() }
    }

    // MARK: Consumer

    /// The result of `take`.
    package enum Taken {
        case bytes([UInt8])
        /// Nothing now.
        case empty
        /// Nothing any more.
        case ended((any Error)?)
    }

    /// Takes up to `limit` buffered bytes without suspending.
    package func take(upTo limit: Int = 64 * 1024) -> Taken {
        var writers = WaitList()
        var drained = false
        let taken: Taken = state.withLock { state in
            guard var bytes = state.chunks.popFirst() else {
                return state.isFinished ? .ended(state.failure) : .empty
            }
            let start = state.takenOfFirst
            if bytes.count - start > limit {
                state.takenOfFirst = start + limit
                state.chunks.prepend(bytes)
                bytes = Array(bytes[start..<start + limit])
            } else {
                state.takenOfFirst = 0
                if start > 0 { bytes.removeSubrange(..<start) }
                while let next = state.chunks.first, bytes.count + next.count <= limit {
                    bytes += next
                    state.chunks.removeFirst()
                }
            }
            state.bytes -= bytes.count
            if state.isPaused, state.bytes <= lowWater {
                state.isPaused = false
                drained = true
                writers = state.writers.take()
            }
            return .bytes(bytes)
        }
        writers.wake()
        if drained { onDrain?() }
        return taken
    }

    /// Puts bytes that were taken back to the front: for a consumer that read further than its part. Also after the
    /// end.
    package func putBack(_ bytes: [UInt8]) {
        guard !bytes.isEmpty else { return }
        let readers = state.withLock { state in
            if state.takenOfFirst > 0, let first = state.chunks.popFirst() {
                state.chunks.prepend(Array(first[state.takenOfFirst...]))
                state.takenOfFirst = 0
            }
            state.chunks.prepend(bytes)
            state.bytes += bytes.count
            return state.readers.take()
        }
        readers.wake()
    }

    /// The next bytes, or `nil` at the end.
    ///
    /// - Throws: The failure the pipe was finished with; `CoreError` with `hasReader` where another task waits already;
    ///   `CancellationError` when the waiting task is cancelled, in which case nothing was taken.
    package func next() async throws -> [UInt8]? {
        while true {
            switch take() {
            case .bytes(let bytes): return bytes
            case .ended(let failure):
                if let failure { throw failure }
                return nil
            case .empty:
                try await state.wait(in: \.readers) { state -> Void? in
                    guard state.chunks.isEmpty, !state.isFinished else { return () }
                    guard state.readers.isEmpty else { throw CoreError.hasReader("A byte stream") }
                    return nil
                }
            }
        }
    }

    /// Whether there is something to take, or the end.
    package var holdsBytes: Bool { state.withLock { !$0.chunks.isEmpty || $0.isFinished } }

    /// The number of bytes that wait to be taken.
    package var heldBytes: Int { state.withLock { $0.bytes } }

    /// Whether nothing is buffered and the pipe has ended.
    package var isExhausted: Bool { state.withLock { $0.isFinished && $0.chunks.isEmpty } }
}
