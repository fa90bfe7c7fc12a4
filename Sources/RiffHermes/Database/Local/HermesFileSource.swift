// Riff
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import GRDB
internal import RiffCore
internal import RiffSQLite
internal import Synchronization

/// A Hermes database of this machine, on a connection of its own that only reads.
///
/// Nothing is ever left behind. Where a log is there, the connection is read-only (`mode=ro`): SQLite then can neither
/// carry the log over nor remove it, and of the index beside it only what all readers share is touched. Where no log is
/// there and no transaction under way, a read-only connection would make an empty log, and needs the right to; so the
/// file is read as one that does not change (`immutable=1`), and every answer is thrown away and asked for again when
/// it turns out that it did. A database that is changed again and again is met with locks, unless it is in WAL mode:
/// between two writers it would get a log that is nobody's.
package actor HermesFileSource: HermesRowSource {
    package nonisolated let name: String
    private let path: String
    private let limits: HermesDatabase.Limits
    private let clock: any Clock<Duration>
    private let turns = WriteTurns()
    private var opened: Opened?
    private var isClosed = false
    /// The number of openings that are under way, those that are not waited for any more included. SQLite reads a
    /// planner's statistics as it opens a file, and works out what computed columns they have; nothing interrupts it
    /// there.
    private nonisolated let openings = Mutex(0)

    private struct Opened {
        let queue: DatabaseQueue
        let isImmutable: Bool
        let fingerprint: HermesFingerprint

        /// Whether the connection still reads the files that are there.
        func isValid(_ now: HermesFingerprint) -> Bool {
            if isImmutable { return now.isAtRest && now.database == fingerprint.database }
            return now.database?.inode == fingerprint.database?.inode && now.log?.inode == fingerprint.log?.inode
        }
    }

    /// A database that is opened when it is first asked.
    package init(path: String, limits: HermesDatabase.Limits, clock: any Clock<Duration>) {
        self.path = path
        self.limits = limits
        self.clock = clock
        name = path
    }

    package func fingerprint() async throws -> HermesFingerprint {
        guard !isClosed else { throw DataError.closed(name) }
        return try HermesFingerprint(ofFileAt: path)
    }

    package func rows(_ query: SQLQuery) async throws -> [SQLRow] {
        // The time that others take is not this one's.
        try await turns.take {
            do {
                return try await withDeadline(self.limits.query, clock: self.clock) { try await self.steadyRows(query) }
            } catch is DeadlineExceeded {
                throw DataError.timeout(self.name, self.limits.query)
            }
        }
    }

    package func close() async {
        isClosed = true
        release()
    }

    private func release() {
        guard let queue = opened?.queue else { return }
        opened = nil
        // A statement under way is asked again, on another connection.
        queue.interrupt()
        // One that is still used is closed with its last user, so nothing is lost where it is refused here.
        try? queue.close()
    }

    /// Asks until the files were the same before and after.
    private func steadyRows(_ query: SQLQuery) async throws -> [SQLRow] {
        for attempt in 0..<8 {
            try Task.checkCancellation()
            // Somebody who changes it again and again is met with locks, which wait for their turn.
            guard let connection = try await connection(isPatient: attempt >= 4) else { continue }
            do {
                let rows = try await connection.queue.read { [limits, name] database in
                    try Self.fetch(query, from: database, name, limits)
                }
                if connection.isValid(try HermesFingerprint(ofFileAt: path)) { return rows }
            } catch let error as DatabaseError {
                if error.resultCode == .SQLITE_INTERRUPT { continue }
                if connection.isValid(try HermesFingerprint(ofFileAt: path)), error.resultCode != .SQLITE_MISUSE {
                    throw DataError.sqlite(error, name, limits)
                }
            }
        }
        throw DataError(
            .databaseUnsteady,
            "\(name) was replaced again and again while it was read. Try again in a while.",
            recovery: .retry
        )
    }

    /// The connection; `nil` where the log went away before it was made.
    private func connection(isPatient: Bool) async throws -> Opened? {
        guard !isClosed else { throw DataError.closed(name) }
        let now = try HermesFingerprint(ofFileAt: path)
        let isPatient = isPatient && now.isAtRest && !HermesFingerprint.hasLogMode(path)
        if let opened, opened.isValid(now), !(isPatient && opened.isImmutable) { return opened }
        release()
        guard let database = now.database else {
            throw DataError(.databaseMissing, "There is no file at \(name).")
        }
        guard database.size > 0 else {
            throw DataError(.databaseEmpty, "\(name) is empty: no session was ever written to it.")
        }
        let isImmutable = now.isAtRest && !isPatient
        // Calls come one after another, so that another one is one that was given up: no second thread is lost to it.
        let isFirst = openings.withLock { count in
            guard count == 0 else { return false }
            count += 1
            return true
        }
        guard isFirst else { throw DataError.timeout(name, limits.query) }
        let made: DatabaseQueue?
        do {
            made = try await withDeadline(
                nil,
                clock: clock,
                abandoning: { [self, path, limits] in
                    try await onBlockingThread {
                        defer { self.openings.withLock { $0 -= 1 } }
                        // At the last moment: SQLite would make a log in the place of one that is gone.
                        if now.log != nil, try HermesFingerprint(ofFileAt: path).log?.inode != now.log?.inode {
                            return nil
                        }
                        return try Self.open(path, isImmutable: isImmutable, limits)
                    }
                }
            )
        } catch let error as DatabaseError {
            throw DataError.sqlite(error, name, limits, hasLog: now.log.map { $0.size > 0 } ?? false)
        }
        guard let queue = made else { return nil }
        guard !isClosed else {
            try? queue.close()  // Nobody uses it.
            throw DataError.closed(name)
        }
        let opened = Opened(queue: queue, isImmutable: isImmutable, fingerprint: now)
        self.opened = opened
        return opened
    }

    private static func open(_ path: String, isImmutable: Bool, _ limits: HermesDatabase.Limits) throws -> DatabaseQueue
    {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.foreignKeysEnabled = false
        configuration.label = "riff.hermes"
        configuration.busyMode = .timeout(limits.busySeconds)
        configuration.distrustSchema()
        configuration.prepareDatabase { database in
            try database.execute(sql: "PRAGMA cache_size = -8000")
            try database.execute(sql: "PRAGMA mmap_size = 0")
        }
        // "?", "#" and "%" mean something in a URI (https://www.sqlite.org/uri.html).
        let escaped = path.replacing("%", with: "%25").replacing("?", with: "%3f").replacing("#", with: "%23")
        return try DatabaseQueue(
            path: "file:\(escaped)?\(isImmutable ? "immutable=1" : "mode=ro")",
            configuration: configuration
        )
    }

    private static func fetch(
        _ query: SQLQuery,
        from database: Database,
        _ name: String,
        _ limits: HermesDatabase.Limits
    ) throws -> [SQLRow] {
        let statement = try database.cachedStatement(sql: query.sql)
        precondition(statement.isReadonly, "only statements that read are made here")
        var rows: [SQLRow] = []
        var bytes = 0
        let cursor = try Row.fetchCursor(statement, arguments: StatementArguments(query.values.map(\.databaseValue)))
        while let row = try cursor.next() {
            rows.append(try SQLRow(row, bytes: &bytes))
            guard rows.count <= limits.rows, bytes <= limits.bytes else { throw DataError.tooLarge(name) }
        }
        return rows
    }
}

extension SQLValue {
    fileprivate var databaseValue: DatabaseValue {
        switch self {
        case .null: .null
        case .integer(let value): value.databaseValue
        case .real(let value): value.databaseValue
        case .text(let text): text.databaseValue
        case .blob(let bytes): Data(bytes).databaseValue
        }
    }
}

extension SQLRow {
    fileprivate init(_ row: Row, bytes: inout Int) throws {
        self = []
        reserveCapacity(row.count)
        for index in 0..<row.count {
            let value: DatabaseValue = row[index]
            switch value.storage {
            case .null: append(.null)
            case .int64(let number): append(.integer(number))
            case .double(let number): append(.real(number))
            case .string:
                // GRDB's own String ends at the first NUL; the bytes do not.
                let text = try row.withUnsafeData(atIndex: index) { String(decoding: $0 ?? Data(), as: UTF8.self) }
                bytes += text.utf8.count
                append(.text(text))
            case .blob(let data):
                bytes += data.count
                append(.blob([UInt8](data)))
            }
        }
        bytes += 16 * row.count
    }
}
