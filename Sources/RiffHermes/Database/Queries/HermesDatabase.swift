// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore
public import RiffTransport

// sample:
/// A Hermes database (`state.db`), read where it lies: on this machine or on a host, and never written.
///
/// ```swift
/// let database = try await HermesDatabase.open("/home/me/.hermes/state.db")
/// let page = try await database.sessions()
/// ```
///
/// Every vintage from v0.7 to schema 22 is read: what a column would tell that is not there is `nil`. Every list comes
/// in pages, and nothing is read that was not asked for, so that databases of many gigabytes cost what is shown of
/// them. A database is data, whoever wrote it: only ordinary tables are read, nothing that its definitions call is run,
/// and one that has a view or a module in the place of a table is refused (`databaseUnsafe`). A value; copies share one
/// connection. Methods throw ``DataError`` with a code of this room (`databaseBusy`, `databaseCorrupt`,
/// `databaseNotPermitted`, `queryTimeout`, ...), on a host also what the way to it throws, and `CancellationError`, in
/// which case the statement was ended.
public struct HermesDatabase: Sendable {
    let source: any HermesRowSource
    private let known: KnownSchema
    /// Its columns, as they were when they were last looked at: when it was opened, when ``fingerprint()`` had changed,
    /// or when a statement was refused.
    package var schema: HermesSchema { known.current }

    /// The name of the database in messages: its path, with its host if it has one.
    package var name: String { source.name }

    /// Opens a database of this machine.
    ///
    /// - Parameter path: Its absolute path.
    /// - Returns: The database.
    /// - Throws: ``DataError`` with `databaseMissing`, `databaseEmpty`, `databaseCorrupt`, `databaseNotPermitted`,
    ///   `databaseLogUnreadable`, `databaseBusy`, `databaseForeign` or `databaseUnsafe`.
    public static func open(_ path: String) async throws -> HermesDatabase {
        try await open(path, limits: Limits())
    }

    /// Opens a database of this machine within limits, which the clock measures.
    package static func open(
        _ path: String,
        limits: Limits,
        clock: any Clock<Duration> = ContinuousClock()
    ) async throws -> HermesDatabase {
        try await HermesDatabase(HermesFileSource(path: path, limits: limits, clock: clock))
    }

    /// Opens a database of a host, which is read there: nothing of it is copied but what is asked for.
    ///
    /// By the host's `sqlite3` program or its Python, in one command that goes on until ``close()``. A statement that
    /// is given up ends the command, and the next one starts it again; so does one behind a lost connection.
    ///
    /// - Parameters:
    ///   - path: Its path on the host, absolute or from the home directory on, such as `.hermes/state.db`.
    ///   - host: The way into the host.
    ///   - hostName: What to call the host in messages.
    ///   - access: Which program may read it.
    /// - Returns: The database.
    /// - Throws: As ``open(_:)``; `databaseReaderMissing` where the host has no such program, and then
    ///   ``HermesSnapshot`` is left; what the host's session throws.
    public static func open(
        _ path: String,
        on host: any HostSession,
        hostName: String,
        access: Access = .any
    ) async throws -> HermesDatabase {
        try await open(path, on: host, hostName: hostName, access: access, limits: Limits())
    }

    /// Opens a database of a host within limits, which the clock measures.
    package static func open(
        _ path: String,
        on host: any HostSession,
        hostName: String,
        access: Access = .any,
        limits: Limits,
        clock: any Clock<Duration> = ContinuousClock()
    ) async throws -> HermesDatabase {
        try await HermesDatabase(
            HermesHostSource(path: path, on: host, hostName: hostName, access: access, limits: limits, clock: clock)
        )
    }

    /// A database behind any way to ask it.
    package init(_ source: any HermesRowSource) async throws {
        do {
            known = KnownSchema(try await HermesSchema(of: source))
            self.source = source
        } catch {
            await source.close()
            throw error
        }
    }

    /// Takes the fingerprint, which changes when the database does. Cheap: take it before asking for more.
    public func fingerprint() async throws -> HermesFingerprint {
        let fingerprint = try await source.fingerprint()
        known.see(fingerprint)
        return fingerprint
    }

    /// As ``fingerprint()``, but never wakes the way to the database: where that sleeps, it is waited for.
    package func glance() async throws -> HermesFingerprint {
        let fingerprint = try await source.glance()
        known.see(fingerprint)
        return fingerprint
    }

    /// Lets go of the file or of the command on the host.
    public func close() async { await source.close() }

    /// Asks by the columns that are there: a later version of Hermes may have added some since, and another file may
    /// lie in the place of the one that was opened.
    func asking<Value: Sendable>(_ body: (HermesQueries) async throws -> Value) async throws -> Value {
        let schema = try await known.fresh(source)
        do { return try await body(HermesQueries(source: source, schema: schema)) } catch let error as DataError
            where error.code == .databaseFailed
        {
            let now = try await known.read(source)
            guard now != schema else { throw error }
            return try await body(HermesQueries(source: source, schema: now))
        }
    }
}

/// A database by the columns that it had a moment ago.
struct HermesQueries: Sendable {
    let source: any HermesRowSource
    let schema: HermesSchema
}
