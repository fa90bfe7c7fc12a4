// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// The costs of some days, in US dollars. Everything in it may be missing, and zeros count as missing: gateways that do
/// not count say zero.
public struct CostUsage: Sendable, Hashable {
    /// The costs of a day.
    public struct Day: Sendable, Hashable {
        /// The day, `YYYY-MM-DD`.
        public let date: String
        /// The cost of the day.
        public let cost: Double

        /// A day; for tests and previews.
        public init(date: String, cost: Double) { (self.date, self.cost) = (date, cost) }
    }

    /// The cost of all days.
    public let total: Double?
    /// The cost of the tokens that the models read.
    public let inputCost: Double?
    /// The cost of the tokens that the models wrote.
    public let outputCost: Double?
    /// The number of tokens that the models read.
    public let inputTokens: Int?
    /// The number of tokens that the models wrote.
    public let outputTokens: Int?
    /// The days, in the gateway's order; none where all of them are zero.
    public let days: [Day]

    /// Costs; for tests and previews.
    public init(
        total: Double?,
        inputCost: Double? = nil,
        outputCost: Double? = nil,
        inputTokens: Int? = nil,
        outputTokens: Int? = nil,
        days: [Day] = []
    ) {
        (self.total, self.inputCost, self.outputCost) = (total, inputCost, outputCost)
        (self.inputTokens, self.outputTokens, self.days) = (inputTokens, outputTokens, days)
    }

    init(json: JSONValue) {
        let totals = json["totals"]
        func cost(_ name: String) -> Double? { totals?[name]?.double.flatMap { $0 == 0 ? nil : $0 } }
        func tokens(_ name: String) -> Int? {
            totals?[name]?.integer.flatMap { $0 == 0 ? nil : Int(clamping: $0) }
        }
        let days = json["byDay"]?.array?.compactMap { day -> Day? in
            guard let date = day["date"]?.text, let cost = day["totalCost"]?.double else { return nil }
            return Day(date: date, cost: cost)
        }
        self.init(
            total: cost("totalCost"),
            inputCost: cost("inputCost"),
            outputCost: cost("outputCost"),
            inputTokens: tokens("inputTokens"),
            outputTokens: tokens("outputTokens"),
            days: days?.contains { $0.cost != 0 } == true ? days ?? [] : []
        )
    }
}

extension CostUsage {
    /// The summary of costs that a person is shown.
    public struct Summary: Sendable, Hashable {
        /// The cost of today so far.
        public let today: Double?
        /// The average cost of a day, over a week.
        public let dailyAverage: Double?
        /// The cost of a month of such days.
        public var monthlyEstimate: Double? { dailyAverage.map { $0 * 30 } }

        /// A summary of ``ChatGateway/costs(days:)`` for 1 and for 7 days.
        public init(today: CostUsage?, week: CostUsage?) {
            self.today = today?.total
            dailyAverage = week?.total.map { $0 / 7 }
        }
    }
}

extension GatewayModel {
    /// The price of tokens.
    package struct Price: Sendable, Hashable {
        /// US dollars for a million tokens that are read.
        package let input: Double
        /// US dollars for a million tokens that are written.
        package let output: Double

        /// Creates a price.
        package init(input: Double, output: Double) { (self.input, self.output) = (input, output) }

        /// The price that is assumed of an unknown model: 1 and 5 dollars.
        package static let unknown = GatewayModel.Price(input: 1, output: 5)

        /// Returns the cost of a reply; `nil` if no token is counted, as by hosts that do not count.
        package func cost(of usage: ChatReply.Usage) -> Double? {
            let (read, written) = (usage.promptTokens ?? 0, usage.completionTokens ?? 0)
            guard read != 0 || written != 0 else { return nil }
            return (Double(read) * input + Double(written) * output) / 1_000_000
        }
    }
}
