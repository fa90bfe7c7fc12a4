// Riff
// SPDX-License-Identifier: Apache-2.0

/// Points in time as the agent writes them into its files, ISO 8601 with an offset; here they are seconds since
/// 1970-01-01 UTC.
package enum HermesTime {
    /// Reads a time: `2026-11-21T03:19:07.420+01:00`, also with a space, without seconds, or with `Z`.
    ///
    /// - Returns: Seconds since 1970-01-01 UTC; `nil` for a text that is no time, or one without an offset, which only
    ///   its writer knows.
    package static func seconds(of text: String) -> Double? {
        var rest = Array(text.utf8)[...]
        guard let year = number(&rest, 4), mark(&rest, "-"), let month = number(&rest, 2), mark(&rest, "-"),
            let day = number(&rest, 2), mark(&rest, "T") || mark(&rest, "t") || mark(&rest, " "),
            let hour = number(&rest, 2), mark(&rest, ":"), let minute = number(&rest, 2),
            (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60
        else { return nil }
        var seconds = 0.0
        if mark(&rest, ":") {
            guard let second = number(&rest, 2), second <= 60 else { return nil }
            seconds = Double(second)
            if mark(&rest, ".") || mark(&rest, ",") {
                let digits = rest.prefix { (0x30...0x39).contains($0) }
                rest = rest.dropFirst(digits.count)
                seconds += Double("0.\(String(decoding: digits.prefix(9), as: UTF8.self))") ?? 0
            }
        }
        guard let offset = offset(rest) else { return nil }
        let days = HermesInsights.Day(year: year, month: month, day: day).number
        return Double(days * 86_400 + hour * 3600 + minute * 60 - offset) + seconds
    }

    /// Writes a time in whole seconds: `2026-11-21T03:19:07+00:00`; that of 1970 for one that no calendar knows.
    package static func text(of seconds: Double) -> String {
        let whole = seconds.isFinite && seconds.magnitude < 2e11 ? Int(seconds.rounded(.down)) : 0
        let day = Int((Double(whole) / 86_400).rounded(.down))
        let (date, second) = (HermesCalendar.date(of: day), whole - day * 86_400)
        let clock = [second / 3600, second / 60 % 60, second % 60].map { padded($0) }.joined(separator: ":")
        return "\(padded(date.year, 4))-\(padded(date.month))-\(padded(date.day))T\(clock)+00:00"
    }

    /// The offset from UTC in seconds; `nil` for none.
    private static func offset(_ text: ArraySlice<UInt8>) -> Int? {
        var rest = text
        if mark(&rest, "Z") || mark(&rest, "z") { return rest.isEmpty ? 0 : nil }
        let sign = mark(&rest, "+") ? 1 : mark(&rest, "-") ? -1 : 0
        guard sign != 0, let hours = number(&rest, 2) else { return nil }
        _ = mark(&rest, ":")
        guard rest.isEmpty || rest.count == 2, let minutes = rest.isEmpty ? 0 : number(&rest, 2) else { return nil }
        return sign * (hours * 3600 + minutes * 60)
    }

    private static func number(_ text: inout ArraySlice<UInt8>, _ digits: Int) -> Int? {
        let found = text.prefix(digits)
        guard found.count == digits, found.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        text = text.dropFirst(digits)
        return found.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }

    private static func mark(_ text: inout ArraySlice<UInt8>, _ character: Unicode.Scalar) -> Bool {
        guard let first = text.first, first == UInt8(ascii: character) else { return false }
        text = text.dropFirst()
        return true
    }

    private static func padded(_ number: Int, _ count: Int = 2) -> String {
        let text = "\(number)"
        return String(repeating: "0", count: max(0, count - text.count)) + text
    }
}
