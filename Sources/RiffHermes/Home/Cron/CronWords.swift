// Riff
// SPDX-License-Identifier: Apache-2.0

/// Schedules in words, in English: "Every weekday at 09:00".
package enum CronWords {
    /// An interval in words.
    package static func words(forMinutes minutes: Int) -> String {
        switch minutes {
        case ..<1: "At once, again and again"
        case 1: "Every minute"
        case 60: "Every hour"
        case 24 * 60: "Every day"
        case let minutes where minutes % (24 * 60) == 0: "Every \(minutes / (24 * 60)) days"
        case let minutes where minutes % 60 == 0: "Every \(minutes / 60) hours"
        case let minutes where minutes > 60: "Every \(minutes / 60) h \(minutes % 60) min"
        default: "Every \(minutes) minutes"
        }
    }

    /// An expression in words.
    package static func words(for expression: CronExpression) -> String {
        let days = dayWords(expression)
        let time = timeWords(expression)
        var words: String
        if expression.minute.single != nil
            || expression.minute.values.count <= 3 && expression.minute.step(dividing: 60) == nil,
            !expression.hour.isEvery, expression.hour.step(dividing: 24) == nil, !expression.hour.isRange,
            expression.minute.values.count * expression.hour.values.count <= 6
        {
            words = "\(days ?? "Every day") at \(time)"
        } else {
            words = days.map { "\(time), \(lowered($0))" } ?? time
        }
        if expression.sixth != nil { words += " (with seconds)" }
        return words
    }

    private static func lowered(_ text: String) -> String {
        guard text.hasPrefix("Every") || text.hasPrefix("On") else { return text }
        return text.prefix(1).lowercased() + text.dropFirst()
    }

    // MARK: Times

    private static func timeWords(_ expression: CronExpression) -> String {
        let (minute, hour) = (expression.minute, expression.hour)
        if let every = everyFew(minute, hour) { return every }
        let clock = hour.values.flatMap { hour in minute.values.map { (hour, $0) } }
        if clock.count <= 6, !hour.isRange { return list(clock.map { "\(two($0)):\(two($1))" }) }
        return "\(minuteWords(minute)) past \(hourWords(hour))"
    }

    /// "Every 15 minutes", "Every 2 hours at minute 5".
    private static func everyFew(_ minute: CronExpression.Field, _ hour: CronExpression.Field) -> String? {
        if minute.isEvery || minute.step(dividing: 60) != nil {
            let base = minute.step(dividing: 60).map { "Every \($0) minutes" } ?? "Every minute"
            if hour.isEvery { return base }
            return "\(base) \(hour.isRange ? "from \(span(hour))" : "in \(hourWords(hour))")"
        }
        guard hour.isEvery || hour.step(dividing: 24) != nil else {
            guard hour.isRange, let at = minute.single else { return nil }
            return
                "Every hour from \(two(hour.values.first ?? 0)):\(two(at)) to \(two(hour.values.last ?? 0)):\(two(at))"
        }
        let base = hour.step(dividing: 24).map { "Every \($0) hours" } ?? "Every hour"
        return minute.values == [0] ? base : "\(base) at \(minuteWords(minute))"
    }

    private static func minuteWords(_ minute: CronExpression.Field) -> String {
        "minute\(minute.values.count == 1 ? "" : "s") \(list(minute.values.map(String.init)))"
    }

    private static func hourWords(_ hour: CronExpression.Field) -> String {
        if hour.isEvery { return "every hour" }
        if let step = hour.step(dividing: 24) { return "every \(ordinal(step)) hour" }
        return hour.isRange
            ? "the hours from \(span(hour))"
            : "the hour\(hour.values.count == 1 ? "" : "s") \(list(hour.values.map(two)))"
    }

    private static func span(_ hour: CronExpression.Field) -> String {
        "\(two(hour.values.first ?? 0)):00 to \(two(hour.values.last ?? 0)):59"
    }

    // MARK: Days

    /// Which days; `nil` for every one.
    private static func dayWords(_ expression: CronExpression) -> String? {
        var parts: [String] = []
        if !expression.weekday.isEvery { parts.append(weekdayWords(expression.weekday)) }
        if !expression.day.isEvery {
            let words =
                expression.day.step.map { "Every \($0) days of the month" }
                ?? "On the \(list(runs(expression.day.values).map(dayRun)))"
            // Where both are given, cron runs when either holds.
            parts.append(parts.isEmpty ? words : "or \(lowered(words))")
        }
        if !expression.month.isEvery {
            let months = list(runs(expression.month.values).map { run($0, monthNames, offset: 1) })
            parts.append(
                parts.isEmpty ? "Every day in \(months)" : expression.day.isEvery ? "in \(months)" : "of \(months)"
            )
        } else if !expression.day.isEvery, expression.day.step == nil {
            parts.append("of every month")
        }
        return parts.isEmpty ? nil : parts.joined(separator: " ")
    }

    private static func weekdayWords(_ weekday: CronExpression.Field) -> String {
        switch weekday.values {
        case [1, 2, 3, 4, 5]: return "Every weekday"
        case [0, 6]: return "Every Saturday and Sunday"
        case let values where values.count == 1: return "Every \(weekdayNames[values[0]])"
        default: break
        }
        // Weeks begin with Monday for a reader.
        let days = weekday.values.map { $0 == 0 ? 7 : $0 }.sorted()
        return "Every " + list(runs(days).map { run($0, Array(weekdayNames.dropFirst()) + ["Sunday"], offset: 1) })
    }

    private static let weekdayNames = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
    private static let monthNames = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]

    /// Values that follow each other, three or more, as one run.
    private static func runs(_ values: [Int]) -> [ClosedRange<Int>] {
        var runs: [ClosedRange<Int>] = []
        for value in values {
            if let last = runs.last, last.upperBound == value - 1 {
                runs[runs.count - 1] = last.lowerBound...value
            } else {
                runs.append(value...value)
            }
        }
        return runs.flatMap { $0.count == 2 ? [$0.lowerBound...$0.lowerBound, $0.upperBound...$0.upperBound] : [$0] }
    }

    private static func run(_ run: ClosedRange<Int>, _ names: [String], offset: Int) -> String {
        let first = names[run.lowerBound - offset]
        return run.count == 1 ? first : "\(first) to \(names[run.upperBound - offset])"
    }

    private static func dayRun(_ run: ClosedRange<Int>) -> String {
        run.count == 1 ? ordinal(run.lowerBound) : "\(ordinal(run.lowerBound)) to \(ordinal(run.upperBound))"
    }

    // MARK: Words

    private static func ordinal(_ number: Int) -> String {
        let suffix =
            switch (number % 10, number % 100) {
            case (_, 11...13): "th"
            case (1, _): "st"
            case (2, _): "nd"
            case (3, _): "rd"
            default: "th"
            }
        return "\(number)\(suffix)"
    }

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

    private static func list(_ words: [String]) -> String {
        guard let last = words.last, words.count > 1 else { return words.first ?? "" }
        return words.dropLast().joined(separator: ", ") + " and " + last
    }
}

extension CronExpression.Field {
    /// The step, where it comes out even: `*/45` is minutes 0 and 45 of every hour, and not every 45 minutes.
    fileprivate func step(dividing count: Int) -> Int? { step.flatMap { count.isMultiple(of: $0) ? $0 : nil } }
}
