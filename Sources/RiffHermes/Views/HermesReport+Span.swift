// Riff
// SPDX-License-Identifier: Apache-2.0

package import Foundation

extension HermesReport {
    /// The last days, or all of them, where the user is.
    public enum Span: Sendable, Hashable {
        /// So many whole days by the user's calendar, today among them.
        case days(Int)
        /// All of the time.
        case all

        /// The spans that front ends offer: a week, a month, a quarter of a year, everything.
        public static let usual: [HermesReport.Span] = [.days(7), .days(30), .days(90), .all]

        /// The sessions that began in it.
        ///
        /// - Parameters:
        ///   - now: In seconds since 1970-01-01 UTC.
        ///   - timeZone: Where the user is.
        /// - Returns: The period, open at its end; and when the next day begins.
        package func period(now: Double, timeZone: TimeZone) -> (period: HermesInsights.Period, endOfDay: Double) {
            var calendar = Calendar(identifier: .gregorian)
            calendar.timeZone = timeZone
            let today = calendar.startOfDay(for: Date(timeIntervalSince1970: now))
            func begin(of day: Int) -> Double {
                // By noon: a day of which the clock skips the first hour begins later.
                let noon = calendar.date(byAdding: .day, value: day, to: today.addingTimeInterval(43_200))
                return calendar.startOfDay(for: noon ?? today).timeIntervalSince1970
            }
            let from: Double? = if case .days(let days) = self { begin(of: 1 - max(days, 1)) } else { nil }
            return (HermesInsights.Period(from: from), begin(of: 1))
        }
    }
}

extension HermesInsights.Day {
    /// Returns the days from the first to the last of some, with those between them that have no sessions, for a chart.
    ///
    /// - Parameters:
    ///   - days: In order.
    ///   - count: How many at most; the newest ones stay.
    /// - Returns: One for each day.
    public static func filled(_ days: [HermesInsights.Day], atMost count: Int = 400) -> [HermesInsights.Day] {
        guard let last = days.last, count > 0 else { return [] }
        let known = Dictionary(days.map { ($0.number, $0) }) { first, _ in first }
        let first = max(days[0].number, last.number - count + 1)
        return (min(first, last.number)...last.number).map { known[$0] ?? HermesInsights.Day(number: $0) }
    }

    /// A day of which nothing is known but its sessions.
    package init(number: Int, sessions: Int64 = 0) {
        let date = HermesCalendar.date(of: number)
        self.init(
            year: date.year,
            month: date.month,
            day: date.day,
            sessions: sessions,
            messages: 0,
            tokens: 0,
            cost: 0
        )
    }

    /// Days since 1970-01-01; years begin in March, so that leap days come last.
    package var number: Int {
        let year = month > 2 ? year : year - 1
        let era = (year >= 0 ? year : year - 399) / 400
        let ofEra = year - era * 400
        let ofYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + ofEra * 365 + ofEra / 4 - ofEra / 100 + ofYear - 719_468
    }
}
