// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

/// The kit as it is on a host.
public struct HostKitStatus: Sendable, Hashable {
    /// The condition of the whole.
    public struct State: RawRepresentable, Sendable, Hashable {
        /// The name itself.
        public let rawValue: String
        /// Creates a state from its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Nothing is there.
        public static let absent = State(rawValue: "absent")
        /// An installation was cut off; installing or removing it completes it.
        public static let partial = State(rawValue: "partial")
        /// It is there.
        public static let installed = State(rawValue: "installed")
        /// A newer Riff keeps it in a way that this one does not know, and leaves alone.
        public static let newer = State(rawValue: "newer")
        /// Something else lies in its place.
        public static let foreign = State(rawValue: "foreign")
    }

    /// A part on the host.
    public struct Part: Sendable, Hashable {
        /// Its name; one that this Riff does not know is another front end's.
        public let name: String
        /// The number of its text.
        public let version: Int
        /// Whether the file is as it was installed.
        public let isIntact: Bool
        /// The size of its file, in bytes.
        public let sizeBytes: Int
        /// The file, below the folder.
        public let file: String
    }

    /// The kit's folder, which may not be there yet.
    public let folder: String
    /// The condition of the whole.
    public let state: State
    /// The parts, in the order in which they came.
    public let parts: [Part]
    /// The folders that lead to it and that it made: they go with it, unless something else was put into them.
    public let madeFolders: [String]
    /// The folders that installing would make, the outermost first.
    public let missingFolders: [String]
    /// The folder that does not let the kit be written; `nil` if none is in the way.
    public let unwritableFolder: String?
    /// Files in the folder that are not Riff's, at most twenty; they stay.
    public let strangers: [String]
    /// Scripts that Riffs without a kit put elsewhere; see ``HostKit/removeEarlierScripts()``.
    public let earlierScripts: [String]
    /// Programs that the kit's scripts need and the host lacks, such as `tmux`.
    public let missingPrograms: [String]

    /// A part's path on the host; `nil` if it is not there as it should be.
    package func path(of part: HostKitPart) -> String? {
        guard state == .installed, let found = parts.first(where: { $0.name == part.name }),
            found.isIntact
        else { return nil }
        return "\(folder)/\(found.file)"
    }

    /// Arguments with which `claude` tells its events to the hook; empty if the kit does not have what that needs.
    public var claudeArguments: [String] {
        guard path(of: .hook) != nil, let settings = path(of: .claudeSettings) else { return [] }
        return ["--settings", settings]
    }
}

extension HostKitStatus {
    /// Reads what the script wrote, one fact a line; `nil` if there is no status in it.
    ///
    /// - Parameter output: The lines. Facts that are not known are left out.
    package init?(output: String) {
        var facts: [String: [String]] = [:]
        for line in output.byteLines.prefix(2000) {
            let words = line.split(byte: " ", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = words.first else { continue }
            facts[String(name), default: []].append(words.count > 1 ? String(words[1]) : "")
        }
        guard let folder = facts["folder"]?.first, folder.hasPrefix(bytes: "/"), let state = facts["state"]?.first
        else {
            return nil
        }
        self.folder = folder
        self.state = State(rawValue: state)
        parts = (facts["part"] ?? []).compactMap(Part.init(fact:))
        madeFolders = facts["made"] ?? []
        missingFolders = facts["makes"] ?? []
        unwritableFolder = facts["unwritable"]?.first
        strangers = facts["stranger"] ?? []
        earlierScripts = facts["earlier"] ?? []
        missingPrograms = facts["lacks"] ?? []
    }
}

extension HostKitStatus.Part {
    /// `NAME VERSION CONDITION SIZE FILE`.
    fileprivate init?(fact: String) {
        let words = fact.split(byte: " ", maxSplits: 4).map(String.init)
        guard words.count == 5, let version = Int(words[1]), let size = Int(words[3]) else { return nil }
        self.init(name: words[0], version: version, isIntact: words[2] == "intact", sizeBytes: size, file: words[4])
    }
}
