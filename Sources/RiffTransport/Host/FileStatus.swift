// Riff
// SPDX-License-Identifier: Apache-2.0

/// The status of the entry at a path.
public struct FileStatus: Sendable, Hashable {
    /// The open set of kinds.
    public struct Kind: RawRepresentable, Sendable, Hashable {
        /// The name itself.
        public let rawValue: String

        /// Any name, also one this version does not know.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// A regular file.
        public static let file = Kind(rawValue: "file")
        /// The entry is a directory.
        public static let directory = Kind(rawValue: "directory")
        /// A symbolic link.
        package static let symbolicLink = Kind(rawValue: "symbolicLink")
        /// A device, a socket, a pipe.
        public static let other = Kind(rawValue: "other")
    }

    /// The kind of the entry.
    public let kind: Kind
    /// Length in bytes.
    public let sizeBytes: UInt64
    /// The twelve mode bits (`0o7777`), where the host told them.
    public let permissions: UInt16?
    /// Time of the last change of the contents, in seconds since 1970-01-01 UTC, where the host told it.
    public let modified: Double?

    /// Creates a status.
    public init(kind: Kind, sizeBytes: UInt64, permissions: UInt16? = nil, modified: Double? = nil) {
        self.kind = kind
        self.sizeBytes = sizeBytes
        self.permissions = permissions
        self.modified = modified
    }
}

/// One name in a directory. Links are not followed here.
public struct DirectoryEntry: Sendable, Hashable {
    /// The name, without its directory; bytes that are not UTF-8 are U+FFFD in it.
    public let name: String
    /// Whether the file can be reached by ``name``: `false` where its true name is not UTF-8.
    public let hasExactName: Bool
    /// The status of the entry.
    public let status: FileStatus

    /// Creates an entry.
    public init(name: String, status: FileStatus, hasExactName: Bool = true) {
        self.name = name
        self.hasExactName = hasExactName
        self.status = status
    }
}

extension TransportErrorCode {
    /// Nothing lies at the path.
    public static let fileNotFound = TransportError.Code(rawValue: "fileNotFound")
    /// Something lies there already.
    public static let fileExists = TransportError.Code(rawValue: "fileExists")
    /// The account may not do that.
    public static let permissionDenied = TransportError.Code(rawValue: "permissionDenied")
    /// Any other refusal of a file operation; the message has the host's own words.
    public static let fileFailed = TransportError.Code(rawValue: "fileFailed")
}
