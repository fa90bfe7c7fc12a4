// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

/// A seam: a Hermes database that can be asked, here or on its host.
///
/// To the implementer: nothing may ever be written to the database or its write-ahead log, and no log may be carried
/// over into the database (checkpointed), not by closing either. A statement sees one state of the database. It ends by
/// its deadline and when its task is cancelled. What comes back is bounded: `resultTooLarge` beyond the
/// ``HermesDatabase/Limits``. A database that was replaced, or whose log was removed, is opened again by itself.
package protocol HermesRowSource: Sendable {
    /// The name of the database in messages: a path, with its host if it has one.
    var name: String { get }

    /// Runs one statement.
    ///
    /// - Throws: ``DataError`` with a code of this room; what the way to the host throws; `CancellationError`.
    func rows(_ query: SQLQuery) async throws -> [SQLRow]

    /// Returns the fingerprint that shows a change of the database, without opening it.
    func fingerprint() async throws -> HermesFingerprint

    /// Returns the fingerprint for background polling: it waits while the way to the database sleeps, and does not wake
    /// it.
    func glance() async throws -> HermesFingerprint

    /// Lets go of it. Nothing can be asked afterwards.
    func close() async
}

extension HermesRowSource {
    package func glance() async throws -> HermesFingerprint { try await fingerprint() }
}

extension DataErrorCode {
    /// The file is empty: nothing was ever written to it.
    public static let databaseEmpty = DataError.Code(rawValue: "databaseEmpty")
    /// Changes lie in a write-ahead log that cannot be read without the right to write beside it.
    public static let databaseLogUnreadable = DataError.Code(rawValue: "databaseLogUnreadable")
    /// It was replaced or changed faster than it could be read.
    public static let databaseUnsteady = DataError.Code(rawValue: "databaseUnsteady")
    /// A statement did not end by its deadline.
    public static let queryTimeout = DataError.Code(rawValue: "queryTimeout")
    /// An answer is larger than what is kept.
    public static let resultTooLarge = DataError.Code(rawValue: "resultTooLarge")
    /// The database was closed.
    package static let databaseClosed = DataError.Code(rawValue: "databaseClosed")
    /// The program that reads the database on its host ended, or said something that cannot be understood.
    public static let databaseReaderFailed = DataError.Code(rawValue: "databaseReaderFailed")
    /// The host has neither of the programs that can read a database.
    public static let databaseReaderMissing = DataError.Code(rawValue: "databaseReaderMissing")
    /// A copy of a database did not come whole.
    public static let snapshotDamaged = DataError.Code(rawValue: "snapshotDamaged")
    /// The host could not make a copy of a database.
    public static let snapshotFailed = DataError.Code(rawValue: "snapshotFailed")
}
