// Riff
// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Musl)
internal import Musl
#else
internal import Glibc
internal import RiffCore
#endif

extension LocalHostSession {
    /// Fingerprints by `stat`, with device, inode and times in nanoseconds.
    public func fingerprints(of paths: [String]) async throws -> [String: FileFingerprint] {
        try await onBlockingThread { [files] in
            var found: [String: FileFingerprint] = [:]
            for path in paths { found[path] = try files.fingerprint(of: path) }
            return found
        }
    }

    /// A watch that the system wakes (inotify, or dispatch sources on Apple's systems); it looks at intervals as well,
    /// since not every file system tells.
    public func watch(_ paths: [String], every interval: Duration, clock: any Clock<Duration>) async throws -> FileWatch
    {
        let files = files
        let resolved = try paths.map { try files.resolve($0) }
        let waker = try SystemChangeWaker()
        return try await FileWatch(paths, every: interval, clock: clock, waker: ResolvingWaker(waker, resolved)) {
            try await self.fingerprints(of: $0)
        }
    }
}

/// Arms for the absolute paths behind those that the watch knows.
private final class ResolvingWaker: ChangeWaker {
    private let waker: SystemChangeWaker
    private let paths: [String]

    init(_ waker: SystemChangeWaker, _ paths: [String]) {
        self.waker = waker
        self.paths = paths
    }

    func arm(for paths: [String]) async throws {
        try await onBlockingThread { [waker, paths = self.paths] in waker.arm(for: paths) }
    }

    func news() async throws { try await waker.changes.wait() }
}

extension LocalFiles {
    func fingerprint(of path: String) throws -> FileFingerprint? {
        let full = try resolve(path)
        return try mapping("looked at", path) { () throws(SystemFailure) in
            var record = stat()
            do throws(SystemFailure) {
                try retrying("stat") { stat(full, &record) }
            } catch {
                if error.code == ENOENT || error.code == ENOTDIR { return nil }
                throw error
            }
            #if canImport(Darwin)
            let (modified, changed) = (record.st_mtimespec, record.st_ctimespec)
            #else
            let (modified, changed) = (record.st_mtim, record.st_ctim)
            #endif
            return FileFingerprint(
                identity: "\(record.st_dev):\(record.st_ino)",
                sizeBytes: UInt64(max(record.st_size, 0)),
                stamp: "\(modified.tv_sec).\(modified.tv_nsec)/\(changed.tv_sec).\(changed.tv_nsec)"
            )
        }
    }
}

/// The nearest directory above a path that is there: where something must happen before the path can change.
func nearestDirectory(above path: String) -> String {
    var path = path
    while let slash = path.lastIndex(byte: "/") {
        path = String(path[..<slash])
        if path.isEmpty { return "/" }
        var record = stat()
        if stat(path, &record) == 0, record.st_mode & S_IFMT == S_IFDIR { return path }
    }
    return "/"
}
