// Riff
// SPDX-License-Identifier: Apache-2.0

/// The output that a terminal's program drew, in chunks and in order; finishes at the terminal's end and never throws.
///
/// Any number of tasks may iterate it: each gets what comes from its start on, and the first also what came before. It
/// is bounded: a reader that stops holds up the others, and then the program, until its iteration ends. Cancelling the
/// iterating task ends the iteration; where it was the only one nothing is lost, and the next one goes on.
public struct TerminalOutput: AsyncSequence, Sendable {
    private let readers: TerminalReaders

    /// The pipe that the readers take from.
    package var pipe: BytePipe { readers.pipe }

    package init(_ pipe: BytePipe) { readers = TerminalReaders(pipe) }

    /// An output and its writing end, for implementers of ``TerminalTransport``.
    public static func makeOutput(
        bufferedBytes: Int = 256 * 1024
    ) -> (output: TerminalOutput, writer: ByteStream.Writer) {
        let (stream, writer) = ByteStream.makeStream(bufferedBytes: bufferedBytes)
        return (TerminalOutput(stream.pipe), writer)
    }

    /// One task's reading.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let reader: TerminalReaders.Reader

        /// The next chunk, or `nil` at the end.
        public mutating func next() async -> [UInt8]? { await reader.next() }

        /// The next chunk, or `nil` at the end.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(Never) -> [UInt8]? {
            await reader.next()
        }
    }

    /// Starts the iteration.
    public func makeAsyncIterator() -> Iterator { Iterator(reader: readers.makeReader()) }
}
