// Riff
// SPDX-License-Identifier: Apache-2.0

/// The error of stored and compressed data: it could not be opened, read, understood or written.
///
/// SQLite's and the file system's own errors never appear by themselves: they are the ``cause`` of one of these.
public typealias DataError = DomainError<DataErrorCode>

/// The codes of ``DataError``.
public struct DataErrorCode: ErrorCode {
    /// `data`.
    public static let domain = "data"
    /// The name itself.
    public let rawValue: String

    /// Creates a code from its name, also from a name that this version does not know.
    public init(rawValue: String) { self.rawValue = rawValue }
}

extension DataErrorCode {
    /// A name, a time or a place in a list that cannot be used.
    public static let invalidValue = DataError.Code(rawValue: "invalidValue")
    /// There is no database at the path.
    public static let databaseMissing = DataError.Code(rawValue: "databaseMissing")
    /// The file is not a database, or a damaged one.
    public static let databaseCorrupt = DataError.Code(rawValue: "databaseCorrupt")
    /// Another process held the database for longer than we wait.
    public static let databaseBusy = DataError.Code(rawValue: "databaseBusy")
    /// The database, or its folder, may not be written.
    public static let databaseReadOnly = DataError.Code(rawValue: "databaseReadOnly")
    /// The file or its folder may not be opened.
    public static let databaseNotPermitted = DataError.Code(rawValue: "databaseNotPermitted")
    /// A newer release wrote the database.
    public static let databaseTooNew = DataError.Code(rawValue: "databaseTooNew")
    /// The database belongs to another program.
    public static let databaseForeign = DataError.Code(rawValue: "databaseForeign")
    /// The disk is full.
    public static let diskFull = DataError.Code(rawValue: "diskFull")
    /// The database failed in another way.
    public static let databaseFailed = DataError.Code(rawValue: "databaseFailed")
    /// The database's own tables would run something, or are no ordinary tables; nothing of it was read.
    public static let databaseUnsafe = DataError.Code(rawValue: "databaseUnsafe")
}
