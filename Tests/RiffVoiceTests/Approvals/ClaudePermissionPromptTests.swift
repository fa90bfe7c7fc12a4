// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffVoice
import Testing

struct ClaudePermissionPromptTests {
    static func rows() throws -> [String] {
        let text = try String(contentsOfFile: Speech.fixture("approvals/claude-permission-prompt.txt"), encoding: .utf8)
        return text.components(separatedBy: "\n")
    }

    @Test func `the real prompt is read, with what it is about`() throws {
        let prompt = try #require(ClaudePermissionPrompt.read(try Self.rows()))
        #expect(prompt.title == "Bash command")
        #expect(prompt.subject == ["touch made.txt && ls"])
        #expect(prompt.question == "Do you want to proceed?")
        #expect(prompt.options.map(\.number) == [1, 2, 3, 4])
        #expect(prompt.allowOnce?.number == 1)
        #expect(prompt.options.last?.label == "No")
        #expect(prompt.spoken == "Bash command.\ntouch made.txt && ls\nDo you want to proceed?")
    }

    @Test func `a part of one may be one, as far as typing goes`() throws {
        let rows = try Self.rows()
        #expect(ClaudePermissionPrompt.mayStand(on: rows))
        #expect(ClaudePermissionPrompt.mayStand(on: rows.filter { !$0.contains("Esc to cancel") }))
        #expect(ClaudePermissionPrompt.mayStand(on: ["", "  ❯ 1. Allow for this session  "]))
        #expect(!ClaudePermissionPrompt.mayStand(on: ["❯ fix the test", "1. one", "2. two", ""]))
    }

    @Test func `without any one of its parts it is none`() throws {
        let rows = try Self.rows()
        let top = try #require(rows.lastIndex { $0.contains("────") })
        for index in rows.indices where index >= top && !rows[index].allSatisfy(\.isWhitespace) {
            // The title's explanations may be others.
            guard !rows[index].contains("Tip:"), !rows[index].contains("Run shell") else { continue }
            var fewer = rows
            fewer.remove(at: index)
            let prompt = ClaudePermissionPrompt.read(fewer)
            if rows[index].contains("Bash command") || rows[index].contains("4. No") { continue }
            #expect(prompt == nil, "without \(rows[index])")
        }
        #expect(ClaudePermissionPrompt.read([]) == nil)
        #expect(ClaudePermissionPrompt.read(rows + ["> something behind it"]) == nil)
        #expect(ClaudePermissionPrompt.read(rows.map { $0.replacing("❯ 1.", with: "  1.") }) == nil)
        #expect(ClaudePermissionPrompt.read(rows.map { $0.replacing("  2. Yes", with: "❯ 2. Yes") }) == nil)
        #expect(ClaudePermissionPrompt.read(rows.map { $0.replacing("3. Yes", with: "7. Yes") }) == nil)
        #expect(ClaudePermissionPrompt.read(rows.map { $0.replacing("proceed?", with: "proceed") }) == nil)
    }

    @Test func `a text that only looks like its middle is none`() {
        let text = ["Do you want to proceed?", "❯ 1. Yes", "  2. No", "", "Esc to cancel"]
        #expect(ClaudePermissionPrompt.read(text) == nil)
    }

    @Test func `where there is no plain yes there is nothing to allow with`() throws {
        let rows = try Self.rows().map { $0.replacing("❯ 1. Yes", with: "❯ 1. Yes, and always") }
        #expect(try #require(ClaudePermissionPrompt.read(rows)).allowOnce == nil)
    }
}
