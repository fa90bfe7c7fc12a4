// Riff
// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import GRDB
internal import RiffCore
internal import RiffSQLite
internal import Synchronization

// sample: folder: String
/// Sessions and their messages, in one SQLite file on this machine, that can be listed, searched, exported and
/// imported.
///
/// Any number of processes may have the same file open: they read at the same time, and write one after the other. What
/// a call that writes returned for is there whatever happens to the process. All lists come in pages.
///
/// ```swift
/// let store = try await TranscriptStore.open(at: folder + "/transcripts.db")
/// let session = TranscriptSession(id: "s-1", source: .acp, title: "The build")
/// try await store.save(session, [ChatEntry(id: "1", role: .user, text: "Is the build green?")])
/// let found = try await store.search(TranscriptSearch("build"))
/// ```
public final class TranscriptStore: Sendable {
    /// The configuration with which a store is opened.
    public struct Configuration: Sendable {
        /// The events that a write survives once it has returned.
        public enum Durability: Sendable, Hashable {
            /// The death of the process, by any signal. After a loss of power the last writes may be missing; the file
            /// is whole all the same.
            case processDeath
            /// A loss of power too, as far as the disk keeps its word. Each write waits for the disk.
            case powerLoss
        }

        /// The durability of writes.
        public var durability: Durability
        /// Whether nothing is to be written, the file not made and its version not changed.
        public var isReadOnly: Bool
        /// The time to wait for other processes.
        public var busyTimeout: Duration
        /// The number of reads that run at a time in this process.
        public var readers: Int
        /// The time, in seconds since 1970, of what comes without one.
        public var now: @Sendable () -> Double

        /// Creates a configuration; `now` is the system's clock unless given.
        public init(
            durability: Durability = .processDeath,
            isReadOnly: Bool = false,
            busyTimeout: Duration = .seconds(10),
            readers: Int = 4,
            now: (@Sendable () -> Double)? = nil
        ) {
            (self.durability, self.isReadOnly, self.busyTimeout) = (durability, isReadOnly, busyTimeout)
            (self.readers, self.now) = (max(1, readers), now ?? WallClock.now)
        }
    }

    /// The path of the file. Two more files are beside it while it is open (`-wal`, `-shm`), and belong to it.
    public let path: String
    let configuration: Configuration
    let changed = ChangeSignal()
    private let pool: DatabasePool
    /// The version of the schema that was compared with our own, for the connection that writes.
    private let trusted = Mutex<Int32?>(nil)

    /// Opens a store; makes the file, readable by its owner alone, and its folder where there are none, and brings one
    /// of an older release up to date.
    ///
    /// - Throws: ``DataError`` with `databaseMissing` (read only), `databaseNotPermitted`, `databaseReadOnly`,
    ///   `databaseCorrupt`, `databaseForeign`, `databaseUnsafe`, `databaseTooNew`, `databaseBusy`, `diskFull` or
    ///   `databaseFailed`.
    public static func open(
        at path: String,
        configuration: Configuration = Configuration()
    ) async throws -> TranscriptStore {
        try await onBlockingThread { try TranscriptStore(path: path, configuration: configuration) }
    }

    private init(path: String, configuration: Configuration) throws {
        (self.path, self.configuration) = (path, configuration)
        do {
            try TranscriptFile.prepare(path, isReadOnly: configuration.isReadOnly)
            var settings = GRDB.Configuration()
            settings.label = "riff.transcripts"
            settings.readonly = configuration.isReadOnly
            settings.busyMode = .timeout(configuration.busyTimeout / .seconds(1))
            settings.maximumReaderCount = configuration.readers
            settings.distrustSchema()
            settings.prepareDatabase { database in database.add(function: FTSFolding.contains) }
            // Before anything about the file is changed: it may be another program's.
            var probe = settings
            probe.readonly = true
            let version = try DatabaseQueue(path: path, configuration: probe).read { database in
                try TranscriptObjects.check(database, path: path)
            }
            if configuration.isReadOnly, version < TranscriptSchema.version {
                throw DataError(
                    .databaseReadOnly,
                    "\(path) was written by an older release, and must be brought up to date before it is read: open it "
                        + "for writing once."
                )
            }
            pool = try DatabasePool(path: path, configuration: settings)
            guard !configuration.isReadOnly else { return }
            if configuration.durability == .powerLoss {
                try pool.writeWithoutTransaction { database in
                    // `fullfsync` is macOS's: elsewhere it changes nothing.
                    try database.execute(sql: "PRAGMA synchronous = FULL; PRAGMA fullfsync = 1")
                }
            }
            try pool.write { database in
                // Somebody else may have changed it since.
                try verify(database)
                try database.trustSchema()
                try TranscriptSchema.migrate(database, path: path)
            }
        } catch {
            throw DataError.database(error, "Opening", path)
        }
    }

    /// Closes the file. Calls that come later fail; who never calls it closes the file with the last reference.
    public func close() async throws {
        do { try await onBlockingThread { [pool] in try pool.close() } } catch {
            throw DataError.database(error, "Closing", path)
        }
    }

    // MARK: Access

    func read<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        do { return try await pool.read(body) } catch { throw DataError.database(error, "Reading", path) }
    }

    /// Compares the schema with our own where it may be another one than before.
    private func verify(_ database: Database) throws {
        let version = try database.schemaVersion()
        guard trusted.withLock({ $0 }) != version else { return }
        _ = try TranscriptObjects.check(database, path: path)
        trusted.withLock { $0 = version }
    }

    /// A transaction; `body` says whether it changed something, and `revision` is what to note beside that.
    func write<Value: Sendable>(
        _ body: @escaping @Sendable (_ database: Database, _ revision: Int64) throws -> (Value, didChange: Bool)
    ) async throws -> Value {
        guard !configuration.isReadOnly else {
            throw DataError(.databaseReadOnly, "\(path) was opened for reading; open it for writing first.")
        }
        do {
            let (value, didChange) = try await pool.write { [self] database in
                try verify(database)
                let (revision, isBeyond) = try TranscriptRows.revision(database).addingReportingOverflow(1)
                guard !isBeyond else { throw DataError.numbersUsedUp("changes") }
                let (value, didChange) = try body(database, revision)
                if didChange {
                    try database.cachedStatement(sql: "UPDATE store SET revision = ?").execute(arguments: [revision])
                }
                return (value, didChange)
            }
            if didChange { changed.signal() }
            return value
        } catch {
            throw DataError.database(error, "Writing", path)
        }
    }
}
