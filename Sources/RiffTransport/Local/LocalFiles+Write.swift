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

/// Replacing a file in one step.
extension LocalFiles {
    func write(_ bytes: [UInt8], to path: String, permissions: UInt16?) throws {
        let named = try resolve(path)
        try mapping("written", path) { () throws(SystemFailure) in
            let target = realPath(named) ?? named
            let directory = parent(of: target)
            var old = stat()
            let exists = stat(target, &old) == 0
            if exists, old.st_mode & S_IFMT == S_IFDIR { throw SystemFailure("open", code: EISDIR) }

            // A short name of its own: the target's name may already be as long as a name can be.
            let temporary = directory + "/.riff-" + String(UInt64.random(in: .min ... .max), radix: 36)
            let file = try PosixFile(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600)
            do throws(SystemFailure) {
                try fill(file, with: bytes, like: exists ? old : nil, permissions)
                #if canImport(Darwin)
                try retrying("rename") { Darwin.rename(temporary, target) }
                #elseif canImport(Musl)
                try retrying("rename") { Musl.rename(temporary, target) }
                #else
                try retrying("rename") { Glibc.rename(temporary, target) }
                #endif
            } catch {
                // It holds a part of the new bytes; the failure itself is what the caller learns.
                unlink(temporary)
                throw error
            }
            syncDirectory(directory)
        }
    }

    /// Brings the bytes to the disk, with the owner and the permissions of the file whose place they take.
    private func fill(
        _ file: borrowing PosixFile,
        with bytes: [UInt8],
        like old: stat?,
        _ permissions: UInt16?
    ) throws(SystemFailure) {
        try file.write(bytes)
        // Before the mode: a change of owner clears its upper bits. Only the superuser may give files away; for
        // anybody else the new file is theirs, as if they had written it anew.
        if let old { _ = fchown(file.descriptor, old.st_uid, old.st_gid) }
        try file.setMode(permissions.map { mode_t($0 & 0o7777) } ?? old.map { $0.st_mode & 0o7777 } ?? 0o600)
        try file.sync()
    }

    /// The file behind links; `nil` where nothing is there yet.
    private func realPath(_ path: String) -> String? {
        guard let text = realpath(path, nil) else { return nil }
        defer { free(text) }
        return String(cString: text)
    }

    private func parent(of path: String) -> String {
        guard let slash = path.lastIndex(byte: "/"), slash != path.startIndex else { return "/" }
        return String(path[..<slash])
    }

    /// Makes the rename itself last. The new bytes are in place by now: a file system that cannot sync a directory
    /// (some network ones) is no reason to call the write failed.
    private func syncDirectory(_ path: String) {
        guard let folder = try? PosixFile(path, O_RDONLY | O_DIRECTORY) else { return }
        try? folder.sync()
    }
}
