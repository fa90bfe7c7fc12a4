// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffHermes
import RiffTesting
import TestSupport
import Testing

extension HermesInTurn {
    /// Conversations that Hermes compacted in their place: it puts all messages aside (`active = 0, compacted = 1`),
    /// and writes what stays of them anew, with a summary (`archive_and_compact` of hermes-agent 0.19.0).
    @Suite(.enabled(if: HermesLab.isInstalled, "sqlite3 or python3 is missing"), .timeLimit(.minutes(5)))
    struct HermesCompactionTests {
        /// One message as it is appended; `nil` for its time where the agent did not know it when it compacted.
        private struct Line {
            var role: String
            var content: String
            var time: Double
            var calls = "NULL"
            var callID = "NULL"
        }

        private static let call = #"'[{"id": "c1", "function": {"name": "terminal", "arguments": "{}"}}]'"#

        private static let conversation = [
            Line(role: "user", content: "apple one", time: 100),
            Line(role: "assistant", content: "yes", time: 101),
            Line(role: "user", content: "apple two", time: 102),
            Line(role: "assistant", content: "", time: 103, calls: call),
            Line(role: "tool", content: "apple done", time: 104, callID: "'c1'"),
            Line(role: "assistant", content: "yes", time: 105),
        ]

        private static func insert(_ line: Line, at time: Double) -> String {
            "INSERT INTO messages (session_id, role, content, timestamp, tool_calls, tool_call_id) VALUES ('s', "
                + "'\(line.role)', '\(line.content)', \(time), \(line.calls), \(line.callID));"
        }

        /// A compaction at a time: the last lines stay, with their own times or that of the compaction.
        private static func compaction(_ tail: some Collection<Line>, at time: Double, isTimed: Bool) -> [String] {
            let aside = "UPDATE messages SET active = 0, compacted = 1 WHERE session_id = 's' AND active = 1;"
            let summary = insert(Line(role: "user", content: "summary \(time)", time: time), at: time)
            let copies = tail.enumerated().map { place, line in
                insert(line, at: isTimed ? line.time : time + Double(place + 1) * 1e-6)
            }
            return [aside, summary] + copies
        }

        private static func with(
            _ way: String,
            isTimed: Bool,
            generations: Int,
            _ body: (HermesDatabase) async throws -> Void
        ) async throws {
            try await HermesLab.with { lab in
                var lines = ["INSERT INTO sessions (id, source, started_at) VALUES ('s', 'cli', 100);"]
                lines += conversation.map { insert($0, at: $0.time) }
                for generation in 0..<generations {
                    let tail = conversation.suffix(4)
                    lines += compaction(tail, at: 1_795_000_000 + Double(generation) * 60, isTimed: isTimed)
                }
                let path = try await lab.made("compacted.db", lines.joined(separator: "\n"))
                let database = try await HermesRecordedTests.open(path, way)
                try await body(database)
                await database.close()
            }
        }

        @Test(arguments: HermesRecordedTests.ways, [true, false])
        func `what was written once more is shown, found and counted once`(way: String, isTimed: Bool) async throws {
            for generations in [1, 2] {
                try await Self.with(way, isTimed: isTimed, generations: generations) { database in
                    let shown = try await database.messages(of: "s", .withCompacted, limit: 100).elements
                    // The two that were said before, the four that stay, and the summaries.
                    #expect(shown.count == 6 + generations)
                    #expect(shown.filter { $0.content == "yes" }.count == 2)
                    #expect(shown.filter { $0.content == "apple two" }.map(\.isActive) == [true])
                    #expect(shown.filter { $0.content == "apple one" }.map(\.isCompacted) == [true])
                    #expect(try await database.messages(of: "s").elements.count == 5)
                    for order in [HermesSearch.Order.newest, .best] {
                        let found = try await database.search(HermesSearch("apple", order: order)).page.elements
                        #expect(found.count == 3)
                        for hit in found {
                            let filter = HermesTranscript.Question(hit).filter
                            let around = try await database.messages(of: "s", filter).elements
                            #expect(around.contains { $0.id == hit.messageID })
                        }
                    }
                    let uses = try await database.toolActivity().elements
                    #expect(uses.map(\.call.id) == ["c1"])
                    #expect(uses.first?.result?.content == "apple done")
                    let insights = try await database.insights(in: HermesInsights.Period())
                    #expect(insights.tools.map(\.calls) == [1])
                    #expect(insights.roles[.tool] == 1)
                    #expect(insights.roles[.assistant] == 3)
                    #expect(insights.roles[.user] == 2 + Int64(generations))
                }
            }
        }

        @Test func `the same words said again are two messages`() async throws {
            try await HermesLab.with { lab in
                let words = Line(role: "user", content: "go on", time: 0)
                var lines = ["INSERT INTO sessions (id, source, started_at) VALUES ('s', 'cli', 100);"]
                lines += [100.0, 200].map { Self.insert(words, at: $0) }
                lines += Self.compaction([], at: 300, isTimed: true)
                lines += [400.0, 500].map { Self.insert(words, at: $0) }
                let path = try await lab.made("again.db", lines.joined(separator: "\n"))
                let database = try await HermesDatabase.open(path)
                let shown = try await database.messages(of: "s", .withCompacted).elements
                #expect(shown.map(\.timestamp) == [100, 200, 300, 400, 500])
                await database.close()
            }
        }

        @Test(arguments: HermesRecordedTests.ways)
        func `what was taken back is counted no more`(way: String) async throws {
            try await HermesLab.with { lab in
                var lines = ["INSERT INTO sessions (id, source, started_at) VALUES ('s', 'cli', 100);"]
                lines += Self.conversation.map { Self.insert($0, at: $0.time) }
                lines.append("UPDATE messages SET active = 0 WHERE timestamp >= 102;")
                let path = try await lab.made("rewound.db", lines.joined(separator: "\n"))
                let database = try await HermesRecordedTests.open(path, way)
                let insights = try await database.insights(in: HermesInsights.Period())
                #expect(insights.tools.isEmpty)
                #expect(insights.roles == [.user: 1, .assistant: 1])
                await database.close()
            }
        }
    }
}
