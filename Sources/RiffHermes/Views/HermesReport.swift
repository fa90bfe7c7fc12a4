// Riff
// SPDX-License-Identifier: Apache-2.0

public import Foundation
internal import RiffCore

/// The figures of the last days.
public struct HermesReport: DatabaseAnswer, Equatable {
    /// The days of a report, and the time zone.
    public struct Question: Sendable, Hashable {
        /// The days that are counted.
        public var span: HermesReport.Span
        /// The time zone in which hours and days are the user's.
        package var timeZone: TimeZone
        /// Kinds of sessions; `nil` for all. Subagents cost as others do.
        public var kinds: Set<HermesSession.Kind>?

        /// Creates a question for the last days.
        public init(_ span: HermesReport.Span = .days(30), timeZone: TimeZone = .current) {
            self.span = span
            self.timeZone = timeZone
        }
    }

    /// The period that was counted.
    package var period: HermesInsights.Period
    /// The figures of the sessions.
    public package(set) var insights: HermesInsights
    /// The sessions that stand out.
    public package(set) var notable: [HermesInsights.Notable]
    /// The end of the day.
    package var validUntil: Double?

    /// Reads a report once.
    ///
    /// - Parameters:
    ///   - database: What is asked.
    ///   - question: Which days, and where.
    ///   - now: The time in seconds since 1970-01-01 UTC; that of the system's clock unless given.
    /// - Throws: What every method of ``HermesDatabase`` throws.
    public init(
        of database: HermesDatabase,
        _ question: Question,
        now: Double? = nil
    ) async throws {
        try await self.init(reading: database, question, now: now ?? WallClock.now())
    }

    /// A report of one's own, for previews and tests.
    package init(
        period: HermesInsights.Period = HermesInsights.Period(),
        insights: HermesInsights,
        notable: [HermesInsights.Notable] = [],
        validUntil: Double? = nil
    ) {
        self.period = period
        self.insights = insights
        self.notable = notable
        self.validUntil = validUntil
    }

    init(reading reader: any HermesReading, _ question: Question, now: Double) async throws {
        var (period, endOfDay) = question.span.period(now: now, timeZone: question.timeZone)
        period.kinds = question.kinds
        self.period = period
        insights = try await reader.insights(in: period, timeZone: question.timeZone)
        notable = try await reader.notableSessions(in: period)
        validUntil = question.span == .all ? nil : endOfDay
    }
}

/// A Hermes database at a glance.
public struct HermesOverview: DatabaseAnswer, Equatable {
    /// The time zone of an overview, and its length.
    public struct Question: Sendable, Hashable {
        /// The time zone in which days are the user's.
        package var timeZone: TimeZone
        /// The number of the newest sessions and calls.
        package var count: Int

        /// Creates a question for the newest few.
        public init(timeZone: TimeZone = .current, count: Int = 5) {
            self.timeZone = timeZone
            self.count = count
        }
    }

    /// The figures of the whole database.
    public package(set) var statistics: HermesStatistics
    /// The sessions that began today.
    public package(set) var today: HermesInsights.Totals
    /// Those that began in the last seven days, day by day, all seven.
    public package(set) var week: [HermesInsights.Day]
    /// The newest sessions of a person.
    public package(set) var sessions: [HermesSession]
    /// The newest calls of tools.
    public package(set) var toolUses: [HermesToolUse]
    /// The end of the day.
    package var validUntil: Double?

    /// An overview; of one's own for previews and tests.
    package init(
        statistics: HermesStatistics,
        today: HermesInsights.Totals = HermesInsights.Totals(),
        week: [HermesInsights.Day] = [],
        sessions: [HermesSession] = [],
        toolUses: [HermesToolUse] = [],
        validUntil: Double? = nil
    ) {
        self.statistics = statistics
        self.today = today
        self.week = week
        self.sessions = sessions
        self.toolUses = toolUses
        self.validUntil = validUntil
    }
}
