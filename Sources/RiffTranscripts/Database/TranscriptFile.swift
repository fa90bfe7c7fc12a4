// Riff
// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif
internal import RiffCore

/// The file of a store, before SQLite opens it.
enum TranscriptFile {
    /// Makes the file where it is to be written; SQLite gives the files beside it the same permissions.
    static func prepare(_ path: String, isReadOnly: Bool) throws(DataError) {
        var status = stat()
        if stat(path, &status) == 0 {
            guard status.st_mode & S_IFMT == S_IFREG else {
                throw DataError(.databaseNotPermitted, "\(path) is not an ordinary file.")
            }
            guard isReadOnly, status.st_size == 0 else { return }
            throw DataError(.databaseMissing, "\(path) is empty; there are no transcripts in it.")
        }
        guard errno == ENOENT, !isReadOnly else { throw failure(path, SystemFailure("stat")) }
        try makeFolder(of: path)
        // Only a file that was not there: closing one that another store of this process has open would drop the locks
        // that SQLite holds on it (POSIX, close(2)).
        do throws(SystemFailure) { _ = try PosixFile(path, O_RDWR | O_CREAT | O_EXCL, mode: 0o600) } catch {
            if error.code != EEXIST { throw failure(path, error) }
        }
    }

    private static func makeFolder(of path: String) throws(DataError) {
        guard let slash = path.lastIndex(byte: "/"), slash != path.startIndex else { return }
        do throws(FolderFailure) { try LocalFolder.make(path: String(path[..<slash])) } catch {
            throw failure(error.path, error.failure)
        }
    }

    private static func failure(_ path: String, _ failure: SystemFailure) -> DataError {
        let reason = failure.text
        switch failure.code {
        case ENOENT, ENOTDIR: return DataError(.databaseMissing, "There are no transcripts at \(path): \(reason).")
        case EROFS: return DataError(.databaseReadOnly, "\(path) cannot be made: \(reason).")
        case ENOSPC, EDQUOT: return DataError(.diskFull, "\(path) cannot be made: \(reason).", recovery: .retry)
        default: return DataError(.databaseNotPermitted, "\(path) cannot be opened: \(reason).")
        }
    }
}
