// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

extension HermesSession {
    /// The columns of a session (`s`), in the order in which ``init(_:)`` takes them.
    ///
    /// - Parameters:
    ///   - schema: Which of them there are.
    ///   - previewLength: How many characters of the first message; 0 for none.
    /// - Returns: SQL expressions.
    static func columns(_ schema: HermesSchema, previewLength: Int) -> [String] {
        let stands = schema.notRewound.map { "AND \($0) " } ?? ""
        let preview =
            previewLength == 0
            ? "NULL"
            : "(SELECT substr(m.content, 1, \(previewLength)) FROM messages m WHERE m.session_id = s.id "
                + "AND m.role = 'user' \(stands)ORDER BY m.timestamp, m.id LIMIT 1)"
        // What is told to be asked by ACP keeps its directory in model_config.
        let directory = schema.session("cwd")
        let configuration =
            schema.has("sessions", "model_config")
            ? "CASE WHEN \(directory) IS NULL THEN substr(s.model_config, 1, 8192) END" : "NULL"
        var columns = ["s.id", schema.session("source", else: "''"), kind(schema)]
        columns += ["parent_session_id", "user_id", "display_name", "title"].map { schema.session($0) }
        columns += [preview]
        columns += ["model", "billing_provider", "profile_name"].map { schema.session($0) }
        columns += [directory, configuration]
        columns += ["git_branch", "git_repo_root"].map { schema.session($0) }
        columns += ["s.started_at", schema.session("ended_at")]
        columns += ["(SELECT max(m.timestamp) FROM messages m WHERE m.session_id = s.id)"]
        columns += [schema.session("end_reason")]
        columns += ["message_count", "tool_call_count", "api_call_count", "rewind_count"].map { schema.session($0) }
        columns += HermesTokens.columns.map { schema.session($0) } + HermesCost.columns { schema.session($0) }
        columns += [schema.session("archived")]
        return columns
    }

    /// Returns the kind of a session, in SQL.
    ///
    /// Hermes writes `parent_session_id` for subagents, for what goes on after a compression, and for branches.
    /// Subagents and branches are marked. Older ones were not always: there the parent tells, as it does to Hermes. A
    /// branch began after its parent had ended for it; a continuation has a parent that was compressed; any other one,
    /// as one of a parent that goes on, is a subagent. Without the parent nobody can tell.
    static func kind(_ schema: HermesSchema) -> String {
        guard schema.has("sessions", "parent_session_id") else { return "'root'" }
        var (isSubagent, isBranch) = (schema.has("sessions", "source") ? "s.source = 'subagent'" : "0", "0")
        if schema.has("sessions", "model_config") {
            isSubagent += " OR \(isMarked("_delegate_from"))"
            isBranch = isMarked("_branched_from")
        }
        var cases: [String] = []
        if schema.has("sessions", "end_reason") {
            let isLater = schema.has("sessions", "ended_at") ? " AND s.started_at >= p.ended_at" : ""
            cases.append("WHEN p.end_reason = 'branched'\(isLater) THEN 'branch'")
            // What a tool started has a parent, too.
            let isTool = schema.has("sessions", "source") ? " AND s.source IS NOT 'tool'" : ""
            cases.append("WHEN p.end_reason = 'compression'\(isTool) THEN 'continuation'")
        }
        let byParent = cases.isEmpty ? "'subagent'" : "CASE \(cases.joined(separator: " ")) ELSE 'subagent' END"
        return "CASE WHEN \(isSubagent) THEN 'subagent' WHEN \(isBranch) THEN 'branch' "
            + "WHEN s.parent_session_id IS NULL THEN 'root' ELSE coalesce((SELECT \(byParent) FROM sessions p "
            + "WHERE p.id = s.parent_session_id), 'orphan') END"
    }

    /// Whether the JSON of `model_config` has a key with a value; not every SQLite can read JSON.
    private static func isMarked(_ key: String) -> String {
        let text = "coalesce(s.model_config, '')"
        return "(instr(\(text), '\"\(key)\":') > 0 AND instr(\(text), '\"\(key)\": null') = 0 "
            + "AND instr(\(text), '\"\(key)\":null') = 0)"
    }

    /// A session of a row of ``columns(_:previewLength:)``.
    init(_ row: SQLRow) {
        var row = SQLRowReader(row)
        id = row.text() ?? ""
        source = row.text() ?? ""
        kind = Kind(rawValue: row.text() ?? "")
        parentID = row.text()
        userID = row.text()
        displayName = row.text()
        title = row.text()
        preview = row.text()
        model = row.text()
        provider = row.text()
        profile = row.text()
        let directory = row.text()
        let configuration = row.text()
        workingDirectory = directory ?? configuration.flatMap(Self.directory)
        gitBranch = row.text()
        gitRoot = row.text()
        startedAt = row.real() ?? 0
        endedAt = row.real()
        lastMessageAt = row.real()
        endReason = row.text()
        messageCount = row.count()
        toolCallCount = row.count()
        requestCount = row.count()
        rewindCount = row.count()
        tokens = HermesTokens(&row)
        cost = HermesCost(&row)
        isArchived = row.flag()
    }

    private static func directory(in configuration: String) -> String? {
        // One that is no JSON, or too long to be read whole, has no directory that could be told.
        (try? JSONValue(parsing: configuration))?["cwd"]?.text
    }
}
