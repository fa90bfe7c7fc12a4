// Riff
// SPDX-License-Identifier: Apache-2.0

/// What one model used for one task.
public struct HermesModelUsage: Sendable, Hashable {
    /// The model.
    public let model: String
    /// Who is paid.
    public let provider: String
    /// What for: empty for the conversation itself, `title_generation`, ...
    public let task: String
    /// How often it was asked.
    public let requestCount: Int64
    /// Tokens.
    public let tokens: HermesTokens
    /// Costs.
    public let cost: HermesCost

    /// The columns of a row of `session_model_usage` (`u`); the fifth is the tokens that were sent.
    static func columns(_ schema: HermesSchema, aggregate: String = "") -> [String] {
        func column(_ name: String, _ fallback: String) -> String {
            schema.has("session_model_usage", name) ? "u.\(name)" : fallback
        }
        let numbers = ["api_call_count"] + HermesTokens.columns
        return [column("model", "''"), column("billing_provider", "''"), column("task", "''")]
            + numbers.map { "\(aggregate)(\(column($0, "NULL")))" }
            + HermesCost.columns(aggregate) { column($0, "NULL") }
    }

    init(_ row: SQLRow) {
        var row = SQLRowReader(row)
        model = row.text() ?? ""
        provider = row.text() ?? ""
        task = row.text() ?? ""
        requestCount = row.count()
        tokens = HermesTokens(&row)
        cost = HermesCost(&row)
    }

    init(_ session: HermesSession) {
        model = session.model ?? ""
        provider = session.provider ?? ""
        task = ""
        requestCount = session.requestCount
        tokens = session.tokens
        cost = session.cost
    }
}
