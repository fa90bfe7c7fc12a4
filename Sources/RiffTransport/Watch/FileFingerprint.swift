// Riff
// SPDX-License-Identifier: Apache-2.0

/// The values that tell one state of a file from another without reading it.
///
/// Two fingerprints compare only where they come from the same session and the same call: what `stamp` says, and how
/// exactly, depends on the host.
public struct FileFingerprint: Sendable, Hashable {
    /// Which file it is (device and inode), where the host told it; another one after a rename or a replacement.
    public let identity: String?
    /// Length in bytes.
    public let sizeBytes: UInt64
    /// Times of the last changes, as exactly as the host told them; opaque.
    public let stamp: String

    /// Creates a fingerprint.
    public init(identity: String?, sizeBytes: UInt64, stamp: String) {
        self.identity = identity
        self.sizeBytes = sizeBytes
        self.stamp = stamp
    }

    /// Creates a fingerprint from a status alone: without an identity.
    public init(_ status: FileStatus) {
        self.init(identity: nil, sizeBytes: status.sizeBytes, stamp: status.modified.map { "\($0)" } ?? "")
    }
}

extension FileWatch {
    /// The difference between the entry at a path and the one that was there before.
    public struct Change: Sendable, Hashable {
        /// The open set of kinds.
        public struct Kind: RawRepresentable, Sendable, Hashable {
            /// The name itself.
            public let rawValue: String

            /// Any name, also one this version does not know.
            public init(rawValue: String) { self.rawValue = rawValue }
            /// There was nothing.
            public static let created = Kind(rawValue: "created")
            /// It is the same file with other contents, or one that may be: the host tells no identity.
            package static let modified = Kind(rawValue: "modified")
            /// Another file is there now: renamed over it, or made after a rename or a removal.
            public static let replaced = Kind(rawValue: "replaced")
            /// There is nothing any more.
            public static let removed = Kind(rawValue: "removed")
        }

        /// The path, as it was given to be watched.
        public let path: String
        /// The entry that was there before; `nil` for none.
        public let before: FileFingerprint?
        /// The entry that is there now; `nil` for none.
        public let after: FileFingerprint?

        /// Creates a change.
        package init(path: String, before: FileFingerprint?, after: FileFingerprint?) {
            self.path = path
            self.before = before
            self.after = after
        }

        /// The kind of the change.
        public var kind: Kind {
            switch (before, after) {
            case (nil, _): .created
            case (_, nil): .removed
            case (let before?, let after?): before.identity == after.identity ? .modified : .replaced
            }
        }
    }
}
