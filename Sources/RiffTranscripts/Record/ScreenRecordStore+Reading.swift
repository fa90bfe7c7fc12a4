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

extension ScreenRecordStore {
    /// Finds lines, the newest first.
    ///
    /// - Parameter search: What to find; without a word nothing is found.
    /// - Returns: The lines.
    /// - Throws: ``DataError`` with a database code; `CancellationError`.
    public func search(_ search: RecordSearch) async throws -> [RecordHit] {
        guard let words = search.query.words else { return [] }
        return try await read { database in
            let session = try search.session.map { try RecordWriter.number(database, $0) }
            if case .some(nil) = session { return [] }
            let scope = RecordWriter.scope(session: session.flatMap(\.self), state: search.state)
            let match = (["text : (\(words))"] + scope.map { "scope : \"\($0)\"" }).joined(separator: " AND ")
            let sql = """
                SELECT s.key, l.time, l.state, l.text FROM line_words f CROSS JOIN line l ON l.id = f.rowid
                JOIN session s ON s.id = l.session
                WHERE line_words MATCH ? AND l.time BETWEEN ? AND ? ORDER BY f.rowid DESC LIMIT ?
                """
            let period = search.period ?? -1e15...1e15
            let statement = try database.cachedStatement(sql: sql)
            return try Row.fetchAll(
                statement,
                arguments: [match, period.lowerBound, period.upperBound, search.limit]
            ).map { row in
                RecordHit(
                    session: KeptText.whole(try row.decode(atIndex: 0)),
                    time: try row.decode(atIndex: 1),
                    state: KeptText.whole(try row.decode(atIndex: 2)),
                    text: KeptText.whole(try row.decode(atIndex: 3))
                )
            }
        }
    }

    /// The last screen of a session; `nil` if none was kept.
    ///
    /// - Throws: ``DataError`` with a database code; `CancellationError`.
    public func lastScreen(of session: String) async throws -> LastScreen? {
        try await read { database in
            let data = try Data.fetchOne(
                database,
                sql: "SELECT screen FROM session WHERE key = ?",
                arguments: [KeptText.kept(session)]
            )
            guard let data else { return nil }
            let parts = try JSONValue(parsing: Array(data)).array ?? []
            guard parts.count == 3, let time = parts[0].double, let place = parts[1].text, let ansi = parts[2].text
            else { throw DataError(.databaseCorrupt, "The last screen cannot be read.") }
            return LastScreen(ansi: ansi, time: time, place: place)
        }
    }

    /// The names of the sessions, in the order in which they came.
    ///
    /// - Throws: ``DataError`` with a database code; `CancellationError`.
    public func sessions() async throws -> [String] {
        try await read { database in
            try String.fetchAll(database, sql: "SELECT key FROM session ORDER BY id").map { KeptText.whole($0) }
        }
    }

    /// The record of a session as a cast, from the oldest that is kept, or from the whole screen before a time.
    ///
    /// - Parameters:
    ///   - session: The session's name.
    ///   - period: The time to be covered, in seconds since 1970; `nil` for all.
    /// - Returns: The cast; without events if nothing is kept of it.
    /// - Throws: ``DataError`` with a database code, `databaseCorrupt` among them; `CancellationError`.
    public func cast(of session: String, during period: ClosedRange<Double>? = nil) async throws -> Cast {
        let pieces = try await read { database -> [Data] in
            guard let number = try RecordWriter.number(database, session) else { return [] }
            let from = period?.lowerBound ?? -1e15
            let key = try Int64.fetchOne(
                database,
                sql: "SELECT max(id) FROM piece WHERE session = ? AND is_key AND first <= ?",
                arguments: [number, from]
            )
            return try Data.fetchAll(
                database,
                sql: "SELECT data FROM piece WHERE session = ? AND id >= ? AND first <= ? ORDER BY id",
                arguments: [number, key ?? 0, period?.upperBound ?? 1e15]
            )
        }
        let entries = try await onBlockingThread { try pieces.flatMap { try RecordPiece.entries(Array($0)) } }
        let last = period?.upperBound ?? .infinity
        return Cast(entries.filter { $0.time <= last }, title: session)
    }

    /// The marks of a session, in the order of their times.
    ///
    /// - Parameters:
    ///   - session: The session's name.
    ///   - end: The time up to which they are wanted, in seconds since 1970.
    /// - Returns: The marks.
    /// - Throws: ``DataError`` with a database code; `CancellationError`.
    public func marks(of session: String, until end: Double = .greatestFiniteMagnitude) async throws -> [RecordMark] {
        try await read { database in
            guard let number = try RecordWriter.number(database, session) else { return [] }
            return try Row.fetchAll(
                database,
                sql: "SELECT time, kind, text FROM mark WHERE session = ? AND time <= ? ORDER BY time, id",
                arguments: [number, end]
            ).map { row in
                RecordMark(
                    time: try row.decode(atIndex: 0),
                    kind: RecordMark.Kind(rawValue: KeptText.whole(try row.decode(atIndex: 1))),
                    text: KeptText.whole(try row.decode(atIndex: 2))
                )
            }
        }
    }

    /// A digest of what happened in a session while nobody looked.
    ///
    /// - Parameters:
    ///   - session: The session's name.
    ///   - period: The absence, in seconds since 1970.
    /// - Returns: The digest.
    /// - Throws: ``DataError`` with a database code; `CancellationError`.
    public func digest(of session: String, during period: ClosedRange<Double>) async throws -> AbsenceDigest {
        let marks = try await marks(of: session, until: period.upperBound)
        let count = try await read { database -> Int in
            guard let number = try RecordWriter.number(database, session) else { return 0 }
            return try Int.fetchOne(
                database,
                sql: "SELECT count(*) FROM line WHERE session = ? AND time BETWEEN ? AND ?",
                arguments: [number, period.lowerBound, period.upperBound]
            ) ?? 0
        }
        return AbsenceDigest(marks, during: period, lineCount: count)
    }
}
