// Riff
// SPDX-License-Identifier: Apache-2.0

extension HermesInsights {
    /// The sessions that insights and statistics count.
    public struct Period: Sendable, Hashable {
        /// Sessions that began at or after this time, in seconds since 1970-01-01 UTC; `nil` for all.
        public var from: Double?
        /// Sessions that began before this time; `nil` for all.
        public var before: Double?
        /// Kinds; `nil` for all. Subagents are sessions, and cost as such.
        public var kinds: Set<HermesSession.Kind>?

        /// Creates a period; without bounds it has all sessions.
        public init(from: Double? = nil, before: Double? = nil) {
            self.from = from
            self.before = before
        }

        /// Returns the period of some days before a time.
        ///
        /// - Parameters:
        ///   - days: How many times 24 hours.
        ///   - end: The time, in seconds since 1970-01-01 UTC.
        /// - Returns: The period.
        public static func last(days: Int, before end: Double) -> HermesInsights.Period {
            HermesInsights.Period(from: end - Double(days) * 86_400, before: end)
        }

        var filter: HermesSession.Filter {
            var filter = HermesSession.Filter.everything
            filter.kinds = kinds
            filter.startedFrom = from
            filter.startedBefore = before
            return filter
        }
    }
}

extension HermesInsights {
    /// The sum of some sessions.
    public struct Totals: Sendable, Hashable {
        /// The number of sessions.
        public var sessions: Int64 = 0
        /// Messages that they counted.
        public var messages: Int64 = 0
        /// Calls of tools that they counted.
        public var toolCalls: Int64 = 0
        /// The tokens that they used.
        public var tokens = HermesTokens()
        /// The costs of the sessions.
        public var cost = HermesCost()
        /// The duration of those that have ended, added up, in seconds.
        public var seconds = 0.0

        /// Creates totals of zero.
        package init() {}

        static func += (left: inout HermesInsights.Totals, right: HermesInsights.Totals) {
            left.sessions = left.sessions.adding(right.sessions)
            left.messages = left.messages.adding(right.messages)
            left.toolCalls = left.toolCalls.adding(right.toolCalls)
            left.tokens += right.tokens
            left.cost += right.cost
            left.seconds += right.seconds
        }
    }
}

/// The figures of a period's sessions, from several sides. Every list has the largest first.
public struct HermesInsights: Sendable {
    /// The sum of all sessions.
    public let totals: HermesInsights.Totals
    /// The sums by model; sessions without one are under the empty name.
    public let models: [(name: String, totals: HermesInsights.Totals)]
    /// The sums by source.
    public let platforms: [(name: String, totals: HermesInsights.Totals)]
    /// By kind.
    package let kinds: [HermesSession.Kind: HermesInsights.Totals]
    /// The number of calls of each tool, without those that were taken back.
    public let tools: [(name: String, calls: Int64)]
    /// The number of messages of each role; those that were taken back are left out.
    package let roles: [HermesMessage.Role: Int64]
    /// The usage by model, provider and task, side tasks included; empty if the database's version does not keep it.
    public let usage: [HermesInsights.ModelUsage]
    /// The number of sessions that began in each of the 24 hours of the day, in the user's time zone.
    public let hours: [Int64]
    /// The number of sessions that began on each day of the week, Monday first, in the user's time zone.
    public let weekdays: [Int64]
    /// The days on which sessions began, in order.
    public let days: [HermesInsights.Day]

    /// Insights; of one's own for previews and tests.
    ///
    /// - Parameters:
    ///   - totals: All of them.
    ///   - models: By model.
    ///   - platforms: By where they came from.
    ///   - kinds: By kind.
    ///   - tools: How often each tool was called.
    ///   - roles: How many messages are of whom.
    ///   - usage: By model, provider and task.
    ///   - hours: 24 numbers.
    ///   - weekdays: Seven numbers, Monday first.
    ///   - days: In order.
    package init(
        totals: HermesInsights.Totals = HermesInsights.Totals(),
        models: [(name: String, totals: HermesInsights.Totals)] = [],
        platforms: [(name: String, totals: HermesInsights.Totals)] = [],
        kinds: [HermesSession.Kind: HermesInsights.Totals] = [:],
        tools: [(name: String, calls: Int64)] = [],
        roles: [HermesMessage.Role: Int64] = [:],
        usage: [HermesInsights.ModelUsage] = [],
        hours: [Int64] = Array(repeating: 0, count: 24),
        weekdays: [Int64] = Array(repeating: 0, count: 7),
        days: [HermesInsights.Day] = []
    ) {
        self.totals = totals
        self.models = models
        self.platforms = platforms
        self.kinds = kinds
        self.tools = tools
        self.roles = roles
        self.usage = usage
        self.hours = hours
        self.weekdays = weekdays
        self.days = days
    }
}

