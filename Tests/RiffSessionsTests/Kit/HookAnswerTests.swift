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
    /// The hook that waits at a question, and the client's half of its script.
    @Suite(.timeLimit(.minutes(5)))
    struct HookAnswerTests {
        /// An event of a question about a command, as its waiting hook tells it.
        private static func event(_ session: String = "s-1", command: String = "touch x") -> String {
            #"{"session_id":"\#(session)","hook_event_name":"PermissionRequest","tool_name":"Bash","tool_input":{"command":"\#(command)"}}"#
        }

        private static let allow = #"{"hookSpecificOutput":{"decision":{"behavior":"allow","message":"a\\n\u00e9"}}}"#

        /// A script that waits, and what it printed.
        private struct Waiter {
            let task: Task<String, any Error>
            let name: String
        }

        private struct Bench {
            let host: LocalHostSession
            let folder: String
            var answers: String { "\(folder)/run/answers" }

            static func with(_ body: (Bench) async throws -> Void) async throws {
                try await HostKitTests.with { host, _, _ in
                    let kit = HostKit(on: host)
                    let status = try await kit.install(try await kit.plan().consent())
                    try await body(Bench(host: host, folder: status.folder))
                }
            }

            func script(_ words: [String], input: String = "", variables: String = "") async throws -> String {
                let line = try ShellQuoting.join(["sh", "\(folder)/bin/riff-hook.sh"] + words)
                let result = try await host.run(
                    variables + line,
                    input: Array(input.utf8),
                    outputLimit: 1 << 20,
                    timeout: .seconds(60).patient
                )
                #expect(result.exit == .exited(0))
                return result.text
            }

            /// Starts a hook, and returns when it waits.
            func wait(_ event: String, variables: String = "") async throws -> Waiter {
                let before = try names()
                let task = Task { try await script(["claude"], input: event, variables: variables) }
                var name: String?
                try await waitUntil {
                    name = try names().first { !before.contains($0) }
                    return name != nil
                }
                return Waiter(task: task, name: try #require(name))
            }

            func names() throws -> [String] {
                try FileManager.default.contentsOfDirectory(atPath: answers)
                    .filter { $0.hasSuffix(".json") }.map { String($0.dropLast(5)) }
            }

            func answer(_ name: String, _ id: String, _ decision: String = allow) async throws -> String {
                try await script(["answer", name, id], input: decision + "\n")
            }
        }

        @Test func `an answer reaches the one hook that waits for it, once, however often it is sent`() async throws {
            try await Bench.with { bench in
                let first = try await bench.wait(Self.event())
                let second = try await bench.wait(Self.event(command: "touch y"))
                let told = try await bench.script(["questions"]).split(separator: "\n").map {
                    try JSONValue(parsing: Array($0.utf8))
                }
                #expect(Set(told.compactMap { $0["waiter"]?.text }) == [first.name, second.name])
                #expect(
                    Set(told.compactMap { $0["payload"]?["tool_input"]?["command"]?.text }) == ["touch x", "touch y"]
                )
                #expect(try await bench.answer(first.name, "id-1") == "given\n")
                #expect(try await first.task.value == Self.allow + "\n")
                #expect(try await bench.answer(first.name, "id-1") == "given\n")
                #expect(try await bench.answer(first.name, "id-2") == "taken\n")
                // The other one waits still.
                #expect(try bench.names() == [second.name])
                #expect(try await bench.answer(second.name, "id-3") == "given\n")
                #expect(try await second.task.value == Self.allow + "\n")
            }
        }

        @Test func `of many answers at once one is given`() async throws {
            try await Bench.with { bench in
                let waiter = try await bench.wait(Self.event())
                let words = try await withThrowingTaskGroup(of: String.self) { group in
                    for number in 0..<8 {
                        group.addTask { try await bench.answer(waiter.name, "id-\(number)", #"{"n":\#(number)}"#) }
                    }
                    return try await group.reduce(into: [String]()) { $0.append($1) }
                }
                #expect(words.count { $0 == "given\n" } == 1 && words.count { $0 == "taken\n" } == 7)
                let printed = try await waiter.task.value
                #expect((0..<8).map { #"{"n":\#($0)}"# + "\n" }.contains(printed))
            }
        }

        @Test(arguments: ["Stop", "StopFailure", "SessionEnd", "UserPromptSubmit"])
        func `an event that ends the question ends its hook, which prints nothing`(event: String) async throws {
            try await Bench.with { bench in
                let waiter = try await bench.wait(Self.event())
                let other = try await bench.wait(Self.event("s-2"))
                let text = #"{"session_id":"s-1","hook_event_name":"\#(event)"}"#
                #expect(try await bench.script(["claude"], input: text) == "")
                #expect(try await waiter.task.value == "")
                #expect(try await bench.answer(waiter.name, "id-1") == "gone\n")
                #expect(try bench.names() == [other.name])
                #expect(try await bench.answer(other.name, "id-2") == "given\n")
                _ = try await other.task.value
            }
        }

        @Test func `a hook waits for its time, and for Claude's permissions only`() async throws {
            try await Bench.with { bench in
                let waiter = try await bench.wait(Self.event(), variables: "RIFF_HOOK_PATIENCE=1 ")
                #expect(try await waiter.task.value == "")
                // Codex draws no dialog while a hook waits.
                #expect(try await bench.script(["codex"], input: Self.event()) == "")
                let other = Self.event().replacingOccurrences(of: "PermissionRequest", with: "PreToolUse")
                #expect(try await bench.script(["claude"], input: other) == "")
                let long = Self.event(command: String(repeating: "x", count: 70_000))
                #expect(try await bench.script(["claude"], input: long) == "")
                #expect(try FileManager.default.contentsOfDirectory(atPath: bench.answers) == [])
            }
        }

        @Test func `an agent that says that it does not wait has no question`() async throws {
            try await Bench.with { bench in
                let waiter = try await bench.wait(Self.event())
                let record = try String(contentsOfFile: "\(bench.answers)/\(waiter.name).json", encoding: .utf8)
                let status = URL(filePath: String(try #require(record.split(separator: "\n").last)))
                let folder = status.deletingLastPathComponent()
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
                try #"{"pid":1,"status":"busy"}"#.write(to: status, atomically: true, encoding: .utf8)
                #expect(try await bench.answer(waiter.name, "id-1") == "gone\n")
                // It is looked at twice, and then the hook is gone as well.
                #expect(try await waiter.task.value == "")
            }
        }

        @Test func `names that are none make no file and answer nothing`() async throws {
            try await Bench.with { bench in
                for name in ["", "..", "../hooks/x", "a/b", "a b", "s-1.1", "s-1.99999999"] {
                    let line = try ShellQuoting.join(["sh", "\(bench.folder)/bin/riff-hook.sh", "answer", name, "id"])
                    let result = try await bench.host.run(
                        line,
                        input: Array("{}\n".utf8),
                        outputLimit: 4096,
                        timeout: .seconds(30).patient
                    )
                    #expect(result.text == "gone\n" || result.text.isEmpty, "\(name)")
                }
                #expect(try FileManager.default.contentsOfDirectory(atPath: bench.answers) == [])
            }
        }

        @Test func `a kit that is removed leaves no hook waiting`() async throws {
            try await Bench.with { bench in
                let waiter = try await bench.wait(Self.event())
                #expect(try await HostKit(on: bench.host).remove() == [])
                #expect(try await waiter.task.value == "")
                #expect(!FileManager.default.fileExists(atPath: bench.folder))
            }
        }
    }
}
