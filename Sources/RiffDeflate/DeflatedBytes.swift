// Riff
// SPDX-License-Identifier: Apache-2.0

/// Chunks of bytes, compressed as they are read: the reader's pace is the source's.
///
/// ```swift
/// for try await chunk in DeflatedBytes(export, as: .gzip) { ... }
/// ```
///
/// Single-consumer, as its source is. An error of the source ends it: what came out before is no whole compressed data.
public struct DeflatedBytes<Source: AsyncSequence & Sendable>: AsyncSequence, Sendable where Source.Element == [UInt8] {
    /// A chunk, never empty.
    public typealias Element = [UInt8]

    private let source: Source
    private let format: Deflate.Format
    private let level: Int

    /// - Parameters:
    ///   - source: What to compress.
    ///   - format: How to wrap it.
    ///   - level: 0 (stored) to 9 (smallest).
    package init(_ source: Source, as format: Deflate.Format, level: Int = 6) {
        self.source = source
        self.format = format
        self.level = level
    }

    /// The one iterator.
    public struct Iterator: AsyncIteratorProtocol {
        private var source: Source.AsyncIterator
        private let format: Deflate.Format
        private let level: Int
        private var deflater: Deflater?
        private var isOver = false

        fileprivate init(_ source: Source.AsyncIterator, _ format: Deflate.Format, _ level: Int) {
            self.source = source
            self.format = format
            self.level = level
        }

        /// The next chunk, or `nil` at the end.
        ///
        /// - Throws: What the source throws; `DataError` with `deflateUnavailable` where zlib has no memory.
        public mutating func next() async throws -> [UInt8]? {
            guard !isOver else { return nil }
            let deflater = try self.deflater ?? Deflater(format, level: level)
            self.deflater = deflater
            while let more = try await source.next(isolation: #isolation) {
                let bytes = try deflater.compress(more)
                if !bytes.isEmpty { return bytes }
            }
            isOver = true
            return try deflater.compress([], .finish)
        }
    }

    /// Starts the iteration.
    public func makeAsyncIterator() -> Iterator { Iterator(source.makeAsyncIterator(), format, level) }
}
