// Riff
// SPDX-License-Identifier: Apache-2.0

/// Chunks of compressed bytes, decompressed as they are read: the reader's pace is the source's.
///
/// ```swift
/// for try await chunk in InflatedBytes(log, as: .gzip, limits: DeflateLimits(outputBytes: .max)) { ... }
/// ```
///
/// Single-consumer, as its source is. What is malformed, truncated or too large throws `DataError`, after everything
/// that came out before.
package struct InflatedBytes<Source: AsyncSequence & Sendable>: AsyncSequence, Sendable
where Source.Element == [UInt8] {
    /// A chunk, never empty, of at most 64 KiB.
    package typealias Element = [UInt8]

    private let source: Source
    private let format: Deflate.Format
    private let limits: DeflateLimits

    /// - Parameters:
    ///   - source: The compressed bytes.
    ///   - format: How they are wrapped.
    ///   - limits: How much may come out.
    package init(_ source: Source, as format: Deflate.Format, limits: DeflateLimits = DeflateLimits()) {
        self.source = source
        self.format = format
        self.limits = limits
    }

    /// The one iterator.
    package struct Iterator: AsyncIteratorProtocol {
        private var source: Source.AsyncIterator
        private let format: Deflate.Format
        private let limits: DeflateLimits
        private var inflater: Inflater?
        private var isOver = false

        fileprivate init(_ source: Source.AsyncIterator, _ format: Deflate.Format, _ limits: DeflateLimits) {
            self.source = source
            self.format = format
            self.limits = limits
        }

        /// The next chunk, or `nil` at the end.
        package mutating func next() async throws -> [UInt8]? {
            guard !isOver else { return nil }
            let inflater = try self.inflater ?? Inflater(format, limits: limits)
            self.inflater = inflater
            while true {
                if let bytes = try inflater.next() { return bytes }
                guard let more = try await source.next(isolation: #isolation) else { break }
                inflater.feed(more)
            }
            isOver = true
            try inflater.finish()
            return nil
        }
    }

    /// Starts the iteration.
    package func makeAsyncIterator() -> Iterator { Iterator(source.makeAsyncIterator(), format, limits) }
}
