// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

// sample:
/// Compressed data of RFC 1951 and its two wrappings, on zlib.
///
/// ```swift
/// let packed = try Deflate.compress(Array("a transcript".utf8), as: .gzip)
/// let text = try Deflate.decompress(packed, as: .gzip, limits: DeflateLimits(outputBytes: 1 << 20))
/// ```
///
/// For data that is larger than memory, or comes in pieces, there are ``Deflater`` and ``Inflater``.
public enum Deflate {
    /// The wrapping of the data.
    public enum Format: Sendable, Hashable {
        /// RFC 1951 alone.
        case raw
        /// RFC 1950: with an Adler-32 behind it; what HTTP calls `deflate`.
        case zlib
        /// RFC 1952: with a CRC-32 and the length behind it; `.gz` files, and what HTTP calls `gzip`. Reading, several
        /// members behind each other are one text.
        case gzip
    }

    /// Compresses bytes at once.
    ///
    /// - Parameters:
    ///   - bytes: What to compress.
    ///   - format: How to wrap it.
    ///   - level: 0 (stored) to 9 (smallest).
    /// - Returns: The compressed data, whole.
    /// - Throws: `DataError` with `deflateUnavailable` where zlib has no memory.
    public static func compress(
        _ bytes: [UInt8],
        as format: Format,
        level: Int = 6
    ) throws(DataError) -> [UInt8] {
        try Deflater(format, level: level).compress(bytes, .finish)
    }

    /// Decompresses data at once.
    ///
    /// - Parameters:
    ///   - bytes: The whole data.
    ///   - format: How it is wrapped.
    ///   - limits: How much may come out.
    /// - Returns: The bytes.
    /// - Throws: `DataError` with `deflateMalformed`, `deflateTruncated` or `deflateTooLarge`.
    public static func decompress(
        _ bytes: [UInt8],
        as format: Format,
        limits: DeflateLimits = DeflateLimits()
    ) throws(DataError) -> [UInt8] {
        let inflater = try Inflater(format, limits: limits)
        let all = try inflater.decompress(bytes)
        try inflater.finish()
        return all
    }
}

/// The limits of the output of compressed data: a few kilobytes can hold gigabytes.
public struct DeflateLimits: Sendable, Hashable {
    /// The most bytes, of all members together.
    public var outputBytes: Int
    /// The most bytes that one compressed byte may become, once more than a mebibyte came out; `nil` without limit.
    /// Deflate itself cannot go above 1032.
    public var ratio: Int?

    /// Limits; 64 MiB and no ratio unless said otherwise.
    public init(outputBytes: Int = 64 << 20, ratio: Int? = nil) {
        self.outputBytes = outputBytes
        self.ratio = ratio
    }
}

extension DataErrorCode {
    /// Data that should be compressed is not, or its checksum is wrong.
    public static let deflateMalformed = DataError.Code(rawValue: "deflateMalformed")
    /// Compressed data ends before its end.
    public static let deflateTruncated = DataError.Code(rawValue: "deflateTruncated")
    /// More came out of compressed data than its reader's limits allow.
    public static let deflateTooLarge = DataError.Code(rawValue: "deflateTooLarge")
    /// More was to be compressed after the end of the compressed data was written.
    public static let deflateFinished = DataError.Code(rawValue: "deflateFinished")
    /// zlib has no memory for a stream.
    public static let deflateUnavailable = DataError.Code(rawValue: "deflateUnavailable")
}
