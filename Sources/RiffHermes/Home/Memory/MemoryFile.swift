// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore
internal import RiffTransport

extension MemoryFile {
    /// The contents of a memory file: entries of plain text with a line `§` between them.
    public struct Entries: Sendable, Hashable {
        /// The entries, in order, without white space around them; none is empty.
        public var entries: [String]
        /// The most characters that the agent keeps of all together, separators included.
        public let limit: Int

        /// The text between two entries.
        package static let separator = "\n§\n"

        /// Creates entries.
        package init(entries: [String], limit: Int) {
            self.entries = entries.map(Self.trimmed).filter { !$0.isEmpty }
            self.limit = limit
        }

        /// The entries of a file.
        package init(text: String, limit: Int) {
            self.init(entries: MemoryText(text).entries, limit: limit)
        }

        /// The file's text.
        package var text: String { entries.joined(separator: Self.separator) }

        /// The number of characters (Unicode scalars, as the agent counts) of the text.
        public var count: Int { text.unicodeScalars.count }

        /// The part of the limit that is used, from 0; above 1 the agent takes no more.
        public var usage: Double { limit > 0 ? Double(count) / Double(limit) : 0 }

        private static func trimmed(_ text: String) -> String {
            let end = text.reversed().drop(while: \.isWhitespace)
            return String(String(end.reversed()).drop(while: \.isWhitespace))
        }
    }
}

/// One of the files of memory, as the agent's own tool reads and writes it: under its lock, and never over a change
/// that was not seen.
public struct MemoryFile: Sendable {
    /// The open set of files.
    public struct Name: RawRepresentable, Sendable, Hashable {
        /// The file's name.
        public let rawValue: String

        /// Creates a name, also one that this version does not know.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// The agent's notes of its work.
        public static let memory = Name(rawValue: "MEMORY.md")
        /// The agent's notes of the user.
        public static let user = Name(rawValue: "USER.md")
    }

    /// Entries as they were read, and what a change is compared with.
    public struct Snapshot: Sendable, Hashable {
        /// The entries as they were read.
        public let memory: MemoryFile.Entries
        /// The revision they are.
        package let revision: HostFile.Revision
        /// The file's own text, white space and all.
        let text: MemoryText

        /// Entries of a revision, as a file that has nothing else.
        package init(memory: MemoryFile.Entries, revision: HostFile.Revision) {
            self.init(MemoryText(memory.text), revision, limit: memory.limit)
        }

        init(_ text: MemoryText, _ revision: HostFile.Revision, limit: Int) {
            memory = MemoryFile.Entries(entries: text.entries, limit: limit)
            self.revision = revision
            self.text = text
        }
    }

    /// The file of the memory.
    package let file: HostFile
    /// The most characters that the agent keeps.
    package let limit: Int

    /// Reads the entries; a missing file has none.
    ///
    /// - Throws: ``DataError`` with `fileMalformed` for a file that is not UTF-8, `fileTooLarge`; the host's own
    ///   errors.
    public func read() async throws -> Snapshot {
        let contents = try await file.read()
        return Snapshot(try MemoryText(contents.bytes, path: file.path), contents.revision, limit: limit)
    }

    /// Replaces the entries, if the file is still as it was read. Those that stay keep their own bytes, with the white
    /// space around them, and the file its end.
    ///
    /// - Throws: ``DataError`` with `memoryFull`, before anything is written, when the entries are longer than the
    ///   limit and longer than those they replace; `fileChanged`, `fileLocked`; the host's own errors.
    @discardableResult
    public func write(_ entries: [String], over snapshot: Snapshot) async throws -> Snapshot {
        let new = MemoryFile.Entries(entries: entries, limit: limit)
        guard new.count <= max(limit, snapshot.memory.count) else {
            throw DataError(
                .memoryFull,
                "\(file.path) would have \(new.count) characters, and the agent keeps \(limit). Shorten or remove entries."
            )
        }
        let text = snapshot.text.replacing(with: new.entries)
        let revision = try await file.replace(with: Array(text.text.utf8), expecting: snapshot.revision)
        return Snapshot(text, revision, limit: limit)
    }
}

extension HermesHome {
    /// Returns one of the files of memory.
    ///
    /// - Parameters:
    ///   - name: Which.
    ///   - limit: The most characters that the agent keeps; `nil` takes its defaults, 2,200 for its own notes and 1,375
    ///     for those about the person. ``HermesConfig/memoryLimit(of:)`` tells what a home has set.
    /// - Returns: The file; nothing is read yet. One of a name that leads out of its folder throws ``DataError`` with
    ///   `invalidValue` once it is.
    public func memory(_ name: MemoryFile.Name, limit: Int? = nil) -> MemoryFile {
        let standard = name == .user ? 1375 : 2200
        if let refusal = Self.refusal(of: name.rawValue) {
            return MemoryFile(file: .refused(refusal, on: host), limit: limit ?? standard)
        }
        let path = "memories/\(name.rawValue)"
        return MemoryFile(file: file(path, limitBytes: 1 << 20, lock: path + ".lock"), limit: limit ?? standard)
    }
}

extension DataErrorCode {
    /// The agent would not keep as much as was to be remembered. Nothing was written.
    public static let memoryFull = DataError.Code(rawValue: "memoryFull")
}
