// Riff
// SPDX-License-Identifier: Apache-2.0

internal import GRDB
public import RiffCore

extension TranscriptStore {
    /// The most elements that a page has, whatever is asked for.
    static let pageLimit = 1000
    /// The bytes of text after which a page of messages ends.
    private static let pageBytes = 8 * 1024 * 1024

    /// A part of the sessions, the last used one first.
    ///
    /// - Parameters:
    ///   - isArchived: Only those that were put away, or that were not; `nil` for both.
    ///   - cursor: ``TranscriptPage/next`` of the part before; `nil` for the first one.
    ///   - limit: How many, at most 1000.
    /// - Returns: The part, and what to ask with for the one that follows.
    /// - Throws: ``DataError`` with a database code; `CancellationError`.
    public func sessions(
        isArchived: Bool? = false,
        after cursor: TranscriptCursor? = nil,
        limit: Int = 50
    ) async throws -> TranscriptPage<TranscriptSession> {
        try await read { database in
            try TranscriptReader.sessions(database, isArchived: isArchived, after: cursor, limit: limit)
        }
    }

    /// The ids of all sessions, the last used one first.
    func sessionIDs() async throws -> [TranscriptSession.ID] {
        try await read { database in
            let statement = try database.cachedStatement(sql: "SELECT key FROM session ORDER BY updated DESC, id DESC")
            return try String.fetchAll(statement).map { KeptText.whole($0) }
        }
    }

    /// A session; `nil` where there is none.
    ///
    /// - Throws: ``DataError`` with a database code; `CancellationError`.
    public func session(_ id: TranscriptSession.ID) async throws -> TranscriptSession? {
        try await read { database in
            let statement = try database.cachedStatement(
                sql: "SELECT \(TranscriptRows.sessionColumns) FROM session s WHERE s.key = ?"
            )
            return try Row.fetchOne(statement, arguments: [KeptText.kept(id)]).map(TranscriptRows.session)
        }
    }

    /// A part of a session's messages, oldest first; none of a session that the store does not have.
    ///
    /// A page has fewer messages than asked for where they are large: it ends at about 8 MiB of text.
    ///
    /// - Parameters:
    ///   - id: The session.
    ///   - position: Which part.
    ///   - limit: How many, at most 1000.
    /// - Returns: The part, and what to ask with for those before and behind.
    /// - Throws: ``DataError`` with a database code; `CancellationError`.
    public func messages(
        of id: TranscriptSession.ID,
        _ position: TranscriptStore.Position = .newest,
        limit: Int = 50
    ) async throws -> TranscriptMessagePage {
        try await read { database in
            guard let session = try TranscriptRows.sessionNumber(id, database) else {
                return TranscriptMessagePage(messages: [], earlier: nil, later: nil, isBehindEnd: false)
            }
            let (stored, isMore) = try Self.messages(database, session, position, limit: limit)
            return Self.page(stored, isMore: isMore, position)
        }
    }

    /// A message; `nil` where there is none.
    ///
    /// - Throws: ``DataError`` with a database code; `CancellationError`.
    public func message(
        _ id: ChatEntry.ID,
        of session: TranscriptSession.ID
    ) async throws -> ChatEntry? {
        try await read { database in
            let statement = try database.cachedStatement(
                sql: """
                    SELECT \(TranscriptRows.messageColumns) FROM message m JOIN session s ON s.id = m.session
                    WHERE s.key = ? AND m.key = ?
                    """
            )
            let names = [KeptText.kept(session), KeptText.kept(id)]
            guard
                var stored = try Row.fetchOne(statement, arguments: StatementArguments(names)).map(
                    TranscriptRows.message
                )
            else {
                return nil
            }
            try TranscriptRows.addParts(&stored, database)
            return stored.message
        }
    }

