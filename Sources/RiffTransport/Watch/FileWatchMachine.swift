// Riff
// SPDX-License-Identifier: Apache-2.0

/// Compares each look at some paths with the one before: what happened in between is one change for each path, however
/// often it happened.
package struct FileWatchMachine: Sendable {
    /// The paths, in order and each once.
    package let paths: [String]
    /// The last look.
    package private(set) var known: [String: FileFingerprint]

    /// Begins with a first look.
    package init(paths: [String], known: [String: FileFingerprint]) {
        var seen: Set<String> = []
        self.paths = paths.filter { seen.insert($0).inserted }
        self.known = known
    }

    /// Takes the next look.
    ///
    /// - Parameter now: What lies at the paths; a path that is missing has nothing.
    /// - Returns: What changed since the last look, in the order of the paths.
    package mutating func take(_ now: [String: FileFingerprint]) -> [FileWatch.Change] {
        let changes = paths.compactMap { path in
            known[path] == now[path] ? nil : FileWatch.Change(path: path, before: known[path], after: now[path])
        }
        known = now
        return changes
    }
}
