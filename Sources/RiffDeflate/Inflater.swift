// Riff
// SPDX-License-Identifier: Apache-2.0

internal import CZlib
public import RiffCore

/// Decompresses a stream piece by piece, no faster than its reader takes it; the owner of one `z_stream`.
///
/// zlib's rule: different streams may be used from different threads, one stream from one at a time
/// (https://zlib.net/zlib_faq.html#faq21). This class is therefore not `Sendable`.
public final class Inflater {
    private enum Place {
        /// Before, in, or behind data.
        case start, inside, end
    }

    private let stream: UnsafeMutablePointer<z_stream>
    private let format: Deflate.Format
    private let limits: DeflateLimits
    /// Raw data may go on behind its final block (RFC 7692 section 7.2.3.5).
    private let goesOnAfterEnd: Bool
    private var input: [UInt8] = []
    private var offset = 0
    private var place = Place.start
    /// Zeros came behind a member; nothing else may follow.
    private var isPadded = false
    /// zlib may have more to give without further input.
    private var holdsMore = false
    private var failure: DataError?
    /// Bytes that came out, and that went in, since the start or the last ``restartCount()``.
    private var outputBytes = 0
    private var inputBytes = 0

    /// Creates a stream.
    ///
    /// - Parameters:
    ///   - format: How the data is wrapped.
    ///   - windowBits: How far back the data may look, as a power of two of bytes, 8 to 15; 15 reads everything.
    ///   - limits: How much may come out.
    /// - Throws: `DataError` with `deflateUnavailable` where zlib has no memory.
    public convenience init(
        _ format: Deflate.Format,
        windowBits: Int = 15,
        limits: DeflateLimits = DeflateLimits()
    ) throws(DataError) {
        try self.init(format, windowBits: windowBits, limits: limits, goesOnAfterEnd: false)
    }

    package init(
        _ format: Deflate.Format,
        windowBits: Int,
        limits: DeflateLimits,
        goesOnAfterEnd: Bool
    ) throws(DataError) {
        self.format = format
        self.limits = limits
        self.goesOnAfterEnd = goesOnAfterEnd
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        let code = riff_inflateInit2(stream, Int32(format.bits(min(max(windowBits, 8), 15))))
        guard code == Z_OK else {
            throw DataError(.deflateUnavailable, "zlib cannot set up a decompressor (code \(code)).")
        }
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
    }

    /// Gives the next piece of the data; take what comes of it with ``next(upTo:)`` before the next one.
    public func feed(_ bytes: [UInt8]) {
        if offset == input.count {
            input = bytes
            offset = 0
        } else {
            input.append(contentsOf: bytes)
        }
    }

    /// Takes bytes that came out.
    ///
    /// - Parameter count: The most to take.
    /// - Returns: Bytes, never empty; `nil` when there is nothing until the next piece.
    /// - Throws: `DataError` with `deflateMalformed` or `deflateTooLarge`; again with each further call. What came
    ///   out before is whole.
    public func next(upTo count: Int = 64 << 10) throws(DataError) -> [UInt8]? {
        while true {
            if let failure { throw failure }
            if place == .end { beginAnew() }
            guard failure == nil else { continue }
            guard place != .end, holdsMore || offset < input.count else { return nil }
            let (output, code) = step(upTo: min(max(count, 1), 1 << 30))
            outputBytes += output.count
            guard !isTooLarge else {
                fail(
                    .deflateTooLarge,
                    "More comes out of the compressed data than is taken here (\(limits.outputBytes) bytes)."
                )
                continue
            }
            note(code)
            if !output.isEmpty { return output }
        }
    }

    /// Gives a piece and takes everything that comes of it; the limits bound that.
    public func decompress(_ bytes: [UInt8]) throws(DataError) -> [UInt8] {
        feed(bytes)
        var all: [UInt8] = []
        while let part = try next() { all += part }
        return all
    }

    /// Says that there is no further piece.
    ///
    /// - Throws: `DataError` with `deflateTruncated` where the data has not ended, and an error of before.
    public func finish() throws(DataError) {
        if let failure { throw failure }
        guard place == .end else {
            throw DataError(.deflateTruncated, "The compressed data ends before its end: a part of it is missing.")
        }
    }

    /// Forgets everything, an error too: what comes next is a new stream, without the memory of this one.
    public func reset() {
        inflateReset(stream)
        input = []
        offset = 0
        place = .start
        isPadded = false
        holdsMore = false
        failure = nil
        restartCount()
    }

    /// Counts again from zero against the limits, in the same stream: for messages.
    package func restartCount() {
        outputBytes = 0
        inputBytes = 0
    }

    // MARK: One step

    /// Runs zlib until the output is full, the input is used up, or the data has ended.
    private func step(upTo count: Int) -> ([UInt8], Int32) {
        let available = min(input.count - offset, 1 << 30)
        // One byte above the limit shows that it is passed. Little input seldom becomes much.
        let allowed = max(limits.outputBytes - outputBytes, 0)
        let room = min(count, allowed < Int.max ? allowed + 1 : allowed, max(1024, available * 8))
        var code = Z_OK
        var output: [UInt8] = []
        input.withUnsafeMutableBytes { input in
            let part = UnsafeMutableRawBufferPointer(rebasing: input[offset..<offset + available])
            stream.pointee.next_in = part.bindMemory(to: UInt8.self).baseAddress
            stream.pointee.avail_in = UInt32(available)
            output.appendUninitialized(room) { buffer in
                stream.pointee.next_out = buffer.bindMemory(to: UInt8.self).baseAddress
                stream.pointee.avail_out = UInt32(buffer.count)
                code = inflate(stream, Z_NO_FLUSH)
                return buffer.count - Int(stream.pointee.avail_out)
            }
        }
        let taken = available - Int(stream.pointee.avail_in)
        offset += taken
        inputBytes += taken
        holdsMore = stream.pointee.avail_out == 0
        if taken > 0, place == .start { place = .inside }
        stream.pointee.next_in = nil
        stream.pointee.next_out = nil
        return (output, code)
    }

    private func note(_ code: Int32) {
        switch code {
        case Z_OK: break
        case Z_STREAM_END:
            place = .end
            holdsMore = false
        // No progress: there is no input, which is not an error.
        case Z_BUF_ERROR: holdsMore = false
        case Z_MEM_ERROR: fail(.deflateUnavailable, "zlib has no memory to decompress.")
        default:
            let reason = stream.pointee.msg.map { ": \(String(cString: $0))" } ?? ""
            fail(.deflateMalformed, "The data is not the compressed data that it should be\(reason).")
        }
    }

    /// Begins again with the bytes after the end of the data, if there are any.
    private func beginAnew() {
        guard offset < input.count else { return }
        switch format {
        case .gzip:
            // Neither padding nor the first byte of a member.
            if input[offset] != 0, input[offset] != 0x1F { isPadded = true }
            if input[offset] == 0 || isPadded {
                isPadded = true
                while offset < input.count, input[offset] == 0 { offset += 1 }
                if offset == input.count { return }
            }
        case .raw where goesOnAfterEnd: break
        default: isPadded = true
        }
        guard !isPadded else {
            return fail(.deflateMalformed, "Something that is no compressed data follows behind the compressed data.")
        }
        inflateReset(stream)
        place = .start
    }

    private var isTooLarge: Bool {
        if outputBytes > limits.outputBytes { return true }
        guard let ratio = limits.ratio, outputBytes > 1 << 20 else { return false }
        return outputBytes / max(inputBytes, 1) > ratio
    }

    private func fail(_ code: DataError.Code, _ message: String) {
        if failure == nil { failure = DataError(code, message) }
    }
}
