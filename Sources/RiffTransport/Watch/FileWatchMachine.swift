// Riff
// SPDX-License-Identifier: Apache-2.0

/// Compares each look at some paths with the one before: what happened in between is one change for each path, however
/// often it happened.
public struct FileWatchMachine: Sendable {
    /// The paths, in order and each once.
    public let paths: [String]
    /// The last look.
    public private(set) var known: [String: FileFingerprint]

    /// Begins with a first look.
    public init(paths: [String], known: [String: FileFingerprint]) {
        var seen: Set<String> = []
        self.paths = paths.filter { seen.insert($0).inserted }
        self.known = known
    }

    /// Takes the next look.
    ///
    /// - Parameter now: What lies at the paths; a path that is missing has nothing.
    /// - Returns: What changed since the last look, in the order of the paths.
    public mutating func take(_ now: [String: FileFingerprint]) -> [FileChange] {
        let changes = paths.compactMap { path in
            known[path] == now[path] ? nil : FileChange(path: path, before: known[path], after: now[path])
        }
        known = now
        return changes
    }
}
