// Riff
// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Musl)
internal import Musl
#else
internal import Glibc
#endif
internal import RiffCore

/// This machine's files by the system's calls. Every call blocks.
struct LocalFiles: Sendable {
    let home: String

    func status(of path: String) throws -> FileStatus? {
        let full = try resolve(path)
        return try mapping("looked at", path) { () throws(SystemFailure) in
            var record = stat()
            do throws(SystemFailure) {
                try retrying("stat") { stat(full, &record) }
            } catch {
                if error.code == ENOENT || error.code == ENOTDIR { return nil }
                throw error
            }
            return FileStatus(record)
        }
    }

    func list(_ path: String) throws -> [DirectoryEntry] {
        let full = try resolve(path)
        return try mapping("listed", path) { () throws(SystemFailure) in
            guard let directory = opendir(full) else { throw SystemFailure("opendir") }
            defer { closedir(directory) }
            var entries: [DirectoryEntry] = []
            while true {
                errno = 0
                guard let entry = readdir(directory) else {
                    if errno != 0 { throw SystemFailure("readdir") }
                    return entries
                }
                var record = stat()
                let offset = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
                let bytes = UnsafeRawPointer(entry).advanced(by: offset).assumingMemoryBound(to: CChar.self)
                let name = String(cString: bytes)
                if name == "." || name == ".." { continue }
                do throws(SystemFailure) {
                    try retrying("fstatat") { fstatat(dirfd(directory), bytes, &record, AT_SYMLINK_NOFOLLOW) }
                } catch {
                    if error.code == ENOENT { continue }  // Removed since it was read.
                    throw error
                }
                let isExact = String(validatingCString: bytes) != nil
                entries.append(DirectoryEntry(name: name, status: FileStatus(record), hasExactName: isExact))
            }
        }
    }

    func read(_ path: String, from offset: UInt64, count: Int) throws -> [UInt8] {
        let full = try resolve(path)
        return try mapping("read", path) { () throws(SystemFailure) in
            // Not blocking: to open a named pipe that nobody writes to would wait for ever.
            let file = try PosixFile(full, O_RDONLY | O_NONBLOCK)
            guard count > 0, let start = Int64(exactly: offset) else { return [] }
            return try file.read(count, at: start)
        }
    }

    func rename(_ path: String, to newPath: String) throws {
        let (old, new) = (try resolve(path), try resolve(newPath))
        try mapping("renamed to \(newPath)", path) { () throws(SystemFailure) in
            #if canImport(Darwin)
            try retrying("rename") { Darwin.rename(old, new) }
            #elseif canImport(Musl)
            try retrying("rename") { Musl.rename(old, new) }
            #else
            try retrying("rename") { Glibc.rename(old, new) }
            #endif
        }
    }

    func remove(_ path: String) throws {
        let full = try resolve(path)
        try mapping("removed", path) { () throws(SystemFailure) in
            var record = stat()
            try retrying("lstat") { lstat(full, &record) }
            try retrying("unlink") { record.st_mode & S_IFMT == S_IFDIR ? rmdir(full) : unlink(full) }
        }
    }

    func makeDirectory(_ path: String, permissions: UInt16) throws {
        let full = try resolve(path)
        try mapping("made", path) { () throws(SystemFailure) in
            try retrying("mkdir") { mkdir(full, 0o700) }
            // Apart from mkdir, which would let the umask take bits away.
            try retrying("chmod") { chmod(full, mode_t(permissions & 0o7777)) }
        }
    }

    // MARK: Paths and errors

    func resolve(_ path: String) throws(TransportError) -> String {
        guard !path.isEmpty, !path.utf8.contains(0) else {
            throw TransportError(.fileFailed, "A path on this machine is empty or has a NUL byte in it.")
        }
        return path.hasPrefix(bytes: "/") ? path : home + "/" + path
    }

    @discardableResult
    func mapping<Result>(
        _ done: String,
        _ path: String,
        _ body: () throws(SystemFailure) -> Result
    ) throws(TransportError) -> Result {
        do {
            return try body()
        } catch {
            throw TransportError(
                error.fileCode,
                "\(path) on this machine could not be \(done): \(error.text) (\(error.call))."
            )
        }
    }
}

extension SystemFailure {
    /// The code of a refused file operation.
    var fileCode: TransportError.Code {
        switch code {
        case ENOENT: .fileNotFound
        case EEXIST: .fileExists
        case EACCES, EPERM, EROFS: .permissionDenied
        default: .fileFailed
        }
    }
}

extension FileStatus {
    init(_ record: stat) {
        let kind: Kind =
            switch record.st_mode & S_IFMT {
            case S_IFREG: .file
            case S_IFDIR: .directory
            case S_IFLNK: .symbolicLink
            default: .other
            }
        #if canImport(Darwin)
        let time = record.st_mtimespec
        #else
        let time = record.st_mtim
        #endif
        self.init(
            kind: kind,
            sizeBytes: UInt64(max(record.st_size, 0)),
            permissions: UInt16(record.st_mode & 0o7777),
            modified: Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
        )
    }
}
