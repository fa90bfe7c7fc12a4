// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffTransport
internal import Synchronization

extension ScriptedHostSession {
    /// What lies at a path.
    public func status(of path: String) async throws -> FileStatus? { files.withLock { $0.status(of: path) } }

    /// The entries of a directory.
    public func list(_ path: String) async throws -> [DirectoryEntry] { try files.withLock { try $0.list(path) } }

    /// A part of a file.
    public func read(_ path: String, from offset: UInt64, count: Int) async throws -> [UInt8] {
        let bytes = try files.withLock { try $0.contents(of: path) }
        return Array(bytes.dropFirst(Int(clamping: offset)).prefix(max(count, 0)))
    }

    /// Replaces a file.
    public func write(_ bytes: [UInt8], to path: String, permissions: UInt16?) async throws {
        try files.withLock { try $0.write(bytes, to: path, permissions: permissions) }
    }

    /// Renames a file or a directory with what is in it.
    public func rename(_ path: String, to newPath: String) async throws {
        try files.withLock { try $0.rename(path, to: newPath) }
    }

    /// Removes a file or an empty directory.
    public func remove(_ path: String) async throws { try files.withLock { try $0.remove(path) } }

    /// Makes a directory.
    public func makeDirectory(_ path: String, permissions: UInt16) async throws {
        try files.withLock { try $0.makeDirectory(path, permissions: permissions) }
    }
}
