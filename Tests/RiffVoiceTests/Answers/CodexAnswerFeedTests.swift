// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffTesting
import RiffTransport
import RiffVoice
import Testing
import VoiceTestSupport

extension InTurn {
    /// Real files, as Codex writes them.
    @Suite(.timeLimit(.minutes(2)))
    struct CodexAnswerFeedTests {
        private struct Home {
            let folder: String
            let clock = ManualClock()

            func write(_ lines: [String], _ id: String, day: String = "2026/11/28", at time: Int) throws {
                let path = "\(folder)/sessions/\(day)/rollout-2026-11-28T10-00-00-\(id).jsonl"
                let parent = URL(filePath: path).deletingLastPathComponent()
                try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
                if !FileManager.default.fileExists(atPath: path) { try Data().write(to: URL(filePath: path)) }
                let file = try #require(FileHandle(forWritingAtPath: path))
                try file.seekToEnd()
                try file.write(contentsOf: Data(lines.map { $0 + "\n" }.joined().utf8))
                try file.close()
                let date = Date(timeIntervalSince1970: 1_000_000 + Double(time))
                try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path)
            }

            func feed(project: String? = nil, conversation: String? = nil) -> CodexAnswerFeed {
                let records = CodexRecords(
                    on: LocalHostSession(),
                    project: project,
                    conversation: conversation,
                    folder: "\(folder)/sessions"
                )
                return CodexAnswerFeed(records, clock: clock)
            }

            func next(of feed: CodexAnswerFeed, after time: Double = 0) async throws -> AgentAnswer {
                let looking = Task { try await feed.next(after: time) }
                let ticking = Task {
                    while !Task.isCancelled {
                        await clock.sleepers(1)
                        clock.advance(by: .milliseconds(400))
                    }
                }
                defer { ticking.cancel() }
                return try await looking.value
            }
        }

        private static func with(_ body: (Home) async throws -> Void) async throws {
            try await AudioFolder.with { try await body(Home(folder: $0)) }
        }

        private static func meta(_ id: String, source: String = "user", directory: String = "/src") -> String {
            let payload = #"{"id":"\#(id)","cwd":"\#(directory)","source":"cli","thread_source":"\#(source)"}"#
            return #"{"timestamp":"2026-11-28T10:00:00.000Z","type":"session_meta","payload":\#(payload)}"#
        }

        private static func end(_ second: Int, _ more: String) -> String {
            let payload = #"{"type":"task_complete","turn_id":"t\#(second)",\#(more)}"#
            return #"{"timestamp":"2026-11-28T10:00:\#(second).000Z","type":"event_msg","payload":\#(payload)}"#
        }

        private static func said(_ second: Int, _ text: String) -> String {
            end(second, #""last_agent_message":"\#(text)""#)
        }

        @Test func `answers are told, and titles and helpers never`() async throws {
            try await Self.with { home in
                try home.write([Self.meta("a"), Self.said(10, "The answer.")], "a", at: 1)
                try home.write([Self.meta("b", source: "thread_title"), Self.said(30, "A title")], "b", at: 5)
                try home.write([Self.meta("c", source: "subagent"), Self.said(31, "A helper's")], "c", at: 6)
                let answer = try await home.next(of: home.feed())
                #expect(answer.content == .prose("The answer.") && !answer.isFailure)
            }
        }

        @Test func `a failed turn says why, and an interrupted one nothing`() async throws {
            try await Self.with { home in
                let aborted =
                    #"{"timestamp":"2026-11-28T10:00:20.000Z","type":"event_msg","payload":{"type":"turn_aborted"}}"#
                let failed = Self.end(30, #""last_agent_message":null,"error":{"message":"no credit left"}"#)
                try home.write([Self.meta("a"), Self.said(10, "One."), aborted, failed], "a", at: 1)
                let answer = try await home.next(of: home.feed())
                #expect(answer.isFailure && answer.content == .prose("The turn failed. no credit left."))
            }
        }

        @Test func `a project's records are followed, and one conversation's on whatever day it began`() async throws {
            try await Self.with { home in
                try home.write([Self.meta("a", directory: "/other"), Self.said(10, "Other.")], "a", at: 9)
                try home.write([Self.meta("b"), Self.said(11, "Mine.")], "b", at: 1)
                try home.write([Self.meta("c"), Self.said(12, "Old.")], "c", day: "2025/01/02", at: 0)
                #expect(try await home.next(of: home.feed(project: "/src")).content == .prose("Mine."))
                #expect(try await home.next(of: home.feed(conversation: "c")).content == .prose("Old."))
                #expect(try await home.next(of: home.feed()).content == .prose("Other."))
                let feed = home.feed(project: "/src")
                let begun = try await feed.beginning()
                #expect(begun > 1_000_000)
                try home.write([Self.said(40, "Later.")], "b", at: 20)
                #expect(try await home.next(of: feed, after: begun).content == .prose("Later."))
            }
        }
    }
}
