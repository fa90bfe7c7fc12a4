// Riff
// SPDX-License-Identifier: Apache-2.0

internal import GRDB
internal import RiffCore

/// Rows as values. The tables are `STRICT`, so that a column never holds another type than it says.
enum TranscriptRows {
    static let sessionColumns = """
        s.id, s.key, s.source, s.title, s.model, s.directory, s.created, s.updated, s.archived, s.messages, s.preview, \
        s.extra
        """

    static func session(_ row: Row) throws -> TranscriptSession {
        var session = TranscriptSession(
            id: KeptText.whole(row[1]),
            source: TranscriptSession.Source(rawValue: KeptText.whole(row[2])),
            title: KeptText.whole(orNil: row[3]),
            model: KeptText.whole(orNil: row[4]),
            directory: KeptText.whole(orNil: row[5]),
            createdAt: row[6],
            updatedAt: row[7],
            isArchived: row[8],
            extra: try object(row[11])
        )
        session.messageCount = row[9]
        session.preview = row[10]
        return session
    }

    static let messageColumns = "m.id, m.key, m.role, m.time, m.model, m.text, m.extra, m.parts"

    /// A message with its number, without its parts.
    static func message(_ row: Row) throws -> StoredMessage {
        let message = TranscriptMessage(
            id: KeptText.whole(row[1]),
            role: TranscriptMessage.Role(rawValue: KeptText.whole(row[2])),
            text: KeptText.whole(row[5]),
            time: row[3],
            model: KeptText.whole(orNil: row[4]),
            extra: try object(row[6])
        )
        return StoredMessage(number: row[0], parts: StoredMessage.Parts(rawValue: row[7]), message: message)
    }

    /// Reads what belongs to a message.
    static func addParts(_ stored: inout StoredMessage, _ database: Database) throws {
        if stored.parts.contains(.toolCalls) {
            let statement = try database.cachedStatement(
                sql:
                    "SELECT key, name, kind, status, input, output, extra FROM tool_call WHERE message = ? ORDER BY position"
            )
            let rows = try Row.fetchCursor(statement, arguments: [stored.number])
            while let row = try rows.next() {
                stored.message.toolCalls.append(
                    TranscriptToolCall(
                        id: KeptText.whole(row[0]),
                        name: KeptText.whole(row[1]),
                        kind: KeptText.whole(orNil: row[2]),
                        status: KeptText.whole(orNil: row[3]),
                        input: try json(row[4]),
                        output: try json(row[5]),
                        extra: try object(row[6])
                    )
                )
            }
        }
        guard stored.parts.contains(.attachments) else { return }
        let statement = try database.cachedStatement(
            sql: "SELECT name, media_type, size, location, extra FROM attachment WHERE message = ? ORDER BY position"
        )
        let rows = try Row.fetchCursor(statement, arguments: [stored.number])
        while let row = try rows.next() {
            stored.message.attachments.append(
                TranscriptAttachment(
                    name: KeptText.whole(row[0]),
                    mediaType: KeptText.whole(orNil: row[1]),
                    sizeBytes: row[2],
                    location: KeptText.whole(orNil: row[3]),
                    extra: try object(row[4])
                )
            )
        }
    }

    static func revision(_ database: Database) throws -> Int64 {
        try Int64.fetchOne(database.cachedStatement(sql: "SELECT revision FROM store")) ?? 0
    }

    static func sessionNumber(_ id: String, _ database: Database) throws -> Int64? {
        try Int64.fetchOne(
            database.cachedStatement(sql: "SELECT id FROM session WHERE key = ?"),
            arguments: [KeptText.kept(id)]
        )
    }

    // MARK: JSON

    static func text(_ object: JSONObject) -> String? { object.isEmpty ? nil : text(.object(object)) }

    static func text(_ json: JSONValue?) -> String? { json.map { String(decoding: $0.bytes(), as: UTF8.self) } }

    private static func json(_ text: String?) throws -> JSONValue? { try text.map { try JSONValue(parsing: $0) } }

    private static func object(_ text: String?) throws -> JSONObject {
        guard let text else { return [:] }
        return try JSONValue(parsing: text).object ?? [:]
    }
}

/// A message and what only the database says of it.
struct StoredMessage: Sendable {
    struct Parts: OptionSet {
        let rawValue: Int64
        static let toolCalls = Parts(rawValue: 1)
        static let attachments = Parts(rawValue: 2)
    }

    let number: Int64
    let parts: Parts
    var message: TranscriptMessage
}
