// Riff
// SPDX-License-Identifier: Apache-2.0

/// A mark that changes when a Hermes database does: cheap to take, here and on its host, and without opening it.
///
/// Two fingerprints taken the same way are equal as long as nothing was committed between them. In WAL mode a commit
/// changes neither the database nor, where the log is written anew from its start, the log's length; so beside lengths,
/// times and inodes it holds the salts of the log's header. A file that was written a moment ago may be written again
/// in the same tick of the file system's clock: such a fingerprint equals no other one, and the next one settles it.
public struct HermesFingerprint: Sendable, Hashable {
    /// One of the files.
    package struct File: Sendable, Hashable {
        package var size: UInt64
        /// Seconds, a point, nanoseconds.
        package var modified: String
        package var inode: UInt64
    }

    /// The database itself; `nil` where there is none.
    package var database: File?
    /// Its write-ahead log.
    package var log: File?
    /// Its rollback journal, which is there while a transaction is under way.
    package var journal: File?
    /// The log's header and, where another process read them, the counters of the database and of the log's index.
    package var counters = ""
    /// When it was taken, where that was too close to a change.
    package var unsettled: String?

    package init() {}

    /// All of it as one line, to keep or to log; it holds nothing of the database's contents.
    package var description: String {
        let files = [database, log, journal].map { $0.map { "\($0.size)@\($0.modified)#\($0.inode)" } ?? "-" }
        return (files + [counters, unsettled ?? ""]).joined(separator: " ")
    }

    /// The bytes of the database and its log together; the largest number if a host tells more.
    package var sizeBytes: UInt64 {
        let (sum, isBeyond) = (database?.size ?? 0).addingReportingOverflow(log?.size ?? 0)
        return isBeyond ? .max : sum
    }

    /// Whether no other process can have it half changed: no log that may hold more, no journal.
    package var isAtRest: Bool { log == nil && journal == nil }
}
