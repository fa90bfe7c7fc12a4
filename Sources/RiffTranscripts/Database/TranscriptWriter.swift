// Riff
// SPDX-License-Identifier: Apache-2.0

internal import GRDB
internal import RiffCore

/// Writes sessions and messages in a transaction.
struct TranscriptWriter {
    let database: Database
    let revision: Int64
    let now: Double

    // MARK: What can be kept

    static func check(_ session: TranscriptSession) throws(DataError) {
        try check(session.id)
        for time in [session.createdAt, session.updatedAt] { try check(time) }
    }

    static func check(_ messages: [ChatEntry]) throws(DataError) {
        for message in messages {
            try check(message.id)
            try check(message.time)
        }
    }

    private static func check(_ name: String) throws(DataError) {
        guard TranscriptName.isValid(name) else {
            throw DataError(.invalidValue, "The name of a session or a message must be of 1 to 512 bytes.")
        }
    }

    private static func check(_ time: Double?) throws(DataError) {
        // Beyond it a sixteenth of a second is not told apart any more.
        guard let time, !(time.isFinite && abs(time) < 1e14) else { return }
        throw DataError(.invalidValue, "A time must be a number of seconds since 1970, and not \(time).")
    }

    // MARK: Sessions

    /// Saves what a session's row holds; says its number, and whether anything is new.
    func save(_ session: TranscriptSession, keepsDetails: Bool) throws -> (number: Int64, didChange: Bool) {
        func change(_ column: String) -> String {
            let (first, second) = keepsDetails ? (column, "excluded.\(column)") : ("excluded.\(column)", column)
            return "\(column) = coalesce(\(first), \(second))"
        }
        let before = database.totalChangesCount
        let columns = ["title", "model", "directory", "extra"]
        // Whether there is a change is asked here, so that nothing is written, and nobody told, where there is none.
        let isNew = columns.map { column in
            let new = "excluded.\(column) IS NOT NULL AND excluded.\(column) IS NOT session.\(column)"
            return keepsDetails ? "(\(new) AND session.\(column) IS NULL)" : "(\(new))"
        }
        let statement = try database.cachedStatement(
            sql: """
                INSERT INTO session (key, source, title, model, directory, created, updated, archived, extra, revision)
                VALUES (:key, :source, :title, :model, :directory, coalesce(:created, :now),
                    coalesce(:updated, :created, :now), :archived, :extra, :revision)
                ON CONFLICT (key) DO UPDATE SET \(columns.map(change).joined(separator: ", ")), source = excluded.source,
                    created = coalesce(:created, created), updated = max(updated, coalesce(:updated, updated)),
                    revision = :revision
                WHERE \(isNew.joined(separator: " OR ")) OR source <> excluded.source
                    OR coalesce(:created, created) <> created OR coalesce(:updated, updated) > updated
                """
        )
        try statement.execute(arguments: [
            "key": KeptText.kept(session.id), "source": KeptText.kept(session.source.rawValue),
            "title": KeptText.kept(orNil: session.title), "model": KeptText.kept(orNil: session.model),
            "directory": KeptText.kept(orNil: session.directory), "created": session.createdAt,
            "updated": session.updatedAt, "now": now,
            "archived": session.isArchived, "extra": TranscriptRows.text(session.extra), "revision": revision,
        ])
        guard let number = try TranscriptRows.sessionNumber(session.id, database) else { throw DataError.noSession }
        return (number, database.totalChangesCount > before)
    }

    // MARK: Messages

    /// Saves messages; where asked, those that the store has are replaced only by what they grew to.
    func save(
        _ messages: [ChatEntry],
        in session: Int64,
        onlyGrowing: Bool = false
    ) throws -> TranscriptChange {
        var change = TranscriptChange()
        var numbering = try MessageNumbering(session: session, database: database)
        var newest = -Double.infinity
        var preview: String?
        var isPreviewOld = false
        for message in messages {
            if let stored = try find(message.id, in: session) {
                var message = message
                message.time = message.time ?? stored.message.time
                if message.isIdentical(to: stored.message) || onlyGrowing && !message.isGrown(from: stored.message) {
                    change.unchanged += 1
                    continue
                }
                try update(stored, to: message)
                change.updated += 1
                isPreviewOld = isPreviewOld || [message.role, stored.message.role].contains(.user)
                newest = max(newest, message.time ?? now)
            } else {
                var message = message
                let time = message.time ?? now
                message.time = time
                try insert(message, in: session, as: try numbering.number(at: time))
                change.added += 1
                newest = max(newest, time)
            }
            if preview == nil, message.role == .user, !message.text.isEmpty { preview = Self.preview(message.text) }
        }
        guard change.added + change.updated > 0 else { return change }
        let statement = try database.cachedStatement(
            sql: """
                UPDATE session SET messages = messages + ?, updated = max(updated, ?), revision = ?,
                    preview = CASE preview WHEN '' THEN ? ELSE preview END WHERE id = ?
                """
        )
        try statement.execute(arguments: [change.added, newest, revision, preview ?? "", session])
        if isPreviewOld { try Self.refreshPreview(of: session, database) }
        return change
    }

