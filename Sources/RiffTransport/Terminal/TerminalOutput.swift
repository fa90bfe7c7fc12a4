// Riff
// SPDX-License-Identifier: Apache-2.0

/// What a terminal's program drew, in chunks and in order; finishes at the terminal's end and never throws.
///
/// Single-consumer and bounded, like ``ByteStream``. Cancelling the iterating task ends the iteration and loses nothing.
public struct TerminalOutput: AsyncSequence, Sendable {
    /// A chunk, never empty.
    public typealias Element = [UInt8]
    /// None.
    public typealias Failure = Never

    package let pipe: BytePipe

    package init(_ pipe: BytePipe) { self.pipe = pipe }

    /// An output and its writing end, for implementers of ``TerminalTransport``.
    public static func makeOutput(
        bufferedBytes: Int = 256 * 1024
    ) -> (output: TerminalOutput, writer: ByteStream.Writer) {
        let (stream, writer) = ByteStream.makeStream(bufferedBytes: bufferedBytes)
        return (TerminalOutput(stream.pipe), writer)
    }

    /// The one iterator.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let pipe: BytePipe

        /// The next chunk, or `nil` at the end.
        public mutating func next() async -> [UInt8]? {
            // A pipe fails with its terminal's end, which `closure()` tells, or with cancellation, which ends iterations.
            try? await pipe.next()
        }

        /// The next chunk, or `nil` at the end.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(Never) -> [UInt8]? {
            try? await pipe.next()
        }
    }

    /// Starts the iteration.
    public func makeAsyncIterator() -> Iterator { Iterator(pipe: pipe) }
}
