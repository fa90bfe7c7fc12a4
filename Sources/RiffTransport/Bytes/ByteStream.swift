// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

/// Bytes that arrive in chunks, in order; bounded, so that a slow consumer slows the peer down.
///
/// One task iterates it: a second one that waits beside it gets `CoreError` with `hasReader`. Cancelling the iterating
/// task throws `CancellationError` and loses nothing: iterate again to go on.
public struct ByteStream: AsyncSequence, Sendable {
    package let pipe: BytePipe
    private let owner: Owner?

    package init(_ pipe: BytePipe, owner: Owner? = nil) {
        self.pipe = pipe
        self.owner = owner
    }

    /// The owner that a stream keeps alive while it may be read, and tells when it is read no more.
    ///
    /// `abandon` is called when the last copy of the stream is gone, and when a task was cancelled while it read; it
    /// may be called more than once and after the end. A stream with an owner cannot be read on after a cancellation.
    package final class Owner: Sendable {
        fileprivate let abandon: @Sendable () -> Void

        package init(abandon: @escaping @Sendable () -> Void) { self.abandon = abandon }

        deinit { abandon() }
    }

    /// The writing end of a stream made with ``makeStream(bufferedBytes:)``.
    public struct Writer: Sendable {
        fileprivate let pipe: BytePipe

        /// Adds bytes; suspends while more than the stream's limit is waiting to be read.
        /// Throws `TransportError` with `closed` after the end, `CancellationError` when cancelled before they were
        /// added.
        public func write(_ bytes: [UInt8]) async throws { try await pipe.send(bytes) }

        /// Ends the stream, after what was written; with a failure the consumer gets it last.
        public func finish(throwing failure: (any Error)? = nil) { pipe.finish(throwing: failure) }
    }

    /// A stream and its writing end, for implementers of the seams.
    ///
    /// - Parameter bufferedBytes: How much may wait to be read before ``Writer/write(_:)`` suspends.
    /// - Returns: The two ends.
    public static func makeStream(bufferedBytes: Int = 256 * 1024) -> (stream: ByteStream, writer: Writer) {
        let pipe = BytePipe(highWater: bufferedBytes)
        return (ByteStream(pipe), Writer(pipe: pipe))
    }

    /// The one iterator.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let pipe: BytePipe
        fileprivate let owner: Owner?
        /// The next chunk, or `nil` at the end.
        public mutating func next() async throws -> [UInt8]? { try await read() }
        /// The next chunk, or `nil` at the end.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(any Error) -> [UInt8]? {
            try await read()
        }

        private func read() async throws -> [UInt8]? {
            do {
                return try await pipe.next()
            } catch let error as CancellationError {
                owner?.abandon()
                throw error
            }
        }
    }

    /// Starts the iteration.
    public func makeAsyncIterator() -> Iterator { Iterator(pipe: pipe, owner: owner) }
}

extension ByteStream {
    /// Everything up to the end, joined.
    ///
    /// - Parameter limit: The most bytes to keep.
    /// - Returns: The bytes.
    /// - Throws: `TransportError` with `outputTooLarge` past the limit, and what the stream itself throws.
    public func collect(upTo limit: Int) async throws -> [UInt8] {
        var all: [UInt8] = []
        for try await bytes in self {
            all += bytes
            if all.count > limit {
                throw TransportError(.outputTooLarge, "More came than the \(limit) bytes that this call keeps.")
            }
        }
        return all
    }
}

extension TransportErrorCode {
    /// More bytes came than the caller's limit allows.
    public static let outputTooLarge = TransportError.Code(rawValue: "outputTooLarge")
}
