// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore
internal import RiffDeflate
internal import RiffTransport

/// The bytes of a file that is imported; of a compressed one (RFC 1952, told by its first bytes, whatever its name)
/// what comes out of it, a piece in memory at a time.
struct ImportBytes {
    private static let pieceBytes = 256 * 1024

    private let file: ImportFile
    private var inflater: Inflater?
    private var isStarted = false
    private var isOver = false

    init(file: ImportFile) { self.file = file }

    /// The next bytes; none at the end.
    mutating func next() async throws -> [UInt8] {
        while !isOver {
            do {
                if let bytes = try inflater?.next(upTo: Self.pieceBytes) { return bytes }
                try Task.checkCancellation()
                let bytes = try await onBlockingThread { [file] in try file.read(Self.pieceBytes) }
                if !isStarted, bytes.starts(with: [0x1F, 0x8B]) {
                    // However much comes out, a piece of it is held here, and at most one line by the reader.
                    inflater = try Inflater(.gzip, limits: DeflateLimits(outputBytes: .max))
                }
                isStarted = true
                isOver = bytes.isEmpty
                guard let inflater else { return bytes }
                if isOver { try inflater.finish() } else { inflater.feed(bytes) }
            } catch let error as DataError where error.isOfDeflate {
                isOver = true
                throw DataError(
                    .importFailed,
                    "\(file.path) cannot be decompressed: \(error.message) What came before is imported.",
                    cause: error
                )
            }
        }
        return []
    }
}

extension DataError {
    /// Whether the file was read, and what it holds cannot be decompressed.
    fileprivate var isOfDeflate: Bool {
        [.deflateMalformed, .deflateTruncated, .deflateTooLarge, .deflateUnavailable].contains(code)
    }
}
