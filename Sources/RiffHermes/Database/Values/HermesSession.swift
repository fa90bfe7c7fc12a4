// Riff
// SPDX-License-Identifier: Apache-2.0

/// One session of a Hermes database. Times are seconds since 1970-01-01 UTC; counts have 64 bits.
///
/// The system prompt, which can be large, is not read. What a vintage does not know is `nil`, or 0 for counts.
public struct HermesSession: Sendable, Hashable, Identifiable {
    /// The relation of a session to others; an open set.
    public struct Kind: RawRepresentable, Sendable, Hashable {
        /// The name itself.
        public let rawValue: String

        /// Creates a kind, also one that this version does not know.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// Started by a person, a schedule or a platform.
        public static let root = Kind(rawValue: "root")
        /// Started by another session for a piece of its work.
        public static let subagent = Kind(rawValue: "subagent")
        /// Continues a session whose messages were compressed.
        public static let continuation = Kind(rawValue: "continuation")
        /// Branched off from a session, which was left where it was.
        public static let branch = Kind(rawValue: "branch")
        /// Belonged to a session that is gone; its other kind cannot be determined.
        package static let orphan = Kind(rawValue: "orphan")
    }

    /// The session's id: a UUID, or a date and time with six hexadecimal digits.
    public let id: String
    /// The source of the session: `cli`, `acp`, `telegram`, `cron`, `subagent`, ...
    public var source: String
    /// The relation to its parent.
    public var kind = Kind.root
    /// The session that it belongs to or continues.
    public var parentID: String?
    /// The person on the platform it came from.
    package var userID: String?
    /// The platform's name for the chat.
    package var displayName: String?
    /// The title, if it has one.
    public var title: String?
    /// The beginning of the first message of a person; `nil` where there is none, or it was not asked for.
    public var preview: String?
    /// The name of the model.
    public var model: String?
    /// The provider that is paid for it.
    public var provider: String?
    /// The profile of Hermes that it runs under.
    public var profile: String?
    /// The directory it works in.
    public var workingDirectory: String?
    /// The branch of the repository there.
    package var gitBranch: String?
    /// The root of the repository there.
    package var gitRoot: String?
    /// The time at which it began.
    public var startedAt: Double
    /// The time at which it ended; `nil` while it runs.
    public var endedAt: Double?
    /// The time of its newest message; `nil` without messages.
    public var lastMessageAt: Double?
    /// Why it ended.
    package var endReason: String?
    /// The number of messages that it counted.
    public var messageCount: Int64 = 0
    /// The number of tool calls that it counted.
    public var toolCallCount: Int64 = 0
    /// The number of requests to the model.
    package var requestCount: Int64 = 0
    /// The number of times that it was taken back to an earlier message.
    package var rewindCount: Int64 = 0
    /// Tokens; titles and other side tasks are not among them (``HermesDatabase/usage(of:)``).
    public var tokens = HermesTokens()
    /// Costs, as far as Hermes knows them.
    public var cost = HermesCost()
    /// Whether it was put away.
    public var isArchived = false

    /// The duration from its begin to its end, or to its newest message, in seconds.
    public var seconds: Double? { (endedAt ?? lastMessageAt).map { max(0, $0 - startedAt) } }
}

extension HermesSession {
    /// A session of one's own, for previews and tests; what is not given has its default, and can be set.
    package init(id: String, source: String, startedAt: Double) {
        self.init(id: id, source: source, parentID: nil, startedAt: startedAt)
    }
}

/// Tokens that were used.
public struct HermesTokens: Sendable, Hashable {
    /// Sent to the model and not in its cache.
    public var input: Int64 = 0
    /// Written by the model.
    public var output: Int64 = 0
    /// Read from the model's cache.
    public var cacheRead: Int64 = 0
    /// Written to the model's cache.
    public var cacheWrite: Int64 = 0
    /// Written by the model to itself.
    public var reasoning: Int64 = 0

    /// Creates counts of zero.
    package init() {}

    /// The sum of all but reasoning, which counts as output already.
    public var total: Int64 { input.adding(output).adding(cacheRead).adding(cacheWrite) }

    static let columns = [
        "input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens", "reasoning_tokens",
    ]

    init(_ row: inout SQLRowReader, isSum: Bool = false) {
        func next() -> Int64 { isSum ? row.sum() : row.count() }
        input = next()
        output = next()
        cacheRead = next()
        cacheWrite = next()
        reasoning = next()
    }

    static func += (left: inout HermesTokens, right: HermesTokens) {
        left.input = left.input.adding(right.input)
        left.output = left.output.adding(right.output)
        left.cacheRead = left.cacheRead.adding(right.cacheRead)
        left.cacheWrite = left.cacheWrite.adding(right.cacheWrite)
        left.reasoning = left.reasoning.adding(right.reasoning)
    }
}

extension Int64 {
    /// The sum, or the largest or smallest number where it is beyond: a database can hold any.
    func adding(_ other: Int64) -> Int64 {
        let (sum, isBeyond) = addingReportingOverflow(other)
        return isBeyond ? (other < 0 ? .min : .max) : sum
    }
}

/// Costs in US dollars.
public struct HermesCost: Sendable, Hashable {
    /// The cost by list prices; `nil` if it was not estimated.
    public var estimated: Double?
    /// The cost as the provider reported it; `nil` if it did not.
    public var actual: Double?
    /// Of several sessions: the sum of what is best known of each, where that is another number.
    private var sum: Double?

    /// Creates an unknown cost.
    package init() {}

    /// The actual cost where it is known, or else the estimate; of several sessions the sum of that.
    public var best: Double? { sum ?? actual ?? estimated }

    /// The columns that ``init(_:)`` takes. Hermes writes an actual cost of 0 where it knows none.
    ///
    /// - Parameters:
    ///   - isSum: Whether one number is made of several rows.
    ///   - column: The expression for a column.
    /// - Returns: Three expressions.
    static func columns(isSum: Bool = false, _ column: (String) -> String) -> [String] {
        let (estimated, actual) = (column("estimated_cost_usd"), "nullif(\(column("actual_cost_usd")), 0)")
        // Times 1.0: a sum of whole numbers could be refused.
        return [estimated, actual, "coalesce(\(actual), \(estimated))"].map { isSum ? "sum(1.0 * (\($0)))" : "(\($0))" }
    }

    init(_ row: inout SQLRowReader) {
        estimated = row.real()
        actual = row.real()
        let sum = row.real()
        if sum != best { self.sum = sum }
    }

    static func += (left: inout HermesCost, right: HermesCost) {
        func sum(_ first: Double?, _ second: Double?) -> Double? {
            guard let first, let second else { return first ?? second }
            return first + second
        }
        let best = sum(left.best, right.best)
        left.estimated = sum(left.estimated, right.estimated)
        left.actual = sum(left.actual, right.actual)
        left.sum = best == (left.actual ?? left.estimated) ? nil : best
    }
}
