// Riff
// SPDX-License-Identifier: Apache-2.0

/// The directories that sessions were lately made in, newest first: suggestions beneath a field, never what it begins
/// with.
public struct RecentStartDirectories: Sendable, Hashable {
    /// The most that are kept.
    public static let capacity = 6

    /// The directories, each once, newest first.
    public private(set) var directories: [StartDirectory] = []

    /// None yet.
    package init() {}

    /// Puts a directory in front; the one that was used longest ago goes where there are too many.
    ///
    /// Two spellings of one directory, such as `~/code` and `$HOME/code/`, are one, and the newer spelling stays. A
    /// directory with a line's end in its name is passed over: no field of one line could suggest it.
    public mutating func record(_ directory: StartDirectory) {
        guard !directory.rawValue.utf8.contains(where: { $0 == 0x0A || $0 == 0x0D }) else { return }
        directories.removeAll { Self.path($0) == Self.path(directory) }
        directories = Array(([directory] + directories).prefix(Self.capacity))
    }

    private static func path(_ directory: StartDirectory) -> String {
        // As a program would get it, where the home directory is "~": an absolute path begins otherwise.
        let path = directory.shellWord.resolved(in: ["HOME": "~"])
        return String(path.droppingLast(byte: "/"))
    }
}

extension RecentStartDirectories {
    /// Reads the text of a store: one directory a line, newest first. A line that is no directory is passed over,
    /// because it cannot be suggested.
    package init(text: String) {
        for line in text.split(byte: "\n").prefix(Self.capacity).reversed() {
            guard let directory = try? StartDirectory(String(line)) else { continue }
            record(directory)
        }
    }

    /// The text for a store; reading it gives the same directories.
    public var text: String { directories.map(\.rawValue).joined(separator: "\n") }
}

extension RiffSettings {
    /// Puts a directory in front of the recent ones. Of two changes at the same moment the later one stays.
    ///
    /// - Throws: What the store throws.
    public func record(_ directory: StartDirectory) async throws {
        var recent = try await value(of: .recentStartDirectories)
        recent.record(directory)
        try await set(recent, for: .recentStartDirectories)
    }
}