    private static func messages(
        _ database: Database,
        _ session: Int64,
        _ position: TranscriptStore.Position,
        limit: Int
    ) throws -> ([StoredMessage], isMore: Bool) {
        let (condition, number, isForward): (String, Int64, Bool) =
            switch position {
            case .oldest: (">=", .min, true)
            case .newest: ("<=", .max, false)
            case .before(let cursor): ("<", cursor.number, false)
            case .after(let cursor): (">", cursor.number, true)
            }
        let statement = try database.cachedStatement(
            sql: """
                SELECT \(TranscriptRows.messageColumns) FROM message m WHERE m.session = ? AND m.id \(condition) ?
                ORDER BY m.id \(isForward ? "ASC" : "DESC")
                """
        )
        let limit = min(max(1, limit), pageLimit)
        var stored: [StoredMessage] = []
        var isMore = false
        var sizeBytes = 0
        let rows = try Row.fetchCursor(statement, arguments: [session, number])
        while let row = try rows.next() {
            if stored.count == limit || sizeBytes > pageBytes {
                isMore = true
                break
            }
            let message = try TranscriptRows.message(row)
            sizeBytes += message.message.text.utf8.count
            stored.append(message)
        }
        for place in stored.indices { try TranscriptRows.addParts(&stored[place], database) }
        return (isForward ? stored : stored.reversed(), isMore)
    }

    private static func page(
        _ stored: [StoredMessage],
        isMore: Bool,
        _ position: TranscriptStore.Position
    ) -> TranscriptMessagePage {
        func cursor(_ message: StoredMessage?) -> TranscriptCursor? {
            message.map { TranscriptCursor(key: 0, number: $0.number) }
        }
        let messages = stored.map(\.message)
        let (first, last) = (cursor(stored.first), cursor(stored.last))
        switch position {
        case .oldest:
            return TranscriptMessagePage(messages: messages, earlier: nil, later: last, isBehindEnd: isMore)
        case .newest:
            return TranscriptMessagePage(
                messages: messages,
                earlier: isMore ? first : nil,
                later: last,
                isBehindEnd: false
            )
        case .before(let place):
            return TranscriptMessagePage(
                messages: messages,
                earlier: isMore ? first : nil,
                later: last ?? place,
                isBehindEnd: true
            )
        case .after(let place):
            return TranscriptMessagePage(
                messages: messages,
                earlier: first ?? place,
                later: last ?? place,
                isBehindEnd: isMore
            )
        }
    }
}

/// Reads what more than one call gives.
enum TranscriptReader {
    static func sessions(
        _ database: Database,
        isArchived: Bool?,
        after cursor: TranscriptCursor?,
        limit: Int
    ) throws -> TranscriptPage<TranscriptSession> {
        let limit = min(max(1, limit), TranscriptStore.pageLimit)
        var conditions: [String] = []
        var arguments = StatementArguments()
        if let isArchived {
            conditions.append("s.archived = ?")
            arguments += [isArchived]
        }
        if let cursor {
            conditions.append("(s.updated, s.id) < (?, ?)")
            arguments += [cursor.key, cursor.number]
        }
        arguments += [limit + 1]
        let filter = conditions.isEmpty ? "" : "WHERE " + conditions.joined(separator: " AND ")
        let statement = try database.cachedStatement(
            sql: """
                SELECT \(TranscriptRows.sessionColumns) FROM session s \(filter)
                ORDER BY s.updated DESC, s.id DESC LIMIT ?
                """
        )
        var sessions: [TranscriptSession] = []
        var last: TranscriptCursor?
        var next: TranscriptCursor?
        let rows = try Row.fetchCursor(statement, arguments: arguments)
        while let row = try rows.next() {
            if sessions.count == limit {
                next = last
                break
            }
            sessions.append(try TranscriptRows.session(row))
            last = TranscriptCursor(key: try row.decode(atIndex: 7), number: try row.decode(atIndex: 0))
        }
        return TranscriptPage(elements: sessions, next: next)
    }
}
