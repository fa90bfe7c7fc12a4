// Riff
// SPDX-License-Identifier: Apache-2.0

/// A time as Sven servers write it, `YYYY-MM-DD HH:MM:SS` in UTC: they compare it as text, so that it must stay one.
package struct SvenTime: Sendable, Hashable {
    /// Since 1970, in the years 0001 to 9999.
    package let seconds: Int

    private static let range = -62_135_596_800...253_402_300_799

    /// The whole second of a time since 1970, kept within what the text can say.
    package init(secondsSince1970 time: Double) {
        let range = Self.range
        let kept = min(max(time.rounded(.down), Double(range.lowerBound)), Double(range.upperBound))
        seconds = time.isNaN ? 0 : Int(kept)
    }

    /// Reads a time; `nil` where the text is in another format, or no such day exists.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count == 19 else { return nil }
        func number(_ range: Range<Int>) -> Int? {
            bytes[range].reduce(Int?.some(0)) { sum, byte in
                guard let sum, (0x30...0x39).contains(byte) else { return nil }
                return sum * 10 + Int(byte - 0x30)
            }
        }
        guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10),
            let hour = number(11..<13), let minute = number(14..<16), let second = number(17..<19)
        else { return nil }
        let days = Self.days(year: year, month: month, day: day)
        seconds = days * 86_400 + hour * 3600 + minute * 60 + second
        // The one text of each time is what is written here: that refuses 30 February, 25 o'clock and other separators.
        guard Self.range.contains(seconds), self.text == text else { return nil }
    }

    private init(seconds: Int) { self.seconds = seconds }

    /// One second earlier; the first second stays.
    package var previous: SvenTime { SvenTime(seconds: max(seconds - 1, Self.range.lowerBound)) }

    /// The time as text.
    package var text: String {
        let second = ((seconds % 86_400) + 86_400) % 86_400
        let (year, month, day) = Self.date(day: (seconds - second) / 86_400)
        func digits(_ number: Int, _ count: Int) -> String {
            let text = String(number)
            return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
        }
        let date = "\(digits(year, 4))-\(digits(month, 2))-\(digits(day, 2))"
        return "\(date) \(digits(second / 3600, 2)):\(digits(second / 60 % 60, 2)):\(digits(second % 60, 2))"
    }

    // MARK: The Gregorian calendar, in years that begin in March so that the leap day is the last

    /// Days from 1970-01-01 to a date; months past 12 and days past the month's end count on.
    private static func days(year: Int, month: Int, day: Int) -> Int {
        let year = month > 2 ? year : year - 1
        let monthFromMarch = (month + 9) % 12
        let dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1
        let era = (year >= 0 ? year : year - 399) / 400
        let yearOfEra = year - era * 400
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    private static func date(day: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = day + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
    }
}
