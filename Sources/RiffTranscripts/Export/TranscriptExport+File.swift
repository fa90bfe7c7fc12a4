// Riff
// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif
public import RiffCore
internal import RiffDeflate

extension DataErrorCode {
    /// A file of an export cannot be written.
    public static let exportFailed = DataError.Code(rawValue: "exportFailed")
}

extension TranscriptExport {
    /// The pieces compressed, as the contents of a `.gz` file (RFC 1952).
    public func compressed() -> some AsyncSequence<[UInt8], any Error> & Sendable {
        CodedBytes(compressing: self, as: .gzip)
    }

    /// Writes everything into a file, which is there, readable by its owner alone, once it is whole; what was there
    /// before is replaced then. An export that fails or is cancelled leaves nothing.
    ///
    /// - Parameter path: The file; it is compressed where the name ends in `.gz`.
    /// - Returns: How many bytes the file has.
    /// - Throws: ``DataError`` with `exportFailed`, `sessionNotFound` or a database code; `TransportError` with
    ///   `deflateUnavailable` where there is no memory to compress; `CancellationError`.
    @discardableResult
    public func write(to path: String) async throws -> Int64 {
        if path.hasSuffix(".gz") { return try await Self.write(compressed(), to: path) }
        return try await Self.write(self, to: path)
    }

    private static func write<Pieces: AsyncSequence & Sendable>(
        _ pieces: Pieces,
        to path: String
    ) async throws -> Int64 where Pieces.Element == [UInt8] {
        // Beside the file, since only there it can take its place in one step; of a name of its own, since somebody
        // else may write to the same place.
        let temporary = path + ".\(String(UInt64.random(in: .min ... .max), radix: 36)).part"
        let file = try await onBlockingThread { try ExportFile(path: temporary) }
        do {
            var count: Int64 = 0
            for try await piece in pieces {
                try Task.checkCancellation()
                try await onBlockingThread { try file.write(piece) }
                count += Int64(piece.count)
            }
            try await onBlockingThread { try file.finish(as: path) }
            return count
        } catch {
            file.discard()
            throw error
        }
    }
}

/// A file while it is written. Its calls block, and come one after the other.
private final class ExportFile: Sendable {
    private let path: String
    private let descriptor: Int32

    init(path: String) throws(DataError) {
        self.path = path
        descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw Self.failure("Making", path) }
    }

    deinit { close(descriptor) }

    func write(_ bytes: [UInt8]) throws(DataError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { systemWrite(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw Self.failure("Writing", path) }
            rest = rest.dropFirst(count)
        }
    }

    func finish(as target: String) throws(DataError) {
        guard fsync(descriptor) == 0 else { throw Self.failure("Writing", path) }
        guard rename(path, target) == 0 else { throw Self.failure("Replacing", target) }
    }

    func discard() { unlink(path) }

    private static func failure(_ doing: String, _ path: String) -> DataError {
        let code = errno
        let reason = String(cString: strerror(code))
        if code == ENOSPC || code == EDQUOT {
            return DataError(
                .diskFull,
                "\(doing) \(path) failed: \(reason); make room, then try again.",
                recovery: .retry
            )
        }
        return DataError(.exportFailed, "\(doing) \(path) failed: \(reason); choose another place.")
    }
}

/// `write(2)`, where a method has its name.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, bytes, count)
}
