// Riff
// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
internal import GRDB
internal import RiffCore
public import RiffScreen
internal import RiffSQLite

// sample: path: String, entries: [RecordEntry]
/// Records of sessions on this device, in one SQLite file: to be replayed, searched, summed up and erased.
///
/// ```swift
/// let store = try await ScreenRecordStore.open(at: path)
/// try await store.append(entries, to: "build", consent: RecordConsent(agreedAt: 1_800_000_000))
/// let found = try await store.search(RecordSearch(FTSQuery("error"), session: "build"))
/// ```
///
/// It is bounded: the oldest parts go first. Everything in it has passed a ``RiffScreen/ScreenRedactor``.
public final class ScreenRecordStore: Sendable {
    /// The file. Two more lie beside it while it is open (`-wal`, `-shm`), and belong to it.
    public let path: String

    let limitBytes: Int
    private let pool: DatabasePool

    /// Opens a store; makes the file, readable by its owner alone, and its folder, if there are none.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - limitBytes: The most that is kept, the index included; at least 1 MiB.
    /// - Returns: The store.
    /// - Throws: ``DataError`` with `databaseNotPermitted`, `databaseReadOnly`, `databaseCorrupt`, `databaseForeign`,
    ///   `databaseUnsafe`, `databaseTooNew`, `databaseBusy`, `diskFull` or `databaseFailed`.
    public static func open(at path: String, limitBytes: Int = 64 << 20) async throws -> ScreenRecordStore {
        try await onBlockingThread { try ScreenRecordStore(path: path, limitBytes: limitBytes) }
    }

    private init(path: String, limitBytes: Int) throws {
        self.path = path
        self.limitBytes = max(limitBytes, 1 << 20)
        do {
            try TranscriptFile.prepare(path, isReadOnly: false)
            var settings = GRDB.Configuration()
            settings.label = "riff.records"
            settings.busyMode = .timeout(10)
            settings.maximumReaderCount = 2
            settings.distrustSchema()
            // What is erased is overwritten.
            settings.prepareDatabase { try $0.execute(sql: "PRAGMA secure_delete = ON") }
            pool = try DatabasePool(path: path, configuration: settings)
            try pool.write { database in
                try RecordSchema.prepare(database, path: path)
                try database.trustSchema()
            }
        } catch { throw DataError.database(error, "Opening", path) }
    }

    /// Closes the file. Calls that come later fail.
    public func close() async throws {
        do { try await onBlockingThread { [pool] in try pool.close() } } catch {
            throw DataError.database(error, "Closing", path)
        }
    }

    func read<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        do { return try await pool.read(body) } catch { throw DataError.database(error, "Reading", path) }
    }

    func write<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        do { return try await pool.write(body) } catch { throw DataError.database(error, "Writing", path) }
    }

    // MARK: Writing

    /// Adds to a session's record: all of it or nothing.
    ///
    /// - Parameters:
    ///   - entries: What a ``RiffScreen/ScreenRecorder`` made, in the order of time.
    ///   - session: The session's name on its host.
    ///   - consent: The user's agreement.
    /// - Throws: ``DataError`` with `invalidValue`, `databaseBusy`, `diskFull` or another database code: nothing was
    ///   kept then. `CancellationError`.
    public func append(_ entries: [RecordEntry], to session: String, consent: RecordConsent) async throws {
        guard !entries.isEmpty else { return }
        try Self.check(session)
        guard entries.allSatisfy({ $0.time.isFinite && abs($0.time) < 1e14 }) else {
            throw DataError(.invalidValue, "A time must be a number of seconds since 1970.")
        }
        let limit = limitBytes
        try await write { database in
            let writer = try RecordWriter(database, session: session, consent: consent.agreedAt)
            try writer.append(entries)
            try RecordWriter.trim(database, to: limit)
        }
    }

    /// Keeps the screen that a recorder recorded last, in the place of the one before, to be shown by
    /// ``lastScreen(of:)``. It needs no more consent than the app's own memory does: it is one screen.
    ///
    /// - Parameters:
    ///   - recorder: The recorder; without a screen nothing changes.
    ///   - session: The session's name.
    ///   - time: The time, in seconds since 1970.
    ///   - place: The place in the output, as the front end notes it.
    /// - Throws: As ``append(_:to:consent:)``.
    public func saveScreen(
        of recorder: ScreenRecorder,
        session: String,
        at time: Double,
        place: String = ""
    ) async throws {
        guard let picture = recorder.picture else { return }
        try Self.check(session)
        let value = JSONValue.array([.number(time), .string(place), .string(picture.ansi)])
        try await write { database in
            let number = try RecordWriter(database, session: session, consent: 0).session
            try database.execute(
                sql: "UPDATE session SET screen = ? WHERE id = ?",
                arguments: [Data(value.bytes()), number]
            )
        }
    }

    private static func check(_ session: String) throws(DataError) {
        guard TranscriptName.isValid(session) else {
            throw DataError(.invalidValue, "The name of a session must be of 1 to 512 bytes.")
        }
    }

    /// Erases a session's record and its last screen, or everything; what was there is overwritten.
    ///
    /// - Parameter session: The session's name; `nil` for all.
    /// - Throws: As ``append(_:to:consent:)``.
    public func erase(_ session: String? = nil) async throws {
        try await write { database in
            try RecordWriter.erase(database, session: session)
        }
        do {
            try await onBlockingThread { [pool] in
                try pool.writeWithoutTransaction { database in
                    try database.execute(sql: "INSERT INTO line_words (line_words) VALUES ('rebuild')")
                    try database.execute(sql: "VACUUM")
                }
                try pool.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
            }
        } catch { throw DataError.database(error, "Erasing", path) }
    }
}
