// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffHermes
import Testing

/// Figures as words, as tables.
struct HermesWordsTests {
    @Test(
        arguments: [
            (0, "0s"), (-5, "0s"), (.nan, "0s"), (.infinity, "0s"), (0.4, "0s"), (42, "42s"), (59.6, "1m"), (60, "1m"),
            (185, "3m 5s"), (3599, "59m 59s"), (3600, "1h"), (3900, "1h 5m"), (86_399, "23h 59m"), (86_400, "1d"),
            (183_600, "2d 3h"), (1e9, "11574d 1h"),
        ] as [(Double, String)]
    )
    func `durations`(seconds: Double, words: String) {
        #expect(HermesWords.duration(seconds: seconds) == words)
    }

    @Test(
        arguments: [
            (0, "0"), (999, "999"), (1000, "1K"), (1049, "1K"), (1050, "1.1K"), (1234, "1.2K"), (99_950, "100K"),
            (200_000, "200K"), (999_949, "999.9K"), (999_950, "1M"), (1_000_000, "1M"), (12_345_678, "12.3M"),
            (4_500_000_000, "4.5B"), (7_000_000_000_000, "7T"), (-1234, "-1.2K"), (.max, "9223372T"),
            (.min, "-9223372T"),
        ] as [(Int64, String)]
    )
    func `counts and tokens`(count: Int64, words: String) {
        #expect(HermesWords.count(count) == words)
    }

    @Test(
        arguments: [
            (nil, "–"), (0, "$0"), (0.001, "<$0.01"), (0.01, "$0.01"), (1.25, "$1.25"), (1.999, "$2.00"),
            (999.99, "$999.99"),
            (999.999, "$1000"), (12_345.6, "$12346"), (.nan, "–"),
        ] as [(Double?, String)]
    )
    func `costs`(dollars: Double?, words: String) {
        #expect(HermesWords.cost(dollars) == words)
    }

    @Test func `shares, times and ages`() throws {
        #expect(HermesWords.share(0, of: 10) == "0%")
        #expect(HermesWords.share(1, of: 1000) == "<1%")
        #expect(HermesWords.share(37, of: 100) == "37%")
        #expect(HermesWords.share(1, of: 0) == "0%")
        let oslo = try #require(TimeZone(identifier: "Europe/Oslo"))
        let utc = try #require(TimeZone(identifier: "UTC"))
        #expect(HermesWords.time(1_795_231_152.7, in: utc) == "2026-11-21 03:19")
        #expect(HermesWords.time(1_795_231_152.7, in: oslo) == "2026-11-21 04:19")
        #expect(HermesWords.time(-1, in: utc) == "1969-12-31 23:59")
        #expect(HermesWords.time(.infinity, in: utc) == "–")
        #expect(HermesWords.age(of: 100, now: 130) == "now")
        #expect(HermesWords.age(of: 200, now: 130) == "now")
        #expect(HermesWords.age(of: 0, now: 300) == "5m ago")
        #expect(HermesWords.age(of: 0, now: 7300) == "2h ago")
        #expect(HermesWords.age(of: 0, now: 200_000) == "2d ago")
    }

    @Test(arguments: [
        (#"{"command":"ls -l\nrm x"}"#, "ls -l rm x"), (#"{"path":"a.txt","content":"long"}"#, "a.txt"),
        (#"{"query":""," x":1}"#, #"{"query":""," x":1}"#), ("{}", ""), ("{broken", "{broken"),
        (#"{"count":3}"#, #"{"count":3}"#), (#"{"command":"\u001b[2Jx"}"#, "[2Jx"),
    ])
    func `what a call is about`(arguments: String, words: String) {
        #expect(HermesMessage.ToolCall.summary(of: arguments) == words)
    }

    // MARK: Days

    @Test func `days are whole ones where the user is, also when the clock is changed`() throws {
        let berlin = try #require(TimeZone(identifier: "Europe/Berlin"))
        // 2026-10-26 12:00 in Berlin; on the 25th the day had 25 hours.
        let now = 1_793_012_400.0
        let today = HermesReport.Span.days(1).period(now: now, timeZone: berlin)
        #expect(today.period.from == now - 12 * 3600)
        #expect(today.period.before == nil)
        #expect(today.endOfDay == now + 12 * 3600)
        #expect(HermesReport.Span.days(2).period(now: now, timeZone: berlin).period.from == now - 37 * 3600)
        #expect(HermesReport.Span.days(0).period(now: now, timeZone: berlin).period.from == now - 12 * 3600)
        #expect(HermesReport.Span.all.period(now: now, timeZone: berlin).period.from == nil)
    }

    @Test func `a chart has the days between, and the newest where there are too many`() {
        // 2028-02-27 and 2028-03-01.
        let days = [HermesInsights.Day(number: 21_241, sessions: 1), HermesInsights.Day(number: 21_244, sessions: 1)]
        #expect(HermesInsights.Day.filled(days).map { [$0.month, $0.day] } == [[2, 27], [2, 28], [2, 29], [3, 1]])
        #expect(HermesInsights.Day.filled(days).map(\.sessions) == [1, 0, 0, 1])
        #expect(HermesInsights.Day.filled(days, atMost: 2).map(\.day) == [29, 1])
        #expect(HermesInsights.Day.filled([]).isEmpty)
        #expect(
            HermesInsights.Day.filled([HermesInsights.Day(number: 0), HermesInsights.Day(number: 20_454)]).count == 400
        )
    }

    @Test(arguments: [-800_000, -1, 0, 59, 60, 11_016, 20_778, 500_000])
    func `a day's number is its date's`(number: Int) {
        #expect(HermesInsights.Day(number: number).number == number)
    }
}
