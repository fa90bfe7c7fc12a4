// Riff
// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// Counts sessions by the user's hours, weekdays and days.
package struct HermesCalendar {
    private let timeZone: TimeZone
    package private(set) var hours = [Int64](repeating: 0, count: 24)
    package private(set) var weekdays = [Int64](repeating: 0, count: 7)
    package private(set) var days: [HermesInsights.Day] = []
    private var lastDay: Int?

    package init(timeZone: TimeZone) { self.timeZone = timeZone }

    /// Adds a quarter of an hour: its number since 1970-01-01 UTC, sessions, messages and tokens (sums in two parts),
    /// and costs. They come in order.
    package mutating func add(_ row: SQLRow) {
        var row = SQLRowReader(row)
        guard let quarter = row.integer(), quarter.magnitude < 1 << 40 else { return }
        let time = Double(quarter) * 900
        // The clock's offset at that time, not at this one.
        let local = Int(time) + timeZone.secondsFromGMT(for: Date(timeIntervalSince1970: time))
        let (day, second) = (Self.floor(local, 86_400), local - Self.floor(local, 86_400) * 86_400)
        let (sessions, messages, tokens) = (row.count(), row.sum(), row.sum())
        hours[second / 3600] = hours[second / 3600].adding(sessions)
        // 1970-01-01 was a Thursday.
        let weekday = ((day + 3) % 7 + 7) % 7
        weekdays[weekday] = weekdays[weekday].adding(sessions)
        let cost = row.real() ?? 0
        if day == lastDay {
            days[days.count - 1].add(sessions: sessions, messages: messages, tokens: tokens, cost: cost)
        } else {
            let date = Self.date(of: day)
            days.append(
                HermesInsights.Day(
                    year: date.year,
                    month: date.month,
                    day: date.day,
                    sessions: sessions,
                    messages: messages,
                    tokens: tokens,
                    cost: cost
                )
            )
            lastDay = day
        }
    }

    private static func floor(_ value: Int, _ divisor: Int) -> Int {
        value / divisor - (value % divisor < 0 ? 1 : 0)
    }

    /// The Gregorian date of a day since 1970-01-01; years begin in March, so that leap days come last.
    static func date(of day: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = day + 719_468
        let era = floor(shifted, 146_097)
        let ofEra = shifted - era * 146_097
        let year = (ofEra - ofEra / 1460 + ofEra / 36_524 - ofEra / 146_096) / 365
        let ofYear = ofEra - (365 * year + year / 4 - year / 100)
        let march = (5 * ofYear + 2) / 153
        let month = march < 10 ? march + 3 : march - 9
        return (year + era * 400 + (month <= 2 ? 1 : 0), month, ofYear - (153 * march + 2) / 5 + 1)
    }
}

extension HermesInsights.Day {
    fileprivate mutating func add(sessions: Int64, messages: Int64, tokens: Int64, cost: Double) {
        self.sessions = self.sessions.adding(sessions)
        self.messages = self.messages.adding(messages)
        self.tokens = self.tokens.adding(tokens)
        self.cost += cost
    }
}
