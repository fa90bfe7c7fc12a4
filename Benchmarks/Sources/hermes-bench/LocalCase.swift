// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffHermes

/// Questions to a file of this machine.
enum LocalCase {
    static func run(_ file: String) async throws {
        let before = resident("VmRSS")
        let database = try await HermesDatabase.open(file)
        try await HermesBench.measure("first page of sessions", goal: 30) {
            "\(try await database.sessions().elements.count) sessions"
        }
        let second = try await database.sessions(limit: 500).next
        try await HermesBench.measure("a page behind 500", goal: 30) {
            "\(try await database.sessions(after: second).elements.count) sessions"
        }
        let session = try await database.sessions(limit: 1).elements[0].id
        try await HermesBench.measure("a page of messages", goal: 20) {
            "\(try await database.messages(of: session).elements.count) messages"
        }
        try await HermesBench.measure("tool activity", goal: 20) {
            "\(try await database.toolActivity().elements.count) calls"
        }
        for (text, order, goal) in [
            ("quokka", HermesSearch.Order.best, 50.0), ("quokka", .newest, 20), ("everywhere", .newest, 20),
            ("everywhere", .best, 100),
        ] {
            try await HermesBench.measure("\(text), \(order) first", goal: goal) {
                let results = try await database.search(HermesSearch(text, order: order))
                return "\(results.page.elements.count) hits by \(results.method), "
                    + (results.isRankingCapped ? "capped" : "not capped")
            }
        }
        var parts = HermesSearch("uokk")
        parts.matchesSubstrings = true
        try await HermesBench.measure("a part of a word, newest first", goal: 20) {
            "\(try await database.search(parts).page.elements.count) hits"
        }
        let newest = try await database.statistics().newest ?? 0
        let period = HermesInsights.Period.last(days: 30, before: newest + 1)
        try await HermesBench.measure("insights of 30 days", goal: 300) {
            let insights = try await database.insights(in: period)
            return "\(insights.totals.sessions) sessions, \(insights.tools.count) tools"
        }
        try await HermesBench.measure("notable sessions of 30 days", goal: 300) {
            "\(try await database.notableSessions(in: period).count) sessions"
        }
        try await HermesBench.measure("statistics of all", goal: 1000) {
            "\(try await database.statistics().messages) messages"
        }
        try await HermesBench.measure("fingerprint", goal: 1) {
            _ = try await database.fingerprint(); return ""
        }
        await database.close()
        let peak = resident("VmHWM") - before
        Swift.print(String(format: "memory\t%.1f MB at most above the start, goal 64", Double(peak) / 1024))
    }

    /// A field of /proc/self/status, in KiB; 0 where there is no such file.
    private static func resident(_ field: String) -> Int {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix(field + ":") }
        return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0
    }
}
