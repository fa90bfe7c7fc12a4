// Riff
// SPDX-License-Identifier: Apache-2.0

internal import GRDB
public import RiffCore

/// The result of saving messages.
public struct TranscriptChange: Sendable, Hashable {
    /// The number of messages that the store did not have.
    public internal(set) var added = 0
    /// The number of messages that it had with other contents.
    public internal(set) var updated = 0
    /// The number of messages that it had just so, or, if they were imported, otherwise and not as a beginning of the
    /// new ones.
    public internal(set) var unchanged = 0
}

extension DataErrorCode {
    /// There is no such session in the store.
    public static let sessionNotFound = DataError.Code(rawValue: "sessionNotFound")
}

extension TranscriptStore {
    /// Saves a session, and messages of it, in one step: all of it or nothing.
    ///
    /// A session that the store has takes over what is not `nil` or empty, but for ``TranscriptSession/isArchived``; a
    /// message that it has is replaced, and keeps its place, whatever its time is then. Messages stand in the order of
    /// their times, and those of one time in the order in which they were saved; but one that comes late, to where
    /// others are less than a sixteenth of a second apart, stands behind these. Each message is indexed as it is saved:
    /// one that grows word by word is better saved now and then than at each word.
    ///
    /// - Parameters:
    ///   - session: The session.
    ///   - messages: Messages of it, oldest first.
    ///   - keepsDetails: Whether what the store has of the session stays where both have something, such as a title
    ///     that a person gave it.
    /// - Returns: How many messages were new, and how many were not.
    /// - Throws: ``DataError`` with `invalidValue` for names and times that cannot be kept, `databaseBusy`, `diskFull`
    ///   or another database code; `CancellationError`. Nothing was saved then.
    @discardableResult
    public func save(
        _ session: TranscriptSession,
        _ messages: [ChatEntry] = [],
        keepsDetails: Bool = false
    ) async throws -> TranscriptChange {
        try await save(session, messages, keepsDetails: keepsDetails, onlyGrowing: false, now: configuration.now())
    }

    /// The same at some other time, and where asked without replacing a message by what is not more of it.
    func save(
        _ session: TranscriptSession,
        _ messages: [ChatEntry],
        keepsDetails: Bool,
        onlyGrowing: Bool,
        now: Double
    ) async throws -> TranscriptChange {
        try TranscriptWriter.check(session)
        try TranscriptWriter.check(messages)
        return try await write { database, revision in
            let writer = TranscriptWriter(database: database, revision: revision, now: now)
            let (number, didChange) = try writer.save(session, keepsDetails: keepsDetails)
            let change = try writer.save(messages, in: number, onlyGrowing: onlyGrowing)
            return (change, didChange || change.added + change.updated > 0)
        }
    }

    /// Saves messages of a session that the store has, in one step.
    ///
    /// - Throws: As ``save(_:_:keepsDetails:)``, and ``DataError`` with `sessionNotFound`.
    @discardableResult
    public func append(_ messages: [ChatEntry], to id: TranscriptSession.ID) async throws -> TranscriptChange {
        try TranscriptWriter.check(messages)
        let now = configuration.now()
        return try await change(id) { database, revision, number in
            let writer = TranscriptWriter(database: database, revision: revision, now: now)
            let change = try writer.save(messages, in: number)
            return (change, change.added + change.updated > 0)
        }
    }

    /// Gives a session another title, or takes it away.
    ///
    /// - Throws: ``DataError`` with `sessionNotFound` or a database code; `CancellationError`.
    public func rename(_ id: TranscriptSession.ID, to title: String?) async throws {
        try await set("title", of: id, to: KeptText.kept(orNil: title))
    }

    /// Puts a session away, or takes it out again.
    ///
    /// - Throws: ``DataError`` with `sessionNotFound` or a database code; `CancellationError`.
    public func setArchived(_ isArchived: Bool, _ id: TranscriptSession.ID) async throws {
        try await set("archived", of: id, to: isArchived)
    }

    /// Removes sessions with all that belongs to them. One that the store does not have counts as removed.
    ///
    /// - Returns: How many there were.
    /// - Throws: ``DataError`` with a database code; `CancellationError`. Nothing was removed then.
    @discardableResult
    public func delete(_ ids: [TranscriptSession.ID]) async throws -> Int {
        try await write { database, _ in
            var count = 0
            for id in ids {
                guard let number = try TranscriptRows.sessionNumber(id, database) else { continue }
                // Before the session, whose own removal would reach them one by one through its key.
                try database.execute(sql: "DELETE FROM message WHERE session = ?", arguments: [number])
                try database.execute(sql: "DELETE FROM session WHERE id = ?", arguments: [number])
                count += 1
            }
            return (count, count > 0)
        }
    }

    /// Removes messages of a session. Those that the store does not have count as removed.
    ///
    /// - Returns: How many there were.
    /// - Throws: ``DataError`` with `sessionNotFound` or a database code; `CancellationError`.
    @discardableResult
    public func delete(_ messages: [ChatEntry.ID], of id: TranscriptSession.ID) async throws -> Int {
        try await change(id) { database, revision, number in
            var count = 0
            for message in messages {
                try database.cachedStatement(sql: "DELETE FROM message WHERE session = ? AND key = ?")
                    .execute(arguments: [number, KeptText.kept(message)])
                count += database.changesCount
            }
            try database.execute(
                sql: "UPDATE session SET messages = messages - ?, revision = ? WHERE id = ?",
                arguments: [count, revision, number]
            )
            if count > 0 { try TranscriptWriter.refreshPreview(of: number, database) }
            return (count, count > 0)
        }
    }

    private func set(
        _ column: String,
        of id: TranscriptSession.ID,
        to value: (any DatabaseValueConvertible & Sendable)?
    ) async throws {
        try await change(id) { database, revision, number in
            try database.execute(
                sql: "UPDATE session SET \(column) = ?, revision = ? WHERE id = ?",
                arguments: [value, revision, number]
            )
            return ((), true)
        }
    }

    private func change<Value: Sendable>(
        _ id: TranscriptSession.ID,
        _ body: @escaping @Sendable (Database, _ revision: Int64, _ session: Int64) throws -> (Value, Bool)
    ) async throws -> Value {
        try await write { database, revision in
            guard let number = try TranscriptRows.sessionNumber(id, database) else { throw DataError.noSession }
            return try body(database, revision, number)
        }
    }
}

extension DataError {
    static var noSession: DataError {
        DataError(.sessionNotFound, "The session is not in the store (any more); read the list of sessions again.")
    }
}
