// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffHermes

/// Insights as lines with bars, on a screen and in a pipe.
struct InsightsText {
    let report: HermesReport
    let timeZone: TimeZone
    /// How long the longest bar is.
    let width: Int

    init(_ report: HermesReport, timeZone: TimeZone, width: Int) {
        self.report = report
        self.timeZone = timeZone
        self.width = width
    }

    var lines: [String] {
        let insights = report.insights
        let (totals, tokens) = (insights.totals, insights.totals.tokens)
        var lines = [
            "",
            "  \(totals.sessions) sessions, \(HermesWords.count(totals.messages)) messages, "
                + "\(HermesWords.count(totals.toolCalls)) tool calls, \(HermesWords.duration(seconds: totals.seconds)), "
                + HermesWords.cost(totals.cost.best),
            "  \(HermesWords.count(tokens.total)) tokens: \(HermesWords.count(tokens.input)) in, "
                + "\(HermesWords.count(tokens.output)) out, \(HermesWords.count(tokens.cacheRead)) from and "
                + "\(HermesWords.count(tokens.cacheWrite)) to the cache; \(HermesWords.count(tokens.reasoning)) of it reasoning",
        ]
        lines += chart("Models, by tokens", insights.models.map { ($0.name, $0.totals.tokens.total) })
        lines += chart("Platforms, by sessions", insights.platforms.map { ($0.name, $0.totals.sessions) })
        lines += chart("Tools, by calls", insights.tools.map { ($0.name, $0.calls) })
        lines += chart("Days, by sessions", days(insights))
        let names = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
        lines += chart("Days of the week", Array(zip(names, insights.weekdays)))
        if totals.sessions > 0 {
            lines += ["", "  Hours of the day", "  0     6     12    18"]
            lines.append("  " + Bars.columns(insights.hours.map(Double.init)))
        }
        if !report.notable.isEmpty { lines += ["", "  Sessions that stand out"] }
        lines += report.notable.map { "  \(Self.name(of: $0)): \(DashText.inert($0.session.heading))" }
        return lines
    }

    /// The last two weeks; what lies before would be too long a list.
    private func days(_ insights: HermesInsights) -> [(String, Int64)] {
        HermesInsights.Day.filled(insights.days, atMost: 14).map { day in
            ("\(day.year)-\(two(day.month))-\(two(day.day))", day.sessions)
        }
    }

    private func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

    /// At most twelve; the rest as one.
    private func chart(_ title: String, _ values: [(name: String, value: Int64)]) -> [String] {
        guard values.contains(where: { $0.value > 0 }) else { return [] }
        var shown = Array(values.prefix(values.count > 14 ? 12 : 14))
        let rest = values.dropFirst(shown.count).reduce(0) { $0 + $1.value }
        if values.count > shown.count { shown.append(("\(values.count - shown.count) others", rest)) }
        let longest = Double(shown.map(\.value).max() ?? 0)
        return ["", "  \(title)"]
            + shown.map { name, value in
                let label = String(DashText.inert(name.isEmpty ? "(none)" : name).prefix(24))
                let padded = label + String(repeating: " ", count: max(0, 25 - CharacterWidth.of(label)))
                let figure = DashText.right(HermesWords.count(value), 7)
                return "  \(padded)\(figure) " + Bars.bar(Double(value), of: longest, width: width)
            }
    }

    static func name(of notable: HermesInsights.Notable) -> String {
        let session = notable.session
        return switch notable.reason {
        case .longest: "longest, \(HermesWords.duration(seconds: session.seconds ?? 0))"
        case .mostMessages: "most messages, \(session.messageCount)"
        case .mostTokens: "most tokens, \(HermesWords.count(session.tokens.total))"
        case .mostToolCalls: "most tool calls, \(session.toolCallCount)"
        case .costliest: "costliest, \(HermesWords.cost(session.cost.best))"
        }
    }
}
