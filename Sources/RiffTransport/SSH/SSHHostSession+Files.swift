// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

extension SSHHostSession: HostSession {
    /// Returns the status of the entry at a path, following links; `nil` if there is none.
    package func status(of path: String) async throws -> FileStatus? {
        try await within(path) { try await $0.status(of: path) }
    }

    /// The entries of a directory in no order, without `.` and `..`.
    package func list(_ path: String) async throws -> [DirectoryEntry] {
        try await within(path) { try await $0.list(path) }
    }

    /// Reads a file's bytes from `offset`, at most `count` of them; fewer at its end.
    package func read(_ path: String, from offset: UInt64, count: Int) async throws -> [UInt8] {
        try await within(path, bytes: count) { try await $0.read(path, from: offset, count: count) }
    }

    /// Replaces a file in one step, by SFTP's rename where the server has one that replaces, by `mv -f` where not.
    ///
    /// - Parameters:
    ///   - bytes: The new contents.
    ///   - path: The file.
    ///   - permissions: Mode bits of a new file (`0o644`); `nil` keeps those of the file replaced, or 0600.
    /// - Throws: A ``RiffError``; `CancellationError`. The old file is then still there, whole; only where the host
    ///   fell silent in the last step may the new one be.
    package func write(_ bytes: [UInt8], to path: String, permissions: UInt16?) async throws {
        try await within(path, bytes: bytes.count) { sftp in
            let replacement = try await sftp.replaceContents(of: path, with: bytes, permissions: permissions)
            try await finish(replacement, sftp)
        }
    }

    /// Replaces a file in one step with what a sequence gives, as fast as the host takes it; about 2 MiB are in memory.
    /// It has no deadline, since the sequence may take any time: cancel it.
    ///
    /// - Parameters:
    ///   - contents: The new contents, in order; iterated once.
    ///   - path: The file.
    ///   - permissions: Mode bits of a new file (`0o644`); `nil` keeps those of the file replaced, or 0600.
    /// - Throws: A ``RiffError``; what the sequence throws; `CancellationError`. The old file is then still there,
    ///   whole; only where the host fell silent in the last step may the new one be.
    package func write(
        contentsOf contents: some AsyncSequence<[UInt8], any Error> & Sendable,
        to path: String,
        permissions: UInt16?
    ) async throws {
        let sftp = try await link.sftp()
        var iterator = contents.makeAsyncIterator()
        let replacement = try await sftp.replaceContents(of: path, permissions: permissions) {
            try await iterator.next(isolation: #isolation)
        }
        try await finish(replacement, sftp)
    }

    /// The absolute path on the host, without links and dots. All but its last part must be there.
    package func absolutePath(of path: String) async throws -> String {
        try await within(path) { try await $0.realPath(path) }
    }

    /// Works on a file in a time that even a slow line keeps: as long as a command may take, and a second for each 16
    /// KiB. The wait for a lost link is part of it.
    private func within<Value: Sendable>(
        _ path: String,
        bytes: Int = 0,
        _ work: @escaping @Sendable (SFTPClient) async throws -> Value
    ) async throws -> Value {
        let link = link
        let limit = Self.patience + .seconds(max(0, bytes) / (16 * 1024))
        do {
            return try await withDeadline(limit, clock: link.clock) { try await work(link.sftp()) }
        } catch is DeadlineExceeded {
            let host = link.configuration.address
            throw TransportError(.timeout, "\(host) did not finish with \(path) in \(limit).", recovery: .retry)
        }
    }

    private static var patience: Duration { .seconds(30) }

    private func finish(_ replacement: SFTPReplacement, _ sftp: SFTPClient) async throws {
        guard case .staged(let temporary, let target) = replacement else { return }
        do {
            try await move(temporary, to: target)
        } catch {
            // Sent and not waited for, also in a cancelled task.
            sftp.session.dispatch(.remove(path: temporary))
            throw error
        }
    }

    /// Renames within one file system, replacing a file at the new path in one step.
    package func rename(_ path: String, to newPath: String) async throws {
        try await within(path) { sftp in
            if sftp.session.features.canReplace { return try await sftp.replace(newPath, with: path) }
            try await move(path, to: newPath)
        }
    }

    /// Removes a file or an empty directory.
    package func remove(_ path: String) async throws { try await within(path) { try await $0.remove(path) } }

    /// Makes a directory; its parent must exist.
    package func makeDirectory(_ path: String, permissions: UInt16) async throws {
        try await within(path) { try await $0.makeDirectory(path, permissions: permissions) }
    }

    /// SFTP version 3 renames only onto nothing; the host's own `mv` replaces in one step.
    private func move(_ path: String, to newPath: String) async throws {
        // Onto a directory `mv` would move into it.
        if try await link.sftp().status(of: newPath)?.kind == .directory {
            throw TransportError(.fileExists, "\(newPath) on \(link.configuration.address) is a directory.")
        }
        // A path may begin with a dash.
        let line = try ShellQuoting.join(["mv", "-f", "--", path, newPath])
        let result = try await run(line)
        guard result.exit?.isSuccess == true else {
            let words = InertText.quote(result.diagnosticText)
            throw TransportError(
                .fileFailed,
                "\(link.configuration.address) cannot move \(path) to \(newPath): \(words)"
            )
        }
    }
}
