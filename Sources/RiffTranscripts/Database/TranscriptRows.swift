// Riff
// SPDX-License-Identifier: Apache-2.0

internal import GRDB
internal import RiffCore

/// Rows as values. The tables are `STRICT`, so that a column never holds another type than it says; in a file that
/// someone tampered with it may, which is an error and not the end of the process.
enum TranscriptRows {
    static let sessionColumns = """
        s.id, s.key, s.source, s.title, s.model, s.directory, s.created, s.updated, s.archived, s.messages, s.preview, \
        s.extra
        """

    static func session(_ row: Row) throws -> TranscriptSession {
        var session = TranscriptSession(
            id: KeptText.whole(try row.decode(atIndex: 1)),
            source: ChatSource(rawValue: KeptText.whole(try row.decode(atIndex: 2))),
            title: KeptText.whole(orNil: row[3]),
            model: KeptText.whole(orNil: row[4]),
            directory: KeptText.whole(orNil: row[5]),
            createdAt: try row.decode(Double.self, atIndex: 6),
            updatedAt: try row.decode(Double.self, atIndex: 7),
            isArchived: try row.decode(atIndex: 8),
            extra: try object(row[11])
        )
        session.messageCount = try row.decode(atIndex: 9)
        session.preview = try row.decode(atIndex: 10)
        return session
    }

    static let messageColumns = "m.id, m.key, m.role, m.time, m.model, m.text, m.extra, m.parts"

    /// A message with its number, without its parts.
    static func message(_ row: Row) throws -> StoredMessage {
        var message = ChatEntry(
            id: KeptText.whole(try row.decode(atIndex: 1)),
            role: ChatEntry.Role(rawValue: KeptText.whole(try row.decode(atIndex: 2))),
            text: KeptText.whole(try row.decode(atIndex: 5)),
            time: try row.decode(Double.self, atIndex: 3),
            model: KeptText.whole(orNil: row[4]),
            extra: try object(row[6])
        )
        message.takeStateFromExtra()
        let parts = StoredMessage.Parts(rawValue: try row.decode(atIndex: 7))
        return StoredMessage(number: try row.decode(atIndex: 0), parts: parts, message: message)
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
                    ChatEntry.ToolCall(
                        id: KeptText.whole(try row.decode(atIndex: 0)),
                        name: KeptText.whole(try row.decode(atIndex: 1)),
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
                ChatEntry.Attachment(
                    name: KeptText.whole(try row.decode(atIndex: 0)),
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
    var message: ChatEntry
}
