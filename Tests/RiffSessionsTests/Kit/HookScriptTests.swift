// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffSessions
import RiffTesting
import RiffTransport
import TestSupport
import Testing

extension InTurn {
    /// What an agent runs at its events.
    @Suite(.timeLimit(.minutes(5)))
    struct HookScriptTests {
        /// Runs the hook with an event, and looks at the notes of a session.
        struct Bench: Sendable {
            let host: LocalHostSession
            let folder: String

            static func with(_ body: (Bench) async throws -> Void) async throws {
                try await HostKitTests.with { host, _, _ in
                    let kit = HostKit(on: host)
                    let status = try await kit.install(try await kit.plan().consent())
                    try await body(Bench(host: host, folder: status.folder))
                }
            }

            @discardableResult
            func run(_ event: String, agent: String = "claude") async throws -> CommandResult {
                let line = try ShellQuoting.join(["sh", "\(folder)/bin/riff-hook.sh", agent])
                let result = try await host.run(
                    line,
                    input: Array(event.utf8),
                    outputLimit: 4096,
                    timeout: .seconds(30).patient
                )
                #expect(result.exit == .exited(0) && result.output.isEmpty && result.diagnostics.isEmpty)
                return result
            }

            func notes(_ session: String) throws -> [JSONValue] {
                let bytes = try Data(contentsOf: URL(filePath: "\(folder)/run/hooks/\(session).jsonl"))
                return try bytes.split(separator: 0x0A).map { try JSONValue(parsing: Array($0)) }
            }

            func files() throws -> [String] {
                try FileManager.default.contentsOfDirectory(atPath: "\(folder)/run/hooks").sorted()
            }
        }

        @Test func `events that come at once are whole lines, each once`() async throws {
            try await Bench.with { bench in
                let words = String(repeating: "日本 \\u00e9 ", count: 1500)
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for number in 0..<24 {
                        group.addTask {
                            try await bench.run(#"{"session_id":"s","number":\#(number),"text":"\#(words)"}"#)
                        }
                    }
                    try await group.waitForAll()
                }
                let numbers = try bench.notes("s").map { $0["payload"]?["number"]?.integer ?? -1 }
                #expect(numbers.sorted() == Array(0..<24))
                #expect(try bench.files() == ["s.jsonl"])
            }
        }

        @Test func `a payload that is too long is told by its names`() async throws {
            try await Bench.with { bench in
                let text = String(repeating: "x", count: 300_000)
                try await bench.run(
                    #"{"session_id":"s","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"\#(text)"}}"#
                )
                let payload = try #require(try bench.notes("s").first?["payload"])
                #expect(payload["cut"] == .bool(true) && payload["tool_name"]?.text == "Bash")
                #expect(payload["hook_event_name"]?.text == "PreToolUse")
            }
        }

        @Test(arguments: [
            #"{"prompt":"\"session_id\":\"evil\"","session_id":"s"}"#,
            #"{"prompt":",\"session_id\":\"evil\"","session_id":"s"}"#,
            #"{ "session_id" : "s" , "tool_input" : {"session_id":"evil"}}"#,
            "{\n  \"session_id\": \"s\",\n  \"x\": 1\n}\n",
        ])
        func `a session is known by its own name`(event: String) async throws {
            try await Bench.with { bench in
                try await bench.run(event)
                #expect(try bench.notes("s").first?["payload"]?["session_id"]?.text == "s")
                #expect(try bench.files() == ["s.jsonl"])
            }
        }

        @Test(arguments: ["", "no json", #"{"session_id":"../../x"}"#, "\u{0}\u{1}", #"{"session_id":"$(touch x)"}"#])
        func `what is no event is noted nowhere else, and never fails`(event: String) async throws {
            try await Bench.with { bench in
                try await bench.run(event, agent: "../x y")
                #expect(try bench.files() == ["unknown.jsonl"])
            }
        }

        @Test func `the notes of a session and their number are bounded`() async throws {
            try await Bench.with { bench in
                let text = String(repeating: "x", count: 60_000)
                for number in 0..<40 { try await bench.run(#"{"session_id":"s","n":\#(number),"t":"\#(text)"}"#) }
                #expect(try bench.files() == ["s.jsonl", "s.jsonl.1"])
                for file in try bench.files() {
                    let bytes = try Data(contentsOf: URL(filePath: "\(bench.folder)/run/hooks/\(file)")).count
                    #expect(bytes < 700_000)
                }
                // The newest are kept.
                #expect(try bench.notes("s").last?["payload"]?["n"]?.integer == 39)
                for number in 0..<80 { try await bench.run(#"{"session_id":"t\#(number)"}"#) }
                #expect(try bench.files().count <= 64)
                #expect(try bench.notes("t79").count == 1)
            }
        }

        @Test func `a lock that was left behind does not let the notes grow`() async throws {
            try await Bench.with { bench in
                try FileManager.default.createDirectory(
                    atPath: "\(bench.folder)/run/hooks/s.jsonl.lock",
                    withIntermediateDirectories: false
                )
                let text = String(repeating: "x", count: 65_000)
                for _ in 0..<60 { try await bench.run(#"{"session_id":"s","t":"\#(text)"}"#) }
                let bytes = try Data(contentsOf: URL(filePath: "\(bench.folder)/run/hooks/s.jsonl")).count
                #expect(bytes < 2_400_000)
            }
        }

        @Test func `after the removal nothing comes back`() async throws {
            try await HostKitTests.with { host, home, before in
                let kit = HostKit(on: host)
                let status = try await kit.install(try await kit.plan().consent())
                let text = try await host.read("\(status.folder)/bin/riff-hook.sh", from: 0, count: 1 << 20)
                #expect(try await kit.remove() == [])
                // The one that an agent had started already.
                let line = try ShellQuoting.join(["sh", "-c", String(decoding: text, as: UTF8.self)])
                let words = try ShellQuoting.join(["\(status.folder)/bin/riff-hook.sh", "claude"])
                let result = try await host.run(
                    "\(line) \(words)",
                    input: Array("{}".utf8),
                    outputLimit: 99,
                    timeout: .seconds(30)
                )
                #expect(result.exit == .exited(0) && result.output.isEmpty)
                #expect(try HomeSnapshot(home).differences(from: before) == [])
            }
        }
    }
}
