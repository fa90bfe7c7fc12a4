// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// A cron expression, read: minute, hour, day of the month, month, day of the week, and where it has a sixth field,
/// that.
package struct CronExpression: Sendable, Hashable {
    /// The values of one field.
    package struct Field: Sendable, Hashable {
        /// The values, in order; those of every step and list.
        package let values: [Int]
        /// Whether it was written so that every value counts (`*`, `*/1`).
        package let isEvery: Bool
        /// The step of `*/n`; `nil` for everything else.
        package let step: Int?
        /// Whether it is one range `a-b`.
        package let isRange: Bool

        /// The one value; `nil` for more.
        package var single: Int? { values.count == 1 ? values[0] : nil }
    }

    /// Minutes, 0 to 59.
    package let minute: Field
    /// Hours, 0 to 23.
    package let hour: Field
    /// Days of the month, 1 to 31.
    package let day: Field
    /// Months, 1 to 12.
    package let month: Field
    /// Days of the week, 0 (Sunday) to 6.
    package let weekday: Field
    /// The sixth field, as it was written; the agent's scheduler reads it as seconds.
    package let sixth: String?

    /// Reads an expression, also by a name such as `@daily`; `nil` where it is none.
    package init?(_ text: String) {
        let names = [
            "@hourly": "0 * * * *", "@daily": "0 0 * * *", "@midnight": "0 0 * * *", "@weekly": "0 0 * * 0",
            "@monthly": "0 0 1 * *", "@yearly": "0 0 1 1 *", "@annually": "0 0 1 1 *",
        ]
        let lower = text.lowercased()
        let fields = (names[lower] ?? lower).split(whereSeparator: \.isWhitespace).map(String.init)
        guard fields.count == 5 || fields.count == 6,
            let minute = Field(fields[0], 0...59), let hour = Field(fields[1], 0...23),
            let day = Field(fields[2], 1...31), let month = Field(fields[3], 1...12, names: Self.months),
            let weekday = Field(fields[4], 0...7, names: Self.weekdays)
        else { return nil }
        self.minute = minute
        self.hour = hour
        self.day = day
        self.month = month
        self.weekday = weekday.withSundayAsZero
        sixth = fields.count == 6 ? fields[5] : nil
    }

    private static let months = [
        "jan": 1, "feb": 2, "mar": 3, "apr": 4, "may": 5, "jun": 6, "jul": 7, "aug": 8, "sep": 9, "oct": 10, "nov": 11,
        "dec": 12,
    ]
    private static let weekdays = ["sun": 0, "mon": 1, "tue": 2, "wed": 3, "thu": 4, "fri": 5, "sat": 6]
}

extension CronExpression.Field {
    private init(values: Set<Int>, isEvery: Bool, step: Int?, isRange: Bool) {
        self.values = values.sorted()
        self.isEvery = isEvery
        self.step = step
        self.isRange = isRange
    }

    fileprivate init?(_ text: String, _ range: ClosedRange<Int>, names: [String: Int] = [:]) {
        var values: Set<Int> = []
        let items = text.split(separator: ",", omittingEmptySubsequences: false)
        for item in items {
            guard let found = Self.values(String(item), range, names) else { return nil }
            values.formUnion(found)
        }
        let step = items.count == 1 && text.hasPrefix(bytes: "*/") ? Int(text.dropFirst(2)) : nil
        let isEvery = text == "*" || text == "?" || step == 1
        let isRange = items.count == 1 && text.contains("-") && !text.contains(byte: "/")
        self.init(values: values, isEvery: isEvery, step: step == 1 ? nil : step, isRange: isRange)
    }

    private static func values(_ item: String, _ range: ClosedRange<Int>, _ names: [String: Int]) -> Set<Int>? {
        let parts = item.split(byte: "/", omittingEmptySubsequences: false)
        guard let base = parts.first, parts.count <= 2 else { return nil }
        var step = 1
        if parts.count == 2 {
            guard let number = Int(parts[1]), number > 0 else { return nil }
            step = number
        }
        let number = { (text: Substring) in names[String(text)] ?? Int(text) }
        let bounds: ClosedRange<Int>
        if base == "*" || base == "?" {
            bounds = range
        } else {
            let ends = base.split(separator: "-", omittingEmptySubsequences: false).map(number)
            guard let first = ends.first ?? nil, ends.count <= 2, range.contains(first) else { return nil }
            guard let last = ends.count == 2 ? ends[1] : parts.count == 2 ? range.upperBound : first,
                range.contains(last), first <= last
            else { return nil }
            bounds = first...last
        }
        return Set(stride(from: bounds.lowerBound, through: bounds.upperBound, by: step))
    }

    /// Cron writes Sunday as 0 and as 7.
    fileprivate var withSundayAsZero: Self {
        var days = Set(values)
        let hasBoth = days.contains(0) && days.contains(7)
        if days.remove(7) != nil { days.insert(0) }
        return Self(
            values: days,
            isEvery: isEvery || days.count == 7,
            step: step,
            isRange: isRange && (hasBoth || !values.contains(7))
        )
    }
}
