// Riff
// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The directories that sessions were lately made in, newest first: suggestions beneath a field, never what it begins with.
public struct RecentStartDirectories: Sendable, Hashable {
    /// The most that are kept.
    public static let capacity = 6
    /// The name under which a ``KeyValueStore`` has them.
    public static let settingName = "riff.ssh.recentStartDirs"

    /// The directories, each once, newest first.
    public private(set) var directories: [StartDirectory] = []

    /// None yet.
    public init() {}

    /// Puts a directory in front; the one that was used longest ago goes where there are too many. Two spellings of one
    /// directory, such as `~/work` and `$HOME/work/`, are one, and the newer spelling stays.
    public mutating func record(_ directory: StartDirectory) {
        directories.removeAll { Self.path($0) == Self.path(directory) }
        directories = Array(([directory] + directories).prefix(Self.capacity))
    }

    private static func path(_ directory: StartDirectory) -> String {
        // As a program would get it, where the home directory is "~": an absolute path begins otherwise.
        let path = directory.shellWord.resolved(in: ["HOME": "~"])
        return path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    }
}

extension RecentStartDirectories {
    /// Reads what a store has.
    ///
    /// - Parameter text: A JSON array of texts, newest first; `nil` is none. A text that is no directory is passed over.
    /// - Throws: ``CoreError`` with `storeFailed` where it is something else.
    public init(text: String?) throws(CoreError) {
        guard let text else { return }
        let entries: [String]
        do {
            entries = try JSONDecoder().decode([String].self, from: Data(text.utf8))
        } catch {
            let message = "The setting \(Self.settingName) is not a list of directories. Remove it to begin anew."
            throw CoreError(.storeFailed, message, cause: error)
        }
        for entry in entries.prefix(Self.capacity).reversed() {
            // Not one that can be suggested, so there is nothing to tell.
            guard let directory = try? StartDirectory(entry) else { continue }
            record(directory)
        }
    }

    /// The text for a store.
    ///
    /// - Throws: ``CoreError`` with `storeFailed`; there is no such text.
    public var text: String {
        get throws(CoreError) {
            do {
                return String(decoding: try JSONEncoder().encode(directories.map(\.rawValue)), as: UTF8.self)
            } catch {
                throw CoreError(.storeFailed, "The recent directories cannot be written.", cause: error)
            }
        }
    }

    /// Those of a store.
    ///
    /// - Throws: ``CoreError`` with `storeFailed`, and what the store throws.
    public static func load(from store: some KeyValueStore) async throws -> RecentStartDirectories {
        try RecentStartDirectories(text: try await store.value(for: settingName))
    }

    /// Puts a directory in front of those of a store. Of two at the same moment the later one stays.
    ///
    /// - Returns: The directories as they are then.
    /// - Throws: ``CoreError`` with `storeFailed`, and what the store throws.
    @discardableResult
    public static func record(
        _ directory: StartDirectory,
        in store: some KeyValueStore
    ) async throws -> RecentStartDirectories {
        var recent = try await load(from: store)
        recent.record(directory)
        try await store.set(try recent.text, for: settingName)
        return recent
    }
}
