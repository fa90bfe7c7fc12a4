// Riff
// SPDX-License-Identifier: Apache-2.0

/// One session of a Hermes database. Times are seconds since 1970-01-01 UTC; counts have 64 bits.
///
/// The system prompt, which can be large, is not read. What a vintage does not know is `nil`, or 0 for counts.
public struct HermesSession: Sendable, Hashable, Identifiable {
    /// What a session is to others. Open: a later version may tell more kinds apart.
    public struct Kind: RawRepresentable, Sendable, Hashable {
        /// The name itself.
        public let rawValue: String

        /// Any name.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// Started by a person, a schedule or a platform.
        public static let root = Kind(rawValue: "root")
        /// Started by another session for a piece of its work.
        public static let subagent = Kind(rawValue: "subagent")
        /// Goes on with a session whose messages were compressed.
        public static let continuation = Kind(rawValue: "continuation")
        /// Branched off from a session, which was left where it was.
        public static let branch = Kind(rawValue: "branch")
    }

    /// Its id: a UUID, or a date and time with six hexadecimal digits.
    public let id: String
    /// Where it came from: `cli`, `acp`, `telegram`, `cron`, `subagent`, ...
    public let source: String
    /// What it is to its parent.
    public let kind: Kind
    /// The session that it belongs to or goes on with.
    public let parentID: String?
    /// The person on the platform it came from.
    public let userID: String?
    /// What the platform calls the chat.
    public let displayName: String?
    /// Its title, where it has one.
    public let title: String?
    /// The beginning of the first message of a person; `nil` where there is none, or it was not asked for.
    public let preview: String?
    /// The model.
    public let model: String?
    /// Who is paid for it.
    public let provider: String?
    /// The profile of Hermes that it runs under.
    public let profile: String?
    /// The directory it works in.
    public let workingDirectory: String?
    /// The branch of the repository there.
    public let gitBranch: String?
    /// The root of the repository there.
    public let gitRoot: String?
    /// When it began.
    public let startedAt: Double
    /// When it ended; `nil` while it goes on.
    public let endedAt: Double?
    /// When its newest message was written; `nil` without messages.
    public let lastMessageAt: Double?
    /// Why it ended.
    public let endReason: String?
    /// How many messages it counted.
    public let messageCount: Int64
    /// How many calls of tools it counted.
    public let toolCallCount: Int64
    /// How often it asked the model.
    public let requestCount: Int64
    /// How often it was taken back to an earlier message.
    public let rewindCount: Int64
    /// Tokens; titles and other side tasks are not among them (``HermesDatabase/usage(of:)``).
    public let tokens: HermesTokens
    /// Costs, as far as Hermes knows them.
    public let cost: HermesCost
    /// Whether it was put away.
    public let isArchived: Bool

    /// From its begin to its end, or to its newest message, in seconds.
    public var seconds: Double? { (endedAt ?? lastMessageAt).map { max(0, $0 - startedAt) } }
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

    /// None.
    public init() {}

    /// All but reasoning, which counts as output already.
    public var total: Int64 { input &+ output &+ cacheRead &+ cacheWrite }

    static let columns = [
        "input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens", "reasoning_tokens",
    ]

    init(_ row: inout SQLRowReader) {
        input = row.count()
        output = row.count()
        cacheRead = row.count()
        cacheWrite = row.count()
        reasoning = row.count()
    }

    static func += (left: inout HermesTokens, right: HermesTokens) {
        left.input &+= right.input
        left.output &+= right.output
        left.cacheRead &+= right.cacheRead
        left.cacheWrite &+= right.cacheWrite
        left.reasoning &+= right.reasoning
    }
}

/// Costs in US dollars.
public struct HermesCost: Sendable, Hashable {
    /// By list prices; `nil` where nobody estimated it.
    public var estimated: Double?
    /// As the provider told it; `nil` where it did not.
    public var actual: Double?

    /// Unknown.
    public init() {}

    /// The actual cost where it is known, or else the estimate.
    public var best: Double? { actual ?? estimated }

    init(_ row: inout SQLRowReader) {
        estimated = row.real()
        actual = row.real()
    }

    static func += (left: inout HermesCost, right: HermesCost) {
        func sum(_ first: Double?, _ second: Double?) -> Double? {
            guard let first, let second else { return first ?? second }
            return first + second
        }
        left.estimated = sum(left.estimated, right.estimated)
        left.actual = sum(left.actual, right.actual)
    }
}
