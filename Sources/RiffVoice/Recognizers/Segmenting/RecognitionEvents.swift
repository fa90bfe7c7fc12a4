// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore
internal import Synchronization

/// The events of a turn on their way to its one reader. Bounded by its writer, who asks ``isFull`` before it makes
/// more.
struct RecognitionEvents: AsyncSequence, Sendable {
    typealias Element = RecognitionEvent
    typealias Failure = any Error

    fileprivate final class Count: Sendable {
        let waiting = Mutex(0)
        let isRead = Mutex(false)
    }

    /// The most events that are kept: some minutes of speech that are not read.
    private static let most = 1_000

    private let count = Count()
    private let stream: AsyncStream<RecognitionEvent>
    private let writer: AsyncStream<RecognitionEvent>.Continuation

    init() {
        // Unbounded here, since the count is kept beside it.
        (stream, writer) = AsyncStream.makeStream(bufferingPolicy: .unbounded)
    }

    var isFull: Bool { count.waiting.withLock { $0 } >= RecognitionEvents.most }

    func send(_ event: RecognitionEvent) {
        count.waiting.withLock { $0 += 1 }
        writer.yield(event)
    }

    func finish() { writer.finish() }

    struct Iterator: AsyncIteratorProtocol {
        /// The iterator beneath; `nil` for any reader but the first.
        fileprivate var base: AsyncStream<RecognitionEvent>.Iterator?
        fileprivate let count: Count

        mutating func next() async throws -> RecognitionEvent? { try await next(isolation: nil) }
        mutating func next(isolation actor: isolated (any Actor)?) async throws(any Error) -> RecognitionEvent? {
            guard base != nil else { throw CoreError.hasReader("A turn's recognition") }
            guard let event = await base?.next(isolation: actor) else {
                // A cancelled reader would take it for the end of the turn.
                try Task.checkCancellation()
                return nil
            }
            count.waiting.withLock { $0 -= 1 }
            return event
        }
    }

    func makeAsyncIterator() -> Iterator {
        let isFirst = count.isRead.withLock { isRead in
            defer { isRead = true }
            return !isRead
        }
        return Iterator(base: isFirst ? stream.makeAsyncIterator() : nil, count: count)
    }
}
