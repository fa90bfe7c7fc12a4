// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore
internal import RiffDeflate
internal import RiffTransport

/// The bytes of a compressed log (RFC 1952), read forwards, whatever the file is called meanwhile: those before the
/// place that was asked for last are not held, and going back begins again.
struct UnpackedLog {
    private static let pieceBytes = 64 * 1024

    /// The size of the compressed file and its last bytes, which hold a checksum and the length of the contents.
    struct Mark: Equatable {
        let sizeBytes: UInt64
        let trailer: [UInt8]
    }

    let mark: Mark
    /// Whether the file ended before its end, or went on with something else.
    private(set) var isDamaged = false
    private var inflater: Inflater?
    /// The number of the file's bytes that were read.
    private var readBytes: UInt64 = 0
    private var isOver = false
    /// The bytes that came out last, and the place where they begin.
    private var window: [UInt8] = []
    private var windowStart: UInt64 = 0

    init(mark: Mark) { self.mark = mark }

    /// By what a file is known again.
    ///
    /// - Throws: `TransportError` with `fileNotFound` where there is none.
    static func mark(_ name: String, on host: any HostSession) async throws -> Mark {
        let size = try await host.status(of: name)?.sizeBytes ?? 0
        let trailer = try await host.read(name, from: size - min(size, 8), count: 8)
        return Mark(sizeBytes: size, trailer: trailer)
    }

    /// The contents from a place on, fewer bytes at their end.
    mutating func read(
        _ name: String,
        on host: any HostSession,
        from offset: UInt64,
        count: Int
    ) async throws -> [UInt8] {
        if offset < windowStart { self = UnpackedLog(mark: mark) }
        let (sum, isBeyond) = offset.addingReportingOverflow(UInt64(count))
        let end = isBeyond ? .max : sum
        while windowStart + UInt64(window.count) < end, !isOver {
            dropWindow(before: offset)
            try await take(name, host)
        }
        dropWindow(before: offset)
        return offset == windowStart ? Array(window.prefix(count)) : []
    }

    private mutating func dropWindow(before offset: UInt64) {
        let behind = Int(min(offset - windowStart, UInt64(window.count)))
        window.removeFirst(behind)
        windowStart += UInt64(behind)
    }

    /// Takes what comes out next.
    private mutating func take(_ name: String, _ host: any HostSession) async throws {
        let inflater = try self.inflater ?? Inflater(.gzip, limits: DeflateLimits(outputBytes: .max))
        self.inflater = inflater
        do throws(DataError) {
            if let bytes = try inflater.next() {
                window += bytes
                return
            }
        } catch {
            (isOver, isDamaged) = (true, true)
            return
        }
        let bytes = try await host.read(name, from: readBytes, count: Self.pieceBytes)
        readBytes += UInt64(bytes.count)
        inflater.feed(bytes)
        guard bytes.isEmpty else { return }
        isOver = true
        do throws(DataError) { try inflater.finish() } catch { isDamaged = true }
    }
}
