// Riff
// SPDX-License-Identifier: Apache-2.0

/// Chunks of bytes, compressed or decompressed as they are read: the reader's pace is the source's.
///
/// ```swift
/// for try await chunk in CodedBytes(compressing: export, as: .gzip) { ... }
/// for try await chunk in CodedBytes(decompressing: log, as: .gzip, limits: DeflateLimits(outputBytes: .max)) { ... }
/// ```
///
/// Single-consumer, as its source is. An error of the source ends it: compressed data that came out before is not
/// whole. Data to decompress that is malformed, truncated or too large throws `DataError`, after all chunks before it.
package struct CodedBytes<Source: AsyncSequence & Sendable>: AsyncSequence, Sendable where Source.Element == [UInt8] {
    private let source: Source
    private let makeCoder: @Sendable () throws -> any ByteCoder

    /// Creates a sequence that compresses.
    ///
    /// - Parameters:
    ///   - source: The bytes to compress.
    ///   - format: The format of the compressed bytes.
    ///   - level: 0 (stored) to 9 (smallest).
    package init(compressing source: Source, as format: Deflate.Format, level: Int = 6) {
        self.source = source
        makeCoder = { CompressingCoder(try Deflater(format, level: level)) }
    }

    /// Creates a sequence that decompresses, in chunks of at most 64 KiB.
    ///
    /// - Parameters:
    ///   - source: The compressed bytes.
    ///   - format: The format of the compressed bytes.
    ///   - limits: The most that may come out.
    package init(decompressing source: Source, as format: Deflate.Format, limits: DeflateLimits = DeflateLimits()) {
        self.source = source
        makeCoder = { DecompressingCoder(inflater: try Inflater(format, limits: limits)) }
    }

    /// The one iterator.
    package struct Iterator: AsyncIteratorProtocol {
        fileprivate var source: Source.AsyncIterator
        fileprivate let makeCoder: @Sendable () throws -> any ByteCoder
        fileprivate var coder: (any ByteCoder)?
        fileprivate var isOver = false

        /// The next chunk, never empty, or `nil` at the end.
        ///
        /// - Throws: An error of the source; `DataError`, also with `deflateUnavailable` if zlib has no memory.
        package mutating func next() async throws -> [UInt8]? {
            guard !isOver else { return nil }
            let coder = try self.coder ?? makeCoder()
            self.coder = coder
            while true {
                if let bytes = try coder.next() { return bytes }
                guard let more = try await source.next(isolation: #isolation) else { break }
                try coder.feed(more)
            }
            isOver = true
            return try coder.finish()
        }
    }

    /// Starts the iteration.
    package func makeAsyncIterator() -> Iterator {
        Iterator(source: source.makeAsyncIterator(), makeCoder: makeCoder)
    }
}

/// Turns chunks of bytes into others.
private protocol ByteCoder: AnyObject {
    /// Takes the next chunk of the source.
    func feed(_ bytes: [UInt8]) throws

    /// The next chunk of what was taken so far; `nil` if more must be taken first.
    func next() throws -> [UInt8]?

    /// Ends the work after the last chunk.
    ///
    /// - Returns: The rest, if there is any.
    func finish() throws -> [UInt8]?
}

private final class CompressingCoder: ByteCoder {
    private let deflater: Deflater
    private var ready: [UInt8] = []

    init(_ deflater: Deflater) { self.deflater = deflater }

    func feed(_ bytes: [UInt8]) throws { ready = try deflater.compress(bytes) }

    func next() -> [UInt8]? {
        defer { ready = [] }
        return ready.isEmpty ? nil : ready
    }

    func finish() throws -> [UInt8]? { try deflater.compress([], .finish) }
}

private final class DecompressingCoder: ByteCoder {
    private let inflater: Inflater

    init(inflater: Inflater) { self.inflater = inflater }

    func feed(_ bytes: [UInt8]) { inflater.feed(bytes) }

    func next() throws -> [UInt8]? { try inflater.next() }

    func finish() throws -> [UInt8]? {
        try inflater.finish()
        return nil
    }
}
