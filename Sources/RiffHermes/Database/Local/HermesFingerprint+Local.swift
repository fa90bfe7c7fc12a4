// Riff
// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif
package import RiffCore

extension HermesFingerprint {
    /// Takes the fingerprint of a database of this machine.
    ///
    /// Neither the database nor the log's index (`-shm`) is opened: closing either would drop the locks that SQLite
    /// holds on it for this process (POSIX, close(2)). On the log itself there are none.
    ///
    /// - Throws: ``DataError`` with `databaseNotPermitted`.
    package init(ofFileAt path: String) throws(DataError) {
        let path = Self.resolved(path)
        database = try Self.file(path)
        log = try Self.file(path + "-wal")
        journal = try Self.file(path + "-journal")
        counters = log == nil ? "" : Self.header(path + "-wal")
        unsettled = Self.isSettled([database, log], at: WallClock.now()) ? nil : "\(WallClock.now())"
    }

    /// Whether a database says that it has a write-ahead log, be it there or not: bytes 18 and 19 of its header
    /// (https://www.sqlite.org/fileformat2.html#file_format_version_numbers).
    ///
    /// It opens the database, and closing it drops this process's locks on it, as closing one that is read as a file
    /// that does not change does. Only to be asked where no log is there and nothing else helps.
    static func hasLogMode(_ path: String) -> Bool {
        let bytes = try? PosixFile(path, O_RDONLY).read(2, at: 18)
        return bytes?.count == 2 && bytes?.contains(2) == true
    }

    /// Whether the files were left alone for longer than a tick of their clock: 20 ms, or two seconds where it has no
    /// fractions.
    private static func isSettled(_ files: [File?], at now: Double) -> Bool {
        files.allSatisfy { file in
            guard let file, let modified = Double(file.modified) else { return true }
            let tick = file.modified.hasSuffix(".000000000") ? 2 : 0.02
            return !(modified - tick...modified + tick).contains(now)
        }
    }

    /// SQLite keeps its files beside what a link leads to.
    private static func resolved(_ path: String) -> String {
        guard let real = realpath(path, nil) else { return path }
        defer { free(real) }
        return String(cString: real)
    }

    private static func file(_ path: String) throws(DataError) -> File? {
        var status = stat()
        guard stat(path, &status) == 0 else {
            guard errno != ENOENT, errno != ENOTDIR else { return nil }
            throw DataError(.databaseNotPermitted, "\(path) cannot be looked at: \(String(cString: strerror(errno))).")
        }
        #if canImport(Darwin)
        let time = status.st_mtimespec
        #else
        let time = status.st_mtim
        #endif
        let fraction = String(time.tv_nsec)
        return File(
            size: UInt64(clamping: status.st_size),
            modified: "\(time.tv_sec)." + String(repeating: "0", count: max(0, 9 - fraction.count)) + fraction,
            inode: UInt64(status.st_ino)
        )
    }

    /// The log's header (32 bytes), in hexadecimal.
    private static func header(_ path: String) -> String {
        let bytes = (try? PosixFile(path, O_RDONLY).read(32, at: 0)) ?? []
        return bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
