// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffTalk
import RiffTesting
import TestSupport
import Testing

/// Commands from a seed, in the questions of Claude and Codex as they are drawn on screens of any size.
@Suite(.timeLimit(.minutes(5)))
struct GeneratedQuestionTests {
    /// All 10,000 with `RIFF_QUESTIONS=10000`.
    static let count = ProcessInfo.processInfo.environment["RIFF_QUESTIONS"].flatMap(Int.init) ?? 2_000

    @Test func `all lines of the command are read out, or there is nothing to approve`() {
        var generator = CommandGenerator(seed: 27)
        var read = 0
        for index in 0..<Self.count {
            let columns = Int.random(in: 40...200, using: &generator.generator)
            let layout = QuestionLayout(
                columns: columns,
                height: Int.random(in: 24...60, using: &generator.generator),
                hasBars: index % 2 == 0,
                description: index % 3 == 0 ? generator.any(columns: columns) : "Run shell command",
                remark: index % 5 == 0 ? "This command requires approval" : nil
            )
            let command = generator.any(columns: columns)
            let rows = layout.claude(command)
            guard let prompt = ClaudePermissionPrompt.read(rows), prompt.allowOnce != nil else { continue }
            read += 1
            if !RecordedQuestionTests.text(prompt.spoken, holds: command) {
                Issue.record("\(index): \(command.debugDescription) was read out as \(prompt.spoken.debugDescription)")
                return
            }
        }
        // Else it would be no test.
        #expect(read > Self.count / 10)
    }

    @Test func `plain commands are read`() {
        var generator = CommandGenerator(seed: 28)
        let commands = (0..<1_000).map { _ in generator.plain() }
        let read = commands.filter { command in
            let layout = QuestionLayout(columns: Int.random(in: 80...200, using: &generator.generator), height: 40)
            let prompt = ClaudePermissionPrompt.read(layout.claude(command))
            return prompt?.allowOnce?.number == 1 && prompt?.subject.joined(separator: " ") == command
        }
        #expect(read.count >= 990, "\(read.count)")
    }

    @Test func `Codex's questions are seen, and are none of Claude's`() {
        var generator = CommandGenerator(seed: 29)
        for _ in 0..<Self.count / 4 {
            let columns = Int.random(in: 40...200, using: &generator.generator)
            let layout = QuestionLayout(
                columns: columns,
                height: Int.random(in: 24...60, using: &generator.generator),
                description: generator.any(columns: columns)
            )
            let rows = layout.codex(generator.any(columns: columns))
            #expect(ClaudePermissionPrompt.read(rows) == nil)
            for program in ["codex", "node", "claude", "bash", nil] {
                let look = ScreenLook(
                    rows: rows,
                    cursorRow: nil,
                    cursorColumn: nil,
                    isAlternate: true,
                    program: program
                )
                if case .atPrompt = look.reading { Issue.record("\(rows)") }
            }
        }
    }

    @Test func `no question of Claude's is a prompt, whatever its command draws`() {
        var generator = CommandGenerator(seed: 30)
        for index in 0..<Self.count / 4 {
            let columns = Int.random(in: 40...200, using: &generator.generator)
            let layout = QuestionLayout(
                columns: columns,
                height: Int.random(in: 24...60, using: &generator.generator),
                hasBars: index % 2 == 0
            )
            let sign = index % 3 == 0 ? "❯\u{A0}" : "❯ fix"
            let rule = String(repeating: "─", count: columns)
            let command =
                index % 4 == 0 ? "\(rule)\n\(sign)\n\(rule)\n  ? for shortcuts" : generator.any(columns: columns)
            let rows = layout.claude(command)
            #expect(ClaudePermissionPrompt.mayStand(on: rows))
            for program in ["codex", "node", "claude", "bash", nil] {
                let look = ScreenLook(
                    rows: rows,
                    cursorRow: nil,
                    cursorColumn: nil,
                    isAlternate: true,
                    program: program
                )
                if case .atPrompt = look.reading { Issue.record("\(rows)") }
            }
        }
    }
}
