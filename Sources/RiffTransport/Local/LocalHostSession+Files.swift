// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

extension LocalHostSession {
    /// Returns the status of the entry at a path, following links; `nil` if there is none.
    public func status(of path: String) async throws -> FileStatus? {
        try await blocking { try $0.status(of: path) }
    }

    /// The entries of a directory. A name that is not UTF-8 is shown with U+FFFD and cannot be passed back.
    public func list(_ path: String) async throws -> [DirectoryEntry] {
        try await blocking { try $0.list(path) }
    }

    /// Reads a file's bytes from `offset`, at most `count` of them.
    public func read(_ path: String, from offset: UInt64, count: Int) async throws -> [UInt8] {
        try await blocking { try $0.read(path, from: offset, count: count) }
    }

    /// Replaces a file in one step: a new file beside it, synced to the disk, then renamed. Where a link lies at the
    /// path, the file it points to is replaced. Permissions are set exactly, whatever the umask says; owner and group
    /// are kept where the account may set them.
    public func write(_ bytes: [UInt8], to path: String, permissions: UInt16?) async throws {
        try await blocking { try $0.write(bytes, to: path, permissions: permissions) }
    }

    /// Renames within one file system, replacing a file at the new path in one step.
    public func rename(_ path: String, to newPath: String) async throws {
        try await blocking { try $0.rename(path, to: newPath) }
    }

    /// Removes a file, a link or an empty directory.
    public func remove(_ path: String) async throws {
        try await blocking { try $0.remove(path) }
    }

    /// Makes a directory with exactly these permissions.
    public func makeDirectory(_ path: String, permissions: UInt16) async throws {
        try await blocking { try $0.makeDirectory(path, permissions: permissions) }
    }

    private func blocking<Result: Sendable>(
        _ body: @escaping @Sendable (LocalFiles) throws -> Result
    ) async throws -> Result {
        try await onBlockingThread { [files] in try body(files) }
    }
}
