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
    private let file: PosixFile

    init(path: String) throws(DataError) {
        self.path = path
        do throws(SystemFailure) {
            file = try PosixFile(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600)
        } catch {
            throw Self.failure("Making", path, error)
        }
    }

    func write(_ bytes: [UInt8]) throws(DataError) {
        do throws(SystemFailure) { try file.write(bytes) } catch { throw Self.failure("Writing", path, error) }
    }

    func finish(as target: String) throws(DataError) {
        do throws(SystemFailure) { try file.sync() } catch { throw Self.failure("Writing", path, error) }
        guard rename(path, target) == 0 else { throw Self.failure("Replacing", target, SystemFailure("rename")) }
    }

    func discard() { unlink(path) }

    private static func failure(_ doing: String, _ path: String, _ failure: SystemFailure) -> DataError {
        if failure.code == ENOSPC || failure.code == EDQUOT {
            return DataError(
                .diskFull,
                "\(doing) \(path) failed: \(failure.text); make room, then try again.",
                recovery: .retry
            )
        }
        return DataError(.exportFailed, "\(doing) \(path) failed: \(failure.text); choose another place.")
    }
}
