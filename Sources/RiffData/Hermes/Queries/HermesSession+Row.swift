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

    /// What a session is, in SQL.
    ///
    /// Hermes writes `parent_session_id` for subagents, for what goes on after a compression, and for branches. Subagents
    /// are marked; the parent's `end_reason` tells the others. Vintages without an archive did not always mark them:
    /// there, a parent that was not ended by its child has a subagent.
    static func kind(_ schema: HermesSchema) -> String {
        guard schema.has("sessions", "parent_session_id") else { return "'root'" }
        var isMarked = schema.has("sessions", "source") ? "s.source = 'subagent'" : "0"
        if schema.has("sessions", "model_config") {
            isMarked += " OR instr(coalesce(s.model_config, ''), '\"_delegate_from\"') > 0"
        }
        let other = schema.hasArchive ? "continuation" : "subagent"
        let byParent =
            schema.has("sessions", "end_reason")
            ? "coalesce((SELECT CASE p.end_reason WHEN 'branched' THEN 'branch' WHEN 'compression' THEN 'continuation' "
                + "ELSE '\(other)' END FROM sessions p WHERE p.id = s.parent_session_id), 'continuation')"
            : "'\(other)'"
        return "CASE WHEN \(isMarked) THEN 'subagent' WHEN s.parent_session_id IS NULL THEN 'root' ELSE \(byParent) END"
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
