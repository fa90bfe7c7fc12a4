// Riff
// SPDX-License-Identifier: Apache-2.0

internal import CZlib
public import RiffCore

/// Compresses a stream piece by piece; the owner of one `z_stream`.
///
/// zlib's rule: different streams may be used from different threads, one stream from one at a time
/// (https://zlib.net/zlib_faq.html#faq21). This class is therefore not `Sendable`.
public final class Deflater {
    /// The output that is required with a piece.
    public enum Flush: Sendable, Hashable {
        /// Whatever is ready.
        case none
        /// Everything that was given, so that the reader can have it now; the output ends in 00 00 FF FF.
        case sync
        /// Everything, and the end of the data.
        case finish
    }

    private let stream: UnsafeMutablePointer<z_stream>
    private var isFinished = false

    /// Creates a stream.
    ///
    /// - Parameters:
    ///   - format: How to wrap it.
    ///   - level: 0 (stored) to 9 (smallest).
    ///   - windowBits: How far back it looks, as a power of two of bytes, 9 to 15; also what its reader needs.
    ///   - memoryLevel: 1 (least memory) to 9 (fastest). A stream holds 2^(windowBits + 2) + 2^(memoryLevel + 9) bytes.
    /// - Throws: `DataError` with `deflateUnavailable` where zlib has no memory.
    public init(
        _ format: Deflate.Format,
        level: Int = 6,
        windowBits: Int = 15,
        memoryLevel: Int = 8
    ) throws(DataError) {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        let bits = Int32(format.bits(min(max(windowBits, 9), 15)))
        let code = riff_deflateInit2(stream, Int32(min(max(level, 0), 9)), bits, Int32(min(max(memoryLevel, 1), 9)))
        // From here on `deinit` runs, also where this throws; zlib ignores a stream that was not set up.
        guard code == Z_OK else {
            throw DataError(.deflateUnavailable, "zlib cannot set up a compressor (code \(code)).")
        }
    }

    deinit {
        deflateEnd(stream)
        stream.deallocate()
    }

    /// Compresses a piece.
    ///
    /// - Parameters:
    ///   - bytes: The piece; may be empty.
    ///   - flush: What has to come out.
    /// - Returns: What came out, perhaps nothing.
    /// - Throws: `DataError` with `deflateFinished` after `.finish`.
    public func compress(_ bytes: [UInt8], _ flush: Flush = .none) throws(DataError) -> [UInt8] {
        var output: [UInt8] = []
        do {
            try bytes.withUnsafeBytes { try compress($0, flush, into: &output) }
        } catch let error as DataError {
            throw error
        } catch {
            throw DataError(.deflateFinished, "Compression failed.", cause: error)
        }
        return output
    }

    /// Compresses a piece and appends what comes out.
    package func compress(
        _ bytes: UnsafeRawBufferPointer,
        _ flush: Flush,
        into output: inout [UInt8]
    ) throws(DataError) {
        guard !isFinished else { throw DataError(.deflateFinished, "The compressed stream was already finished.") }
        let mode: Int32 =
            switch flush {
            case .none: Z_NO_FLUSH
            case .sync: Z_SYNC_FLUSH
            case .finish: Z_FINISH
            }
        // avail_in is 32 bits wide.
        var rest = bytes
        repeat {
            let part = UnsafeRawBufferPointer(rebasing: rest.prefix(1 << 30))
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(part.count))
            stream.pointee.next_in = UnsafeMutablePointer(mutating: part.bindMemory(to: UInt8.self).baseAddress)
            stream.pointee.avail_in = UInt32(part.count)
            drain(rest.isEmpty ? mode : Z_NO_FLUSH, into: &output)
        } while !rest.isEmpty
        stream.pointee.next_in = nil
        if flush == .finish { isFinished = true }
    }

    /// Forgets everything: what comes next is a new stream, without the memory of this one.
    public func reset() {
        deflateReset(stream)
        isFinished = false
    }

    private func drain(_ mode: Int32, into output: inout [UInt8]) {
        var hasMore = true
        while hasMore {
            let room = max(1024, min(64 * 1024, Int(stream.pointee.avail_in) / 2 + 256))
            output.appendUninitialized(room) { buffer in
                stream.pointee.next_out = buffer.bindMemory(to: UInt8.self).baseAddress
                stream.pointee.avail_out = UInt32(buffer.count)
                let code = deflate(stream, mode)
                precondition(code != Z_STREAM_ERROR, "A compressor in a state that there is not.")
                let written = buffer.count - Int(stream.pointee.avail_out)
                // A full buffer may mean more; that is told by the next call (Z_BUF_ERROR: nothing to do).
                hasMore = stream.pointee.avail_out == 0 && code != Z_STREAM_END
                return written
            }
        }
        stream.pointee.next_out = nil
    }
}

extension Deflate.Format {
    /// The window as zlib's init functions take it, which tells the format too.
    func bits(_ window: Int) -> Int {
        switch self {
        case .raw: -window
        case .zlib: window
        case .gzip: window + 16
        }
    }
}

extension [UInt8] {
    /// Appends up to `count` bytes that the body writes; it returns how many.
    mutating func appendUninitialized(_ count: Int, _ body: (UnsafeMutableRawBufferPointer) -> Int) {
        let part = [UInt8](unsafeUninitializedCapacity: count) { buffer, written in
            written = body(UnsafeMutableRawBufferPointer(buffer))
        }
        if isEmpty { self = part } else { append(contentsOf: part) }
    }
}
