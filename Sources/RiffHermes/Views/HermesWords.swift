// Riff
// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Figures as short words, the same in every front end and on every system.
public enum HermesWords {
    /// Writes a time span in its two largest units: `42s`, `3m 5s`, `1h 5m`, `2d 3h`. Not a number, or negative: `0s`.
    public static func duration(seconds: Double) -> String {
        guard seconds.isFinite, seconds > 0 else { return "0s" }
        let whole = Int64(min(seconds.rounded(), 1e15))
        if whole < 60 { return "\(whole)s" }
        if whole < 3600 { return pair(whole / 60, "m", whole % 60, "s") }
        if whole < 86_400 { return pair(whole / 3600, "h", whole % 3600 / 60, "m") }
        return pair(whole / 86_400, "d", whole % 86_400 / 3600, "h")
    }

    /// Writes a count, of tokens or anything: `999`, `1.2K`, `12.3M`, `4.5B`; `200K` and `1M` without a fraction of 0.
    public static func count(_ count: Int64) -> String {
        if count < 0 { return count == .min ? "-9223372T" : "-" + self.count(-count) }
        if count < 1000 { return "\(count)" }
        var (unit, tenths) = (0, rounded(count, by: 100))
        // What is rounded up to a thousand is one of the next unit.
        while tenths >= 10_000, unit + 1 < units.count {
            unit += 1
            tenths = rounded(count, by: power(unit + 1) / 10)
        }
        let fraction = tenths % 10
        return "\(tenths / 10)" + (fraction == 0 ? "" : ".\(fraction)") + units[unit]
    }

    /// Writes a cost in US dollars: `$0`, `<$0.01`, `$1.23`, `$1234`; `nil`, an unknown cost, is `–`.
    public static func cost(_ dollars: Double?) -> String {
        guard let dollars, dollars.isFinite else { return "–" }
        if dollars <= 0 { return "$0" }
        if dollars < 0.01 { return "<$0.01" }
        if dollars >= 999.995 { return "$\(Int64(min(dollars.rounded(), 1e15)))" }
        let cents = Int64((dollars * 100).rounded())
        return "$\(cents / 100)." + padded(cents % 100)
    }

    /// A part of a whole: `0%`, `<1%`, `37%`.
    package static func share(_ part: Int64, of whole: Int64) -> String {
        guard whole > 0, part > 0 else { return "0%" }
        let share = Double(part) / Double(whole) * 100
        return share < 1 ? "<1%" : "\(Int64(min(share.rounded(), 1e9)))%"
    }

    /// Writes a point in time in the user's time zone: `2026-11-21 14:05`.
    ///
    /// - Parameters:
    ///   - seconds: Since 1970-01-01 UTC.
    ///   - timeZone: Where the user is.
    /// - Returns: It; `–` for what no calendar knows.
    public static func time(_ seconds: Double, in timeZone: TimeZone) -> String {
        guard seconds.isFinite, abs(seconds) < 2e11 else { return "–" }
        let offset = timeZone.secondsFromGMT(for: Date(timeIntervalSince1970: seconds))
        let local = Int(seconds.rounded(.down)) + offset
        let day = Int((Double(local) / 86_400).rounded(.down))
        let (date, minute) = (HermesCalendar.date(of: day), (local - day * 86_400) / 60)
        return "\(date.year)-\(padded(date.month))-\(padded(date.day)) \(padded(minute / 60)):\(padded(minute % 60))"
    }

    /// Writes the age of something: `now`, `5m ago`, `3h ago`, `2d ago`; a time to come is `now`.
    package static func age(of seconds: Double, now: Double) -> String {
        let age = now - seconds
        guard age.isFinite, age >= 60 else { return "now" }
        let words = duration(seconds: age).split(separator: " ")[0]
        return "\(words) ago"
    }

    private static let units = ["K", "M", "B", "T"]

    private static func power(_ exponent: Int) -> Int64 { (0..<exponent).reduce(1) { value, _ in value * 1000 } }

    private static func rounded(_ count: Int64, by divisor: Int64) -> Int64 {
        count / divisor + (count % divisor * 2 >= divisor ? 1 : 0)
    }

    private static func pair(_ first: Int64, _ firstUnit: String, _ second: Int64, _ secondUnit: String) -> String {
        second == 0 ? "\(first)\(firstUnit)" : "\(first)\(firstUnit) \(second)\(secondUnit)"
    }

    private static func padded(_ number: some BinaryInteger) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
