// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

extension HermesMessage {
    /// The columns of a message (`m`), in the order in which ``init(_:)`` takes them. With a limit only so many
    /// characters of a text are read; calls are read whole up to sixteen times as many, since a part of their JSON
    /// cannot be understood.
    static func columns(_ schema: HermesSchema, limit: Int?) -> [String] {
        // SQLite's functions of characters end at a NUL; a text that is short enough is taken as it is.
        func size(_ column: String) -> String { "length(CAST(\(column) AS BLOB))" }
        func cut(_ column: String) -> String {
            limit.map { "CASE WHEN \(size(column)) <= \($0) THEN \(column) ELSE substr(\(column), 1, \($0)) END" }
                ?? column
        }
        func isCut(_ column: String, _ limit: Int) -> String {
            "(coalesce(\(size(column)), 0) > \(limit) AND (length(\(column)) > \(limit) OR instr(\(column), char(0)) > 0))"
        }
        let thoughts = [schema.message("reasoning"), schema.message("reasoning_content")]
        let reasoning = "coalesce(nullif(\(thoughts[0]), ''), \(thoughts[1]))"
        let calls = schema.message("tool_calls")
        let wholeCalls = limit.map { "CASE WHEN length(\(calls)) <= \($0 * 16) THEN \(calls) END" } ?? calls
        let isLonger =
            limit.map {
                "(\(isCut("m.content", $0)) OR \(isCut(reasoning, $0)) OR coalesce(length(\(calls)), 0) > \($0 * 16))"
            } ?? "0"
        var columns = ["m.id", "m.session_id", "m.role", cut("m.content"), isLonger, cut(reasoning), wholeCalls]
        columns += ["tool_call_id", "tool_name"].map { schema.message($0) }
        columns += ["m.timestamp"]
        columns += ["token_count", "finish_reason", "platform_message_id"].map { schema.message($0) }
        return columns + ["\(schema.message("active", else: "1")) IS NOT 0", schema.message("compacted", else: "0")]
    }

    /// A message of a row of ``columns(_:limit:)``.
    init(_ row: SQLRow) {
        var row = SQLRowReader(row)
        id = row.integer() ?? 0
        sessionID = row.text() ?? ""
        role = Role(rawValue: row.text() ?? "")
        content = row.text() ?? ""
        isTruncated = row.flag()
        reasoning = row.text()
        toolCalls = row.text().map { HermesMessage.ToolCall.list($0) } ?? []
        toolCallID = row.text()
        toolName = row.text()
        timestamp = row.real() ?? 0
        tokenCount = row.integer()
        finishReason = row.text()
        platformMessageID = row.text()
        isActive = row.flag()
        isCompacted = row.flag()
    }
}

extension HermesMessage.ToolCall {
    /// The calls of a message's `tool_calls`: `[{id, call_id, type, function: {name, arguments}}]`. What is no call is
    /// left out, and so is all where the text is no JSON: Hermes, too, then has no calls.
    static func list(_ text: String) -> [HermesMessage.ToolCall] {
        guard let elements = (try? JSONValue(parsing: text))?.array else { return [] }
        return elements.compactMap { element in
            let function = element["function"]
            guard let name = (function?["name"] ?? element["name"])?.text else { return nil }
            let arguments = function?["arguments"] ?? element["arguments"]
            return HermesMessage.ToolCall(
                id: (element["id"] ?? element["call_id"])?.text ?? "",
                name: name,
                arguments: arguments?.text ?? arguments?.description ?? ""
            )
        }
    }
}
