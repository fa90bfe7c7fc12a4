// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

extension SSHHost: TerminalHost {
    /// The account and the address.
    public var name: String { "\(configuration.user)@\(configuration.address)" }

    /// The state of the connection.
    public var current: HostLinkState { link.current }

    /// The state of the connection, then each change.
    public func updates() -> AsyncStream<HostLinkState> { link.updates() }

    /// Makes a terminal that runs a command line.
    public func makeTerminal(_ command: String) -> any TerminalTransport { SSHTerminal(command, on: link) }

    /// Finds out at once whether a silent connection is dead.
    public func foreground() async { await link.foreground() }

    /// Runs a command to its end and collects what it wrote.
    public func run(
        _ command: String,
        input: [UInt8],
        outputLimit: Int,
        timeout: Duration
    ) async throws -> CommandResult {
        try await files.run(command, input: input, outputLimit: outputLimit, timeout: timeout)
    }

    /// Starts a command and returns the channel to it.
    public func openChannel(_ command: String) async throws -> any ByteChannel { try await files.openChannel(command) }

    /// The status of the file at a path, following links; `nil` if there is none.
    public func status(of path: String) async throws -> FileStatus? { try await files.status(of: path) }

    /// The entries of a directory in no order, without `.` and `..`.
    public func list(_ path: String) async throws -> [DirectoryEntry] { try await files.list(path) }

    /// Reads a file's bytes from `offset`, at most `count` of them.
    public func read(_ path: String, from offset: UInt64, count: Int) async throws -> [UInt8] {
        try await files.read(path, from: offset, count: count)
    }

    /// Replaces a file in one step.
    public func write(_ bytes: [UInt8], to path: String, permissions: UInt16?) async throws {
        try await files.write(bytes, to: path, permissions: permissions)
    }

    /// Replaces a file in one step with the bytes of a sequence, as fast as the host takes them; about 2 MiB are in
    /// memory. It has no deadline, since the sequence may take any time: cancel it.
    ///
    /// - Parameters:
    ///   - contents: The new contents, in order; iterated once.
    ///   - path: The file.
    ///   - permissions: The mode bits of a new file (`0o644`); `nil` keeps those of the replaced file, or 0600.
    /// - Throws: A ``RiffError``; an error of the sequence; `CancellationError`. The old file is then still there,
    ///   whole; only if the host fell silent in the last step may it be the new one.
    public func write(
        contentsOf contents: some AsyncSequence<[UInt8], any Error> & Sendable,
        to path: String,
        permissions: UInt16?
    ) async throws {
        try await files.write(contentsOf: contents, to: path, permissions: permissions)
    }

    /// Returns the absolute path on the host, without links and dots. All but its last part must exist.
    public func absolutePath(of path: String) async throws -> String { try await files.absolutePath(of: path) }

    /// Renames within one file system, replacing a file at the new path in one step.
    public func rename(_ path: String, to newPath: String) async throws { try await files.rename(path, to: newPath) }

    /// Removes a file or an empty directory.
    public func remove(_ path: String) async throws { try await files.remove(path) }

    /// Makes a directory; its parent must exist.
    public func makeDirectory(_ path: String, permissions: UInt16) async throws {
        try await files.makeDirectory(path, permissions: permissions)
    }

    /// The fingerprints of many paths at once.
    public func fingerprints(of paths: [String]) async throws -> [String: FileFingerprint] {
        try await files.fingerprints(of: paths)
    }

    /// Watches paths for changes.
    public func watch(_ paths: [String], every interval: Duration, clock: any Clock<Duration>) async throws -> FileWatch
    {
        try await files.watch(paths, every: interval, clock: clock)
    }

    /// The host for background polling: it never dials.
    public func withoutWaking() async throws -> any HostSession { try await files.withoutWaking() }
}
