// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore
public import RiffTransport
internal import Synchronization

extension ScriptedHostSession {
    /// Returns the status of the entry at a path.
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
        try change { try $0.write(bytes, to: path, permissions: permissions) }
    }

    /// Renames a file or a directory with what is in it.
    public func rename(_ path: String, to newPath: String) async throws {
        try change { try $0.rename(path, to: newPath) }
    }

    /// Removes a file or an empty directory.
    public func remove(_ path: String) async throws { try change { try $0.remove(path) } }

    /// Makes a directory.
    public func makeDirectory(_ path: String, permissions: UInt16) async throws {
        try change { try $0.makeDirectory(path, permissions: permissions) }
    }

    /// Writes behind a file's bytes, as a program that logs does; a file that is missing is made.
    public func append(_ bytes: [UInt8], to path: String) throws { try change { try $0.append(bytes, to: path) } }

    /// Takes a file's bytes away behind a length.
    public func truncate(_ path: String, to count: Int) throws { try change { try $0.truncate(path, to: count) } }

    /// Fingerprints with a number for each file and the count of its changes.
    public func fingerprints(of paths: [String]) async throws -> [String: FileFingerprint] {
        files.withLock { files in
            var found: [String: FileFingerprint] = [:]
            for path in paths { found[path] = files.fingerprint(of: path) }
            return found
        }
    }

    /// A watch that every change wakes.
    public func watch(_ paths: [String], every interval: Duration, clock: any Clock<Duration>) async throws -> FileWatch
    {
        let waker = ScriptedWaker()
        watches.withLock { watches in
            watches.removeAll { $0.waker == nil }
            watches.append(WeakWaker(waker: waker))
        }
        return try await FileWatch(paths, every: interval, clock: clock, waker: waker) {
            try await self.fingerprints(of: $0)
        }
    }

    private func change(_ body: (inout InMemoryFiles) throws -> Void) throws {
        try files.withLock { try body(&$0) }
        for watch in watches.withLock({ $0 }) { watch.waker?.flag.send() }
    }
}

/// Woken by every change of the files.
final class ScriptedWaker: ChangeWaker {
    let flag = CoalescingSignal()

    func arm(for paths: [String]) async throws {}
    func news() async throws { try await flag.wait() }
}

/// A watch that may be gone.
struct WeakWaker: Sendable {
    weak var waker: ScriptedWaker?
}
