// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffAgents
import RiffCore
import RiffTesting

/// How a scene's judged states compare with what was there.
struct SceneScore {
    /// Seconds in which a working or waiting agent was called ready or done, after a second of grace.
    var falselyIdle = 0.0
    /// Seconds of spans longer than two seconds, after the first, and how many of them were judged right.
    var long = 0.0
    var right = 0.0
    /// Seconds of all spans after the first, and how many of them were unknown.
    var scored = 0.0
    var unknown = 0.0
    /// Questions that were not named.
    var unnamed: [String] = []
    /// What was wrong, for a person.
    var faults: [String] = []

    /// One span of `spans.json`.
    struct Span {
        let from: Double
        let to: Double
        let state: String
        let on: String?
    }

    static func spans(_ folder: URL) throws -> [Span] {
        let json = try JSONValue(parsing: [UInt8](try Data(contentsOf: folder.appendingPathComponent("spans.json"))))
        return (json.array ?? []).compactMap { span in
            guard let from = span["from"]?.double, let to = span["to"]?.double, let state = span["state"]?.text else {
                return nil
            }
            return Span(from: from, to: to, state: state, on: span["on"]?.text)
        }
    }

    /// Adds a scene, with its observations as they were or changed.
    mutating func add(
        _ folder: URL,
        facts: AgentFacts? = nil,
        without left: Set<Double> = [],
        change: ((AgentObservation) -> AgentObservation?)? = nil
    ) throws {
        var changes: [(time: Double, report: AgentReport)] = []
        var scene = try AgentScene(folder: folder.path)
        if let change { scene = scene.changed(change) }
        scene.judge(facts: facts) { time, report in changes.append((time / .seconds(1), report)) }
        let hooks = FileManager.default.fileExists(atPath: folder.appendingPathComponent("hooks.jsonl").path)
        for span in try Self.spans(folder) where !left.contains(span.from) {
            add(span, changes, grace: hooks ? 1 : 2, name: folder.lastPathComponent)
        }
    }

    private mutating func add(
        _ span: Span,
        _ changes: [(time: Double, report: AgentReport)],
        grace: Double,
        name: String
    ) {
        var named = false
        for (from, to, state) in Self.pieces(changes, span) {
            named = named || state?.name == "waiting" && (state?.subject ?? "").contains(span.on ?? "")
            let isIdle = ["ready", "done"].contains(state?.name)
            let wrongly = max(to - max(from, span.from + 1), 0)
            if span.state != "idle", isIdle, wrongly > 0 {
                falselyIdle += wrongly
                faults.append("\(name) \(from)...\(to): \(state?.name ?? "") while \(span.state)")
            }
            let counted = max(to - max(from, span.from + grace), 0)
            guard counted > 0 else { continue }
            let isRight =
                span.state == "idle" ? isIdle || state?.name == "interrupted" : state?.name == span.state
            scored += counted
            if state?.name == "unknown" { unknown += counted }
            if !isRight { faults.append("\(name) \(from)...\(to): \(state?.name ?? "") while \(span.state)") }
            guard span.to - span.from > 2 else { continue }
            long += counted
            if isRight { right += counted }
        }
        if span.state == "waiting", span.to - span.from > 1, !named { unnamed.append("\(name) \(span.from)") }
    }

    /// The states within a span.
    private static func pieces(
        _ changes: [(time: Double, report: AgentReport)],
        _ span: Span
    ) -> [(from: Double, to: Double, state: AgentState?)] {
        var pieces: [(from: Double, to: Double, state: AgentState?)] = []
        var start = span.from
        var state = changes.last { $0.time <= span.from }?.report.state
        for change in changes where change.time > span.from && change.time < span.to {
            pieces.append((start, change.time, state))
            start = change.time
            state = change.report.state
        }
        return pieces + [(start, span.to, state)]
    }
}