extension HermesInsights: Equatable {
    /// Returns whether all figures are the same, in the same order.
    public static func == (left: HermesInsights, right: HermesInsights) -> Bool {
        left.totals == right.totals && left.models.elementsEqual(right.models, by: ==)
            && left.platforms.elementsEqual(right.platforms, by: ==) && left.kinds == right.kinds
            && left.tools.elementsEqual(right.tools, by: ==) && left.roles == right.roles && left.usage == right.usage
            && left.hours == right.hours && left.weekdays == right.weekdays && left.days == right.days
    }
}

extension HermesInsights {
    /// The figures of the sessions that began on one day.
    public struct Day: Sendable, Hashable {
        /// The year of the day.
        public let year: Int
        /// 1 to 12.
        public let month: Int
        /// 1 to 31.
        public let day: Int
        /// The number of sessions.
        public internal(set) var sessions: Int64
        /// Messages that they counted.
        package internal(set) var messages: Int64
        /// Tokens, input and output.
        package internal(set) var tokens: Int64
        /// Costs, estimated or actual, in US dollars.
        package internal(set) var cost: Double

        /// A day; of one's own for previews and tests.
        package init(
            year: Int,
            month: Int,
            day: Int,
            sessions: Int64 = 0,
            messages: Int64 = 0,
            tokens: Int64 = 0,
            cost: Double = 0
        ) {
            self.year = year
            self.month = month
            self.day = day
            self.sessions = sessions
            self.messages = messages
            self.tokens = tokens
            self.cost = cost
        }
    }
}

extension HermesInsights {
    /// A session that is notable.
    public struct Notable: Sendable, Hashable {
        /// The ways to stand out.
        public enum Reason: String, Sendable, Hashable {
            /// It took the longest.
            case longest
            /// It has the most messages.
            case mostMessages
            /// It used the most tokens.
            case mostTokens
            /// It made the most calls of tools.
            case mostToolCalls
            /// It cost the most.
            case costliest
        }

        /// The reason why the session is notable.
        public let reason: Reason
        /// The session that is notable.
        public let session: HermesSession

        /// Creates a notable session from its parts, for previews and tests.
        package init(reason: Reason, session: HermesSession) {
            self.reason = reason
            self.session = session
        }
    }
}

/// The figures of a whole database.
public struct HermesStatistics: Sendable, Hashable {
    /// The sum of all sessions, archived ones and subagents included.
    public let totals: HermesInsights.Totals
    /// By kind.
    package let kinds: [HermesSession.Kind: HermesInsights.Totals]
    /// The number of archived sessions.
    public let archivedSessions: Int64
    /// The number of messages in the database, whatever sessions counted.
    public let messages: Int64
    /// When the first session began, in seconds since 1970-01-01 UTC.
    package let oldest: Double?
    /// The time at which the newest session began, in seconds since 1970-01-01 UTC.
    public let newest: Double?
    /// The size of the database and its log.
    public let sizeBytes: UInt64

    /// Statistics; of one's own for previews and tests.
    package init(
        totals: HermesInsights.Totals = HermesInsights.Totals(),
        kinds: [HermesSession.Kind: HermesInsights.Totals] = [:],
        archivedSessions: Int64 = 0,
        messages: Int64 = 0,
        oldest: Double? = nil,
        newest: Double? = nil,
        sizeBytes: UInt64 = 0
    ) {
        self.totals = totals
        self.kinds = kinds
        self.archivedSessions = archivedSessions
        self.messages = messages
        self.oldest = oldest
        self.newest = newest
        self.sizeBytes = sizeBytes
    }
}
