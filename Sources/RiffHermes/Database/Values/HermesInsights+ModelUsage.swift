// Riff
// SPDX-License-Identifier: Apache-2.0

extension HermesInsights {
    /// The tokens and costs of one model for one task.
    public struct ModelUsage: Sendable, Hashable {
        /// The name of the model.
        public let model: String
        /// The provider that is paid.
        public let provider: String
        /// The task: empty for the conversation itself, `title_generation`, ...
        public let task: String
        /// The number of requests.
        public let requestCount: Int64
        /// The tokens that were used.
        public let tokens: HermesTokens
        /// The costs of the requests.
        public let cost: HermesCost

        /// Creates a model's usage from its parts, for previews and tests.
        package init(
            model: String,
            provider: String = "",
            task: String = "",
            requestCount: Int64 = 0,
            tokens: HermesTokens = HermesTokens(),
            cost: HermesCost = HermesCost()
        ) {
            self.model = model
            self.provider = provider
            self.task = task
            self.requestCount = requestCount
            self.tokens = tokens
            self.cost = cost
        }

        /// The columns of a row of `session_model_usage` (`u`), or of a sum of several.
        static func columns(_ schema: HermesSchema, isSum: Bool = false) -> [String] {
            func column(_ name: String, _ fallback: String) -> String {
                schema.has("session_model_usage", name) ? "u.\(name)" : fallback
            }
            let numbers = ["api_call_count"] + HermesTokens.columns
            return [column("model", "''"), column("billing_provider", "''"), column("task", "''")]
                + numbers.flatMap { isSum ? SQLSum.columns(column($0, "NULL")) : [column($0, "NULL")] }
                + HermesCost.columns(isSum: isSum) { column($0, "NULL") }
        }

        /// Returns the size by which the largest of them is found: the tokens that were sent.
        static func size(_ schema: HermesSchema) -> String {
            schema.has("session_model_usage", "input_tokens") ? "u.input_tokens" : "NULL"
        }

        init(_ row: SQLRow, isSum: Bool = false) {
            var row = SQLRowReader(row)
            model = row.text() ?? ""
            provider = row.text() ?? ""
            task = row.text() ?? ""
            requestCount = isSum ? row.sum() : row.count()
            tokens = HermesTokens(&row, isSum: isSum)
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
}
