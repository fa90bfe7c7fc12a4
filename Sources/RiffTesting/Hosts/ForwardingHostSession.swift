// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffTransport

// sample:
/// A host that passes every call on to another, but those that its type answers itself: to count, fail or change a few
/// of them in a test.
///
/// ```swift
/// struct SlowLists: ForwardingHostSession {
///     let base: any HostSession
///
///     func list(_ path: String) async throws -> [DirectoryEntry] {
///         try await Task.sleep(for: .seconds(1))
///         return try await base.list(path)
///     }
/// }
/// ```
///
/// Fingerprints and watches are not passed on: they are made of ``HostSession/status(of:)``, so that what a type
/// changes there is seen in them. Nor is ``HostSession/withoutWaking()``, which would lead past what a type changes.
public protocol ForwardingHostSession: HostSession {
    /// The host that answers what this one does not.
    var base: any HostSession { get }
}

extension ForwardingHostSession {
    /// Runs it on the other host.
    public func run(
        _ command: String,
        input: [UInt8],
        outputLimit: Int,
        timeout: Duration
    ) async throws -> CommandResult {
        try await base.run(command, input: input, outputLimit: outputLimit, timeout: timeout)
    }

    /// Opens it on the other host.
    public func openChannel(_ command: String) async throws -> any ByteChannel { try await base.openChannel(command) }

    /// Asks the other host.
    public func status(of path: String) async throws -> FileStatus? { try await base.status(of: path) }

    /// Asks the other host.
    public func list(_ path: String) async throws -> [DirectoryEntry] { try await base.list(path) }

    /// Reads from the other host.
    public func read(_ path: String, from offset: UInt64, count: Int) async throws -> [UInt8] {
        try await base.read(path, from: offset, count: count)
    }

    /// Writes to the other host.
    public func write(_ bytes: [UInt8], to path: String, permissions: UInt16?) async throws {
        try await base.write(bytes, to: path, permissions: permissions)
    }

    /// Renames on the other host.
    public func rename(_ path: String, to newPath: String) async throws { try await base.rename(path, to: newPath) }

    /// Removes from the other host.
    public func remove(_ path: String) async throws { try await base.remove(path) }

    /// Makes it on the other host.
    public func makeDirectory(_ path: String, permissions: UInt16) async throws {
        try await base.makeDirectory(path, permissions: permissions)
    }
}