    /// Makes the preview again from the session's present messages.
    static func refreshPreview(of session: Int64, _ database: Database) throws {
        let statement = try database.cachedStatement(
            sql: "SELECT text FROM message WHERE session = ? AND role = ? AND text <> '' ORDER BY id LIMIT 1"
        )
        let role = KeptText.kept(ChatEntry.Role.user.rawValue)
        let text = try String.fetchOne(statement, arguments: [session, role]).map { KeptText.whole($0) }
        try database.cachedStatement(sql: "UPDATE session SET preview = ? WHERE id = ?").execute(
            arguments: [text.map { preview($0) } ?? "", session]
        )
    }

    private static func preview(_ text: String) -> String {
        // Cut first: a message may be long.
        NotificationText.truncated(InertText.line(String(text.prefix(400))), limit: 200)
    }

    private func find(_ key: String, in session: Int64) throws -> StoredMessage? {
        let statement = try database.cachedStatement(
            sql: "SELECT \(TranscriptRows.messageColumns) FROM message m WHERE m.session = ? AND m.key = ?"
        )
        guard
            var stored = try Row.fetchOne(statement, arguments: [session, KeptText.kept(key)]).map(
                TranscriptRows.message
            )
        else {
            return nil
        }
        try TranscriptRows.addParts(&stored, database)
        return stored
    }

    private func insert(_ message: ChatEntry, in session: Int64, as number: Int64) throws {
        let statement = try database.cachedStatement(
            sql: """
                INSERT INTO message (id, session, time, parts, role, key, model, text, tools, extra)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """
        )
        try statement.execute(arguments: [
            number, session, message.time, message.parts.rawValue, KeptText.kept(message.role.rawValue),
            KeptText.kept(message.id), KeptText.kept(orNil: message.model), KeptText.kept(message.text),
            message.searchedTools, TranscriptRows.text(message.keptExtra),
        ])
        try insertParts(of: message, as: number)
    }

    private func update(_ stored: StoredMessage, to message: ChatEntry) throws {
        let statement = try database.cachedStatement(
            sql: """
                UPDATE message SET time = ?, parts = ?, role = ?, model = ?, text = ?, tools = ?, extra = ? WHERE id = ?
                """
        )
        try statement.execute(arguments: [
            message.time, message.parts.rawValue, KeptText.kept(message.role.rawValue),
            KeptText.kept(orNil: message.model),
            KeptText.kept(message.text), message.searchedTools, TranscriptRows.text(message.keptExtra), stored.number,
        ])
        for table in ["tool_call", "attachment"] {
            try database.cachedStatement(sql: "DELETE FROM \(table) WHERE message = ?").execute(arguments: [
                stored.number
            ])
        }
        try insertParts(of: message, as: stored.number)
    }

    private func insertParts(of message: ChatEntry, as number: Int64) throws {
        for (position, call) in message.toolCalls.enumerated() {
            try database.cachedStatement(sql: "INSERT INTO tool_call VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)").execute(
                arguments: [
                    number, position, KeptText.kept(call.id), KeptText.kept(call.name), KeptText.kept(orNil: call.kind),
                    KeptText.kept(orNil: call.status), TranscriptRows.text(call.input),
                    TranscriptRows.text(call.output), TranscriptRows.text(call.extra),
                ]
            )
        }
        for (position, file) in message.attachments.enumerated() {
            try database.cachedStatement(sql: "INSERT INTO attachment VALUES (?, ?, ?, ?, ?, ?, ?)").execute(
                arguments: [
                    number, position, KeptText.kept(file.name), KeptText.kept(orNil: file.mediaType), file.sizeBytes,
                    KeptText.kept(orNil: file.location),
                    TranscriptRows.text(file.extra),
                ]
            )
        }
    }
}

extension ChatEntry {
    /// Whether two are the same to the byte: texts are equal to Swift also where their letters are written otherwise.
    fileprivate func isIdentical(to other: ChatEntry) -> Bool {
        guard self == other, text.utf8.elementsEqual(other.text.utf8) else { return false }
        return details == other.details
    }

    /// Everything but the text, as bytes.
    private var details: [UInt8] {
        let values: [JSONValue] = [
            .string(role.rawValue), model.map { .string($0) } ?? .null, .array(toolCalls.map(\.json)),
            .array(attachments.map(\.json)), .object(keptExtra),
        ]
        return JSONValue.array(values).bytes()
    }

    fileprivate var parts: StoredMessage.Parts {
        var parts: StoredMessage.Parts = []
        if !toolCalls.isEmpty { parts.insert(.toolCalls) }
        if !attachments.isEmpty { parts.insert(.attachments) }
        return parts
    }

    /// The words that are searched in a message beside its text.
    fileprivate var searchedTools: String {
        KeptText.kept((toolCalls.map(\.searchedText) + attachments.map(\.name)).joined(separator: "\n"))
    }
}
