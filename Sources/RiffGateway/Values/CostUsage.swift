// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// What was spent over some days, in US dollars. Everything in it may be missing; zero may mean that nobody knows.
public struct CostUsage: Sendable, Hashable {
    /// What was spent on a day.
    public struct Day: Sendable, Hashable {
        /// The day, `YYYY-MM-DD`.
        public let date: String
        /// What it cost.
        public let cost: Double

        /// A day; for tests and previews.
        public init(date: String, cost: Double) { (self.date, self.cost) = (date, cost) }
    }

    /// What all of it cost.
    public let total: Double?
    /// What was read by the models, in tokens.
    public let inputTokens: Int?
    /// What was written by them, in tokens.
    public let outputTokens: Int?
    /// The days, in the gateway's order.
    public let days: [Day]

    /// Costs; for tests and previews.
    public init(total: Double?, inputTokens: Int? = nil, outputTokens: Int? = nil, days: [Day] = []) {
        (self.total, self.inputTokens, self.outputTokens, self.days) = (total, inputTokens, outputTokens, days)
    }

    init(json: JSONValue) {
        let totals = json["totals"]
        self.init(
            total: totals?["totalCost"]?.double,
            inputTokens: totals?["inputTokens"]?.integer.map { Int(clamping: $0) },
            outputTokens: totals?["outputTokens"]?.integer.map { Int(clamping: $0) },
            days: json["byDay"]?.array?.compactMap { day in
                guard let date = day["date"]?.text, let cost = day["totalCost"]?.double else { return nil }
                return Day(date: date, cost: cost)
            } ?? []
        )
    }
}

/// What a person is shown of costs.
public struct CostSummary: Sendable, Hashable {
    /// What today cost so far.
    public let today: Double?
    /// What a day costs on average, over a week.
    public let dailyAverage: Double?
    /// What a month of such days costs.
    public var monthlyEstimate: Double? { dailyAverage.map { $0 * 30 } }

    /// A summary of ``ChatGateway/costs(days:)`` for 1 and for 7 days.
    public init(today: CostUsage?, week: CostUsage?) {
        self.today = today?.total
        dailyAverage = week?.total.map { $0 / 7 }
    }
}

/// What tokens cost.
public struct TokenPrice: Sendable, Hashable {
    /// US dollars for a million tokens that are read.
    public let input: Double
    /// US dollars for a million tokens that are written.
    public let output: Double

    /// A price.
    public init(input: Double, output: Double) { (self.input, self.output) = (input, output) }

    /// What is assumed of a model that nobody knows: 1 and 5 dollars.
    public static let unknown = TokenPrice(input: 1, output: 5)

    /// What a reply cost.
    public func cost(of usage: ChatUsage) -> Double {
        (Double(usage.promptTokens ?? 0) * input + Double(usage.completionTokens ?? 0) * output) / 1_000_000
    }
}
