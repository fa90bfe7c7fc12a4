// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffHermes
import Testing

struct HermesCalendarTests {
    private func quarter(_ time: Double) -> SQLRow {
        // Sums come in two parts.
        [.integer(Int64(time / 900)), .integer(1), .integer(0), .integer(2), .integer(0), .integer(3), .real(0.5)]
    }

    @Test func `an hour that the clock skips has nobody, one that comes twice has all`() throws {
        var calendar = HermesCalendar(timeZone: try #require(TimeZone(identifier: "Europe/Berlin")))
        // 2026-03-29: at 01:00 UTC the clock goes from 02:00 to 03:00. 2026-10-25: at 01:00 UTC back from 03:00 to
        // 02:00.
        let spring = 1_774_742_400.0
        for hour in 0..<4 { calendar.add(quarter(spring + Double(hour) * 3600)) }
        #expect(calendar.hours[1...5] == [1, 0, 1, 1, 1])
        let autumn = 1_792_886_400.0
        for hour in 0..<4 { calendar.add(quarter(autumn + Double(hour) * 3600)) }
        #expect(calendar.hours[1...5] == [1, 2, 2, 2, 1])
        #expect(
            calendar.days.map { "\($0.year)-\($0.month)-\($0.day) \($0.sessions)" } == ["2026-3-29 4", "2026-10-25 4"]
        )
        // Both are Sundays, the last of the seven.
        #expect(calendar.weekdays == [0, 0, 0, 0, 0, 0, 8])
    }

    @Test(arguments: [("Asia/Kathmandu", 5), ("Pacific/Kiritimati", 14), ("Pacific/Marquesas", 14), ("UTC", 0)])
    func `offsets of quarters of an hour count`(zone: String, hour: Int) throws {
        var calendar = HermesCalendar(timeZone: try #require(TimeZone(identifier: zone)))
        calendar.add(quarter(1_774_742_400))
        #expect(calendar.hours.firstIndex(of: 1) == hour)
    }

    @Test func `times that no calendar knows are left out, and sums beyond 64 bits are the largest`() throws {
        var calendar = HermesCalendar(timeZone: try #require(TimeZone(identifier: "UTC")))
        for number in [Int64.min, .max, 1 << 40] {
            calendar.add([.integer(number), .integer(1), .integer(0), .integer(1), .integer(0), .integer(1), .real(1)])
        }
        #expect(calendar.days.isEmpty)
        let high = Int64(Int32.max)
        for _ in 0..<3 {
            calendar.add([
                .integer(0), .integer(.max), .integer(high), .integer(1 << 32), .integer(-high * 4), .integer(0),
                .real(1),
            ])
        }
        #expect(calendar.hours[0] == .max && calendar.weekdays[3] == .max)
        #expect(calendar.days.map(\.sessions) == [.max])
        #expect(calendar.days.map(\.messages) == [.max])
        #expect(calendar.days.map(\.tokens) == [.min])
    }

    @Test func `every day's date is the calendar's`() throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(identifier: "UTC"))
        for day in stride(from: -40_000, to: 60_000, by: 17) {
            var own = HermesCalendar(timeZone: calendar.timeZone)
            let time = Double(day) * 86_400
            own.add(quarter(time))
            let date = calendar.dateComponents(
                [.year, .month, .day, .weekday],
                from: Date(timeIntervalSince1970: time)
            )
            let found = try #require(own.days.first)
            #expect([found.year, found.month, found.day] == [date.year, date.month, date.day])
            #expect(own.weekdays.firstIndex(of: 1) == ((date.weekday ?? 0) + 5) % 7)
        }
    }
}
