// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffAgents
import RiffCore
import RiffTesting
import RiffTransport
import TestSupport
import Testing

extension InTurn {
    /// The real Claude Code's questions, answered by another client than its terminal, whose link is cut.
    @Suite(
        .enabled(if: ClaudeHookLab.isPossible, "scripts/fetch-claude was not run, or sshd and tmux are missing"),
        .timeLimit(.minutes(10))
    )
    struct LiveClaudeQuestionsTests {
        @Test func `questions are answered once beside the dialog, however often the link is cut`() async throws {
            try await ClaudeHookLab.with { lab in
                let claude = try await ClaudeHookLab.start(in: lab)
                for number in 0..<AnswerLab.cuts {
                    let allows = number % 3 != 2
                    try await ClaudeHookLab.submit("%run touch f\(number)", in: lab)
                    try await lab.waitForScreen {
                        $0.contains("Do you want to proceed?") && $0.contains("touch f\(number)")
                    }
                    let question = try await only(claude)
                    #expect(question.subject == "touch f\(number)" && question.tool == "Bash")
                    let answer: QuestionAnswer = allows ? .allow : .deny("Not today.")
                    async let given = claude.answer(question, with: answer)
                    switch number % 3 {
                    case 0: try await lab.proxy.cutAll()
                    case 1:
                        try await lab.waitForScreen { !$0.contains("Do you want to proceed?") }
                        try await lab.proxy.cutAll()
                    default:
                        for _ in 0..<number * 20 { await Task.yield() }
                        try await lab.proxy.vanishAll()
                        try await lab.proxy.cutAll()
                    }
                    #expect(try await given == .given)
                    // The dialog closes, and the turn goes on.
                    try await lab.waitUntilAsked { $0.hasPrefix(result(number)) }
                    #expect(lab.exists("f\(number)") == allows)
                    #expect(lab.asked.contains { $0.hasPrefix(result(number)) && $0.contains("Not today.") } == !allows)
                    let gone = await #expect(throws: AgentError.self) {
                        try await claude.answer(question, with: .allow)
                    }
                    #expect(gone?.code == .alreadyAnswered || gone?.code == .questionGone)
                    try await ClaudeHookLab.waitForComposer(of: lab)
                }
                #expect(try await claude.open().isEmpty)
                // The truth is the model server's: each prompt once, and the end of each command once.
                for number in 0..<AnswerLab.cuts {
                    #expect(lab.asked.count { $0 == "asked %run touch f\(number)" } == 1)
                    #expect(lab.asked.count { $0.hasPrefix(result(number)) } == 1)
                }
            }
        }

        @Test func `an answer at the terminal ends the question, by its number and by Escape`() async throws {
            try await ClaudeHookLab.with { lab in
                let claude = try await ClaudeHookLab.start(in: lab)
                for (number, key) in ["1", "Escape"].enumerated() {
                    try await ClaudeHookLab.submit("%run touch f\(number)", in: lab)
                    try await lab.waitForScreen { $0.contains("Do you want to proceed?") }
                    let question = try await only(claude)
                    try await lab.press(key, while: "Do you want to proceed?")
                    try await ClaudeHookLab.waitForComposer(of: lab)
                    let error = await #expect(throws: AgentError.self) {
                        try await claude.answer(question, with: .deny())
                    }
                    #expect(error?.code == .questionGone, "\(key)")
                    #expect(lab.exists("f\(number)") == (key == "1"))
                    // Its hook goes by itself, also after Escape, of which no hook is told.
                    while try await !claude.open().isEmpty { _ = try await lab.screen() }
                }
            }
        }

        @Test func `a key answers what the terminal proves, once`() async throws {
            try await ClaudeHookLab.with { lab in
                _ = try await ClaudeHookLab.start(in: lab)
                let keys = AgentKeyAnswers(agent: .claude) {
                    try await lab.screen().split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
                } press: { key in
                    try await lab.press("-H", HexDigits.text(key))
                }
                try await ClaudeHookLab.submit("%run touch one", in: lab)
                try await lab.waitForScreen { $0.contains("Do you want to proceed?") }
                let other = AgentQuestion(kind: .permission, tool: "Bash", subject: "touch two")
                let error = await #expect(throws: AgentError.self) { try await keys.answer(other, with: .allow) }
                #expect(error?.code == .questionGone && !lab.exists("one"))
                let question = AgentQuestion(kind: .permission, tool: "Bash", subject: "touch one")
                #expect(try await keys.answer(question, with: .allow) == .given)
                try await lab.waitUntilAsked { $0.hasPrefix("result toolu_0001 ") }
                #expect(lab.exists("one"))
            }
        }

        private func result(_ number: Int) -> String {
            let digits = String(number + 1)
            return "result toolu_" + String(repeating: "0", count: 4 - digits.count) + digits + " "
        }

        /// The one question that waits.
        private func only(_ claude: ClaudeQuestions) async throws -> AgentQuestion {
            while true {
                let questions = try await claude.open()
                #expect(questions.count <= 1)
                if let question = questions.first { return question }
            }
        }
    }
}
