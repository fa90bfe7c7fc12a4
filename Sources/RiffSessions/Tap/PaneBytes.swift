// Riff
// SPDX-License-Identifier: Apache-2.0

/// The bytes of a pane, as they come: for one task. Reading slowly never holds up the pane: the oldest bytes are
/// dropped then, and the next chunk tells how many (``PaneChunk/gap``).
///
/// It ends with the pane. It throws ``KitError`` with `paneTaken`, `paneClosed` or `notInstalled`, or why the host
/// cannot be reached at all. A lost connection only makes it wait: it goes on where it was. Cancelling the reading task
/// throws `CancellationError` and loses nothing.
public struct PaneBytes: AsyncSequence, Sendable {
    private let reader: PaneReader

    init(_ reader: PaneReader) { self.reader = reader }

    /// The one iterator.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let reader: PaneReader

        /// The next chunk; `nil` at the end.
        public mutating func next() async throws -> PaneChunk? { try await reader.next() }

        /// The next chunk; `nil` at the end.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(any Error) -> PaneChunk? {
            try await reader.next()
        }
    }

    /// Starts the iteration.
    public func makeAsyncIterator() -> Iterator { Iterator(reader: reader) }

    /// Says that no more is wanted. The pane's pipe is closed with its last reader; letting go does the same.
    public func close() { reader.close() }
}
