// Riff
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import RiffAgents
internal import RiffCore

/// The lines of a scene's transcripts and rollouts with the times at which they were seen.
///
/// `file-times.jsonl` has a time for most lines, in order for each file, and knows a file by the end of its name. A
/// line without a time comes with the next one that has one.
struct AgentSceneRecords {
    private(set) var events: [AgentScene.Event] = []

    init(folder: URL) throws {
        var times: [String: [(time: Duration, key: String)]] = [:]
        for line in try AgentScene.lines(folder, "file-times.jsonl") {
            guard let file = line["file"]?.text, file.hasSuffix(bytes: ".jsonl"), line["type"] != nil else { continue }
            guard let time = AgentScene.time(line) else { continue }
            times[String(file.dropLast(6)), default: []].append((time, Self.key(ofTime: line)))
        }
        guard !times.isEmpty else { return }
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        for name in names
        where Self.prefixes.contains(where: { name.hasPrefix(bytes: $0) }) && name.hasSuffix(bytes: ".jsonl") {
            let lines = try AgentScene.lines(folder, name)
            let ids = Set(lines.flatMap(Self.ids))
            guard
                let end = times.keys.sorted().first(where: { end in
                    ids.contains { ("agent-" + $0).hasSuffix(bytes: end) }
                })
            else { continue }
            add(lines, times[end] ?? [], file: end)
        }
    }

    private static let prefixes = ["transcript", "rollout", "subagent"]

    /// Returns the ids that a file's name may end with: the conversation's or the helper's.
    private static func ids(_ line: JSONValue) -> [String] {
        if let helper = line["agentId"]?.text { return [helper] }
        if line["type"]?.text == "session_meta" { return [line["payload"]?["id"]?.text].compactMap(\.self) }
        return line["isSidechain"]?.bool == true ? [] : [line["sessionId"]?.text].compactMap(\.self)
    }

    private static func key(ofTime line: JSONValue) -> String {
        ["type", "subtype", "ptype", "op", "role", "stop"].map { line[$0]?.text ?? "" }.joined(separator: "|")
    }

    private static func key(ofLine line: JSONValue) -> String {
        let inner = line["message"] ?? line["payload"]
        return [
            line["type"]?.text, line["subtype"]?.text, line["payload"]?["type"]?.text, line["operation"]?.text,
            inner?["role"]?.text, line["message"]?["stop_reason"]?.text,
        ].map { $0 ?? "" }.joined(separator: "|")
    }

    /// Matches lines to times so that as many as possible have one, in order.
    private mutating func add(_ lines: [JSONValue], _ times: [(time: Duration, key: String)], file: String) {
        let keys = lines.map(Self.key(ofLine:))
        var best = Array(repeating: Array(repeating: 0, count: times.count + 1), count: keys.count + 1)
        for line in keys.indices.reversed() {
            for time in times.indices.reversed() {
                let skipped = max(best[line + 1][time], best[line][time + 1])
                best[line][time] =
                    keys[line] == times[time].key ? max(skipped, best[line + 1][time + 1] + 1) : skipped
            }
        }
        var time = 0
        var waiting: [JSONValue] = []
        for line in keys.indices {
            while time < times.count, best[line][time] == best[line][time + 1], best[line][time] > 0 { time += 1 }
            waiting.append(lines[line])
            guard time < times.count, keys[line] == times[time].key, best[line][time] == best[line + 1][time + 1] + 1
            else { continue }
            for line in waiting {
                events.append(
                    AgentScene.Event(
                        time: times[time].time,
                        factTime: times[time].time,
                        observation: .recordLine(line.bytes(), file: file),
                        stamp: line["timestamp"]?.text.flatMap(Self.stamp)
                    )
                )
            }
            waiting = []
            time += 1
        }
    }

    /// Milliseconds since 1970 of `2026-11-25T08:41:34.361Z`.
    private static func stamp(_ text: String) -> Duration? {
        guard let date = try? Date(text, strategy: .iso8601.year().month().day().time(includingFractionalSeconds: true))
        else { return nil }
        return .milliseconds(Int((date.timeIntervalSince1970 * 1000).rounded()))
    }
}
