// Riff
// SPDX-License-Identifier: Apache-2.0

/// Which sessions insights and statistics count.
public struct HermesPeriod: Sendable, Hashable {
    /// Sessions that began at or after this time, in seconds since 1970-01-01 UTC; `nil` for all.
    public var from: Double?
    /// Sessions that began before this time; `nil` for all.
    public var before: Double?
    /// Kinds; `nil` for all. Subagents are sessions, and cost as such.
    public var kinds: Set<HermesSession.Kind>?

    /// All sessions there are.
    public init(from: Double? = nil, before: Double? = nil) {
        self.from = from
        self.before = before
    }

    /// The last days before a time.
    ///
    /// - Parameters:
    ///   - days: How many times 24 hours.
    ///   - end: The time, in seconds since 1970-01-01 UTC.
    /// - Returns: The period.
    public static func last(days: Int, before end: Double) -> HermesPeriod {
        HermesPeriod(from: end - Double(days) * 86_400, before: end)
    }

    var filter: HermesSessionFilter {
        var filter = HermesSessionFilter.everything
        filter.kinds = kinds
        filter.startedFrom = from
        filter.startedBefore = before
        return filter
    }
}

/// What some sessions come to.
public struct HermesTotals: Sendable, Hashable {
    /// How many sessions.
    public var sessions: Int64 = 0
    /// Messages that they counted.
    public var messages: Int64 = 0
    /// Calls of tools that they counted.
    public var toolCalls: Int64 = 0
    /// Tokens.
    public var tokens = HermesTokens()
    /// Costs.
    public var cost = HermesCost()
    /// From begin to end of those that have ended, added up, in seconds.
    public var seconds = 0.0

    /// Nothing.
    public init() {}

    static func += (left: inout HermesTotals, right: HermesTotals) {
        left.sessions &+= right.sessions
        left.messages &+= right.messages
        left.toolCalls &+= right.toolCalls
        left.tokens += right.tokens
        left.cost += right.cost
        left.seconds += right.seconds
    }
}

/// What the sessions of a period come to, seen from several sides. Every list has the largest first.
public struct HermesInsights: Sendable {
    /// All of them.
    public let totals: HermesTotals
    /// By model; sessions without one under the empty name.
    public let models: [(name: String, totals: HermesTotals)]
    /// By where they came from.
    public let platforms: [(name: String, totals: HermesTotals)]
    /// By kind.
    public let kinds: [HermesSession.Kind: HermesTotals]
    /// How often each tool was called, as the messages tell.
    public let tools: [(name: String, calls: Int64)]
    /// How many messages are of whom.
    public let roles: [HermesMessage.Role: Int64]
    /// By model, provider and task, titles and other side tasks included; empty where the vintage does not keep it.
    public let usage: [HermesModelUsage]
    /// How many sessions began in each of the 24 hours of the day, where the user is.
    public let hours: [Int64]
    /// How many began on each day of the week, Monday first, where the user is.
    public let weekdays: [Int64]
    /// The days on which sessions began, in order.
    public let days: [HermesDay]
}

/// What the sessions that began on one day come to.
public struct HermesDay: Sendable, Hashable {
    /// The year.
    public let year: Int
    /// 1 to 12.
    public let month: Int
    /// 1 to 31.
    public let day: Int
    /// How many sessions.
    public internal(set) var sessions: Int64
    /// Messages that they counted.
    public internal(set) var messages: Int64
    /// Tokens, input and output.
    public internal(set) var tokens: Int64
    /// Costs, estimated or actual, in US dollars.
    public internal(set) var cost: Double
}

/// A session that stands out.
public struct HermesNotable: Sendable, Hashable {
    /// By what. Open.
    public struct Reason: RawRepresentable, Sendable, Hashable {
        /// The name itself.
        public let rawValue: String

        /// Any name.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// It took the longest.
        public static let longest = Reason(rawValue: "longest")
        /// It has the most messages.
        public static let mostMessages = Reason(rawValue: "mostMessages")
        /// It used the most tokens.
        public static let mostTokens = Reason(rawValue: "mostTokens")
        /// It made the most calls of tools.
        public static let mostToolCalls = Reason(rawValue: "mostToolCalls")
        /// It cost the most.
        public static let costliest = Reason(rawValue: "costliest")
    }

    /// By what.
    public let reason: Reason
    /// The session.
    public let session: HermesSession
}

/// What a whole database comes to.
public struct HermesStatistics: Sendable {
    /// All sessions, archived ones and subagents included.
    public let totals: HermesTotals
    /// By kind.
    public let kinds: [HermesSession.Kind: HermesTotals]
    /// How many are archived.
    public let archivedSessions: Int64
    /// How many messages there are, whatever sessions counted.
    public let messages: Int64
    /// When the first session began, in seconds since 1970-01-01 UTC.
    public let oldest: Double?
    /// When the last one began.
    public let newest: Double?
    /// How many bytes the database and its log have.
    public let sizeBytes: UInt64
}
