// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffShare

// sample: host: SSHHost, transcript: String
/// An agent's record on a host: a transcript or a rollout, in which prompts are looked for.
///
/// ```swift
/// let record = HostPromptRecord(on: host) { transcript }
/// ```
public struct HostPromptRecord: PromptRecord {
    private let host: any HostSession
    private let path: @Sendable () async throws -> String?

    /// Creates a record.
    ///
    /// - Parameters:
    ///   - host: The agent's host.
    ///   - path: The file into which the agent writes now; `nil` while there is none.
    public init(on host: any HostSession, path: @escaping @Sendable () async throws -> String?) {
        self.host = host
        self.path = path
    }

    /// The file's path and its size in bytes; `nil` while there is no file.
    ///
    /// - Throws: What the host and the closure throw.
    public func size() async throws -> (name: String, bytes: Int64)? {
        guard let path = try await path(), let status = try await host.status(of: path) else { return nil }
        // A size beyond that is a host's lie, and no byte of it will be there.
        return (path, Int64(clamping: status.sizeBytes))
    }

    /// The bytes of the file from a place on.
    ///
    /// - Throws: What the host throws.
    public func read(_ name: String, from offset: Int64, atMost count: Int) async throws -> [UInt8] {
        guard let offset = UInt64(exactly: offset) else { return [] }
        return try await host.read(name, from: offset, count: count)
    }
}
