// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// Which columns and tables a Hermes database has: what tells its vintage, since columns come with versions and the
/// version's number came late.
package struct HermesSchema: Sendable, Hashable {
    /// The row of `schema_version`; `nil` where there is none.
    package let version: Int64?
    /// Columns by table, for the tables that are read.
    package let columns: [String: Set<String>]
    /// The tables of full-text search that are there and can be used.
    let searchIndexes: [String: HermesSearchIndex]
    /// The number of times that its tables were changed.
    let changeCount: Int64?

    static let tables = ["sessions", "messages", "session_model_usage", "schema_version"]
    static let wordTable = "messages_fts"
    static let trigramTable = "messages_fts_trigram"

    package func has(_ table: String, _ column: String) -> Bool { columns[table]?.contains(column) ?? false }

    /// Returns a column of sessions (`s`) or messages (`m`), or its substitute if the vintage has none.
    package func session(_ column: String, else fallback: String = "NULL") -> String {
        has("sessions", column) ? "s.\(column)" : fallback
    }

    package func message(_ column: String, else fallback: String = "NULL") -> String {
        has("messages", column) ? "m.\(column)" : fallback
    }

    /// The condition of messages (`m`) that were not taken back; `nil` where none can be.
    ///
    /// Those for which a summary stands are inactive, too, since Hermes gives them to the model no more.
    var notRewound: String? {
        guard hasRewind else { return nil }
        // `active` may be NULL in rows that an older version wrote.
        return hasCompaction ? "(m.active IS NOT 0 OR m.compacted IS 1)" : "m.active IS NOT 0"
    }

    /// The condition of messages (`m`) that no summary replaced; `nil` if none can be.
    var notCompacted: String? { hasCompaction ? "m.compacted IS NOT 1" : nil }

    /// The condition of messages (`m`) that were not written once more when their session was compacted; `nil` where
    /// none can be.
    ///
    /// Hermes then puts the whole conversation aside and writes what stays in it anew, word by word, with another
    /// number. Such a copy has the old one's time, where that was known: any later message of the same time and words.
    /// Where it was not, all copies have the time of the compaction, a microsecond after one another, as no messages
    /// have that came by themselves: the next message of the same words, if it has such a neighbor. It is looked for
    /// among those that follow soon. The copy tells what became of it.
    var notCopied: String? {
        guard hasCompaction else { return nil }
        let told = ["role", "content", "tool_calls", "tool_call_id"].filter { has("messages", $0) }
        let same = told.map { "d.\($0) IS m.\($0)" }.joined(separator: " AND ")
        let columns = (["id", "timestamp"] + told).map { "x.\($0)" }.joined(separator: ", ")
        let timed =
            "EXISTS (SELECT 1 FROM messages d WHERE d.session_id = m.session_id AND d.timestamp = m.timestamp "
            + "AND d.id > m.id AND \(same))"
        let neighbor =
            "EXISTS (SELECT 1 FROM messages e WHERE e.session_id = m.session_id AND e.timestamp <> d.timestamp "
            + "AND e.timestamp >= d.timestamp - 0.000003 AND e.timestamp <= d.timestamp + 0.000003)"
        let untimed =
            "coalesce((SELECT d.timestamp > m.timestamp + 0.001 AND \(neighbor) FROM (SELECT \(columns) FROM messages x "
            + "WHERE x.session_id = m.session_id AND x.timestamp > m.timestamp ORDER BY x.timestamp LIMIT 200) d "
            + "WHERE d.id > m.id AND \(same) ORDER BY d.timestamp, d.id LIMIT 1), 0)"
        return "(m.compacted IS NOT 1 OR NOT (\(timed) OR \(untimed)))"
    }

    /// The conditions of messages (`m`) as they are counted and listed: what was taken back is left out, and of what
    /// was copied the copy is taken.
    var counted: [String] { [notRewound, notCopied].compactMap(\.self) }

    /// Whether words are indexed, so that a search for words need not read every message.
    package var hasWordIndex: Bool { searchIndexes[Self.wordTable] != nil }
    /// Whether parts of words are indexed.
    package var hasSubstringIndex: Bool { searchIndexes[Self.trigramTable] != nil }
    /// Whether sessions can be archived in this vintage.
    package var hasArchive: Bool { has("sessions", "archived") }
    /// Whether messages can be taken back (`active`) in this vintage.
    package var hasRewind: Bool { has("messages", "active") }
    /// Whether a summary can stand for messages (`compacted`) in this vintage.
    package var hasCompaction: Bool { has("messages", "compacted") }
    /// Whether tokens and costs are kept for each model and task (`session_model_usage`).
    package var hasModelUsage: Bool { has("session_model_usage", "session_id") }

    // MARK: Reading it

    /// With parentheses: a view of the name would be read without them.
    private static let counting = "SELECT schema_version FROM pragma_schema_version()"

    static func changeCount(of source: any HermesRowSource) async throws -> Int64? {
        try await source.rows(SQLQuery(counting + " LIMIT 1", columns: 1)).first?[0].integer
    }

    init(of source: any HermesRowSource) async throws {
        let tables = try HermesTables(try await SchemaObject.all(of: source), source.name)
        let (found, changeCount) = try await tables.columns(of: source, Self.counting)
        var columns: [String: Set<String>] = [:]
        var computed: [String: Set<String>] = [:]
        for row in found {
            guard let table = row[0].text, let column = row[1].text else { continue }
            if row[2].integer == 0 {
                columns[table, default: []].insert(column)
            } else {
                computed[table, default: []].insert(column)
            }
        }
        for shadow in tables.shadows where computed[shadow] != nil {
            throw DataError.unsafe(source.name, "\(shadow) has a computed column in it")
        }
        let needed = [
            "sessions": ["id", "started_at"], "messages": ["id", "session_id", "role", "content", "timestamp"],
        ]
        for (table, names) in needed {
            for name in names where columns[table]?.contains(name) != true {
                if computed[table]?.contains(name) == true {
                    throw DataError.unsafe(source.name, "\(table).\(name) is a computed column in it")
                }
                throw DataError(
                    .databaseForeign,
                    "\(source.name) has no column \(name) in a table \(table), so it is no Hermes state.db that can be "
                        + "read. Check the path."
                )
            }
        }
        self.columns = columns
        self.changeCount = changeCount
        searchIndexes = tables.searches.compactMapValues {
            HermesSearchIndex($0, messageColumns: columns["messages"] ?? [])
        }
        var version: Int64?
        if columns["schema_version"]?.contains("version") == true {
            let query = SQLQuery("SELECT max(version) FROM schema_version LIMIT 1", columns: 1)
            version = try await source.rows(query).first?[0].integer
        }
        self.version = version
    }
}
