// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// Files of a host, over the SFTP subsystem on any byte channel; version 3, draft-ietf-secsh-filexfer-02.
///
/// All calls may be made at the same time from many tasks. They have no deadline of their own: cancel them. When the
/// channel dies, all of them throw `connectionLost`. Names that are not UTF-8 are listed with U+FFFD and marked
/// (``DirectoryEntry/hasExactName``): they cannot be opened.
package final class SFTPClient: Sendable {
    /// Bytes of one read or write, unless the server's limit is lower: what every server takes.
    static let chunkBytes = 32 * 1024
    /// Reads and writes of one call that are under way: 2 MiB, the window of a bulk SSH channel.
    static let windowChunks = 64

    /// Entries of one directory, beyond which listing fails: the memory of a peer's list must have an end.
    static let mostEntries = 500_000

    package let session: SFTPSession
    /// The limits that the server reported, if it did.
    package let limits: SFTPLimits?

    /// Greets the server. The channel belongs to the client from now on, also when this throws: it is then closed.
    package static func open(over channel: any ByteChannel) async throws -> SFTPClient {
        let session = try await SFTPSession.open(over: channel)
        do {
            guard session.features.tellsLimits, case .extended(let bytes) = try await session.perform(.limits) else {
                return SFTPClient(session, limits: nil)
            }
            return SFTPClient(session, limits: try SFTPLimits.decode(bytes))
        } catch {
            await session.close()
            throw error
        }
    }

    private init(_ session: SFTPSession, limits: SFTPLimits?) {
        self.session = session
        self.limits = limits
    }

    /// Ends the session and its channel.
    package func close() async { await session.close() }

    // MARK: Paths

    /// Returns the status of the entry at a path, following links; `nil` if there is none.
    package func status(of path: String) async throws -> FileStatus? {
        try await attributes(.status(path: path), path)?.status()
    }

    /// Returns the status of the entry at a path, not following a link there; `nil` if there is none.
    package func linkStatus(of path: String) async throws -> FileStatus? {
        try await attributes(.linkStatus(path: path), path)?.status()
    }

    /// The absolute path without links and dots.
    package func realPath(_ path: String) async throws -> String {
        let action = SFTPAction("resolve", path)
        let answer = try await session.perform(.realPath(path: path))
        guard case .names(let names) = answer, let first = names.first else { throw action.error(for: answer) }
        return first.name
    }

    /// Changes the mode bits.
    package func setPermissions(_ permissions: UInt16, of path: String) async throws {
        let request = SFTPRequest.setStatus(path: path, SFTPAttributes(mode: UInt32(permissions)))
        try SFTPAction("change the mode of", path).expectOK(await session.perform(request))
    }

    /// Makes a directory whose parent exists; `fileExists` where something lies there.
    package func makeDirectory(_ path: String, permissions: UInt16) async throws {
        let action = SFTPAction("make the directory", path)
        let request = SFTPRequest.makeDirectory(path: path, SFTPAttributes(mode: UInt32(permissions)))
        let answer = try await session.perform(request)
        // Version 3 has no code for "exists": it is told as a failure.
        if answer.isFailure, try await linkStatus(of: path) != nil { throw action.exists() }
        try action.expectOK(answer)
    }

    /// Removes a file or a link.
    package func removeFile(_ path: String) async throws {
        try SFTPAction("remove", path).expectOK(await session.perform(.remove(path: path)))
    }

    /// Removes an empty directory.
    package func removeDirectory(_ path: String) async throws {
        try SFTPAction("remove the directory", path).expectOK(await session.perform(.removeDirectory(path: path)))
    }

    /// Removes a file, a link or an empty directory.
    package func remove(_ path: String) async throws {
        let isDirectory = try await linkStatus(of: path)?.kind == .directory
        if isDirectory { try await removeDirectory(path) } else { try await removeFile(path) }
    }

    /// Renames within a file system; `fileExists` where something lies at the new path.
    package func rename(_ path: String, to newPath: String) async throws {
        let action = SFTPAction("rename", path)
        let answer = try await session.perform(.rename(path: path, to: newPath))
        if answer.isFailure, try await linkStatus(of: newPath) != nil {
            throw SFTPAction("rename \(path) to", newPath).exists()
        }
        try action.expectOK(answer)
    }

    /// Renames within a file system and replaces what lies at the new path, in one step.
    ///
    /// - Throws: `TransportError` with `fileUnsupported` where the server has no `posix-rename@openssh.com`.
    package func replace(_ newPath: String, with path: String) async throws {
        let action = SFTPAction("replace", newPath)
        guard session.features.canReplace else { throw action.unsupported("It has no posix-rename@openssh.com.") }
        try action.expectOK(await session.perform(.replace(path: path, to: newPath)))
    }

    /// The entries of a directory in no order, without `.` and `..`.
    package func list(_ path: String) async throws -> [DirectoryEntry] {
        let action = SFTPAction("list", path)
        let handle = try await open(.openDirectory(path: path), action)
        defer { session.dispatch(.close(handle)) }
        var entries: [DirectoryEntry] = []
        // A page is about a hundred names; a few pages under way hide most of the distance.
        var pages: [UInt32] = []
        defer { for id in pages { session.abandon(id) } }
        while true {
            while pages.count < 4 { pages.append(try session.submit(.readDirectory(handle))) }
            let answer = try await session.response(to: pages.removeFirst())
            if answer.isEndOfFile { return entries }
            guard case .names(let names) = answer else { throw action.error(for: answer) }
            guard entries.count + names.count <= Self.mostEntries else { throw action.tooMany(Self.mostEntries) }
            for name in names where name.name != "." && name.name != ".." {
                guard name.isFileName else { throw action.strangeName(name.name) }
                let status = name.attributes.status(longName: name.longName)
                entries.append(DirectoryEntry(name: name.name, status: status, hasExactName: name.isExact))
            }
        }
    }

    // MARK: Beneath

    func open(_ request: SFTPRequest, _ action: SFTPAction) async throws -> SFTPRequest.Handle {
        let answer = try await session.perform(request)
        guard case .handle(let handle) = answer else { throw action.error(for: answer) }
        return handle
    }

    private func attributes(_ request: SFTPRequest, _ path: String) async throws -> SFTPAttributes? {
        let answer = try await session.perform(request)
        if case .attributes(let attributes) = answer { return attributes }
        if case .status(let status) = answer, status.code == .noSuchFile { return nil }
        throw SFTPAction("look at", path).error(for: answer)
    }
}
