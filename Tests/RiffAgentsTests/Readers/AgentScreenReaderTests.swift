// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffAgents
import Testing

@Suite struct AgentScreenReaderTests {
    private static let rule = String(repeating: "─", count: 40)
    private static let broken = String(repeating: "╌", count: 40)

    private static func read(_ agent: AgentKind, _ rows: [String], dim: Set<Int> = []) -> ScreenReading {
        let rows = rows.enumerated().map { index, text in
            AgentScreenReader.Row(text: text) { _ in dim.contains(index) || text.isEmpty }
        }
        return AgentScreenReader(facts: AgentFacts.builtIn(agent).screen, rows: rows).read()
    }

    private static func claude(_ text: String, footer: String = "  ? for shortcuts") -> [String] {
        ["● Echo: hello", "", rule, "❯\u{A0}" + text, rule, footer]
    }

    @Test func `an empty composer of Claude's is between two rules`() {
        #expect(Self.read(.claude, Self.claude("")).composer == .empty)
        #expect(Self.read(.claude, Self.claude("hello")).composer == .draft)
        #expect(Self.read(.claude, Self.claude("Try \"fix it\""), dim: [3]).composer == .empty)
        #expect(Self.read(.claude, Self.claude("", footer: "  -- NORMAL --")).composer == .commands)
    }

    @Test(arguments: [
        ["❯\u{A0}", rule], [rule, "❯\u{A0}"], [rule, "! ls", rule],
        [rule, "❯ 1. Red", rule, "  4. Chat", "Enter to select"],
        [rule, "❯\u{A0}", rule, "Enter to confirm"], [],
    ])
    func `what is not all of a composer is none`(rows: [String]) {
        #expect(Self.read(.claude, rows).composer == .absent)
    }

    @Test func `an empty composer of Codex's has its model beneath it`() {
        let row = "› Ask Codex to do anything"
        let model = "  fake-model default · ~/proj"
        #expect(Self.read(.codex, [row, "", model, "  ? for shortcuts"], dim: [0]).composer == .empty)
        #expect(Self.read(.codex, ["› hello", "", model]).composer == .draft)
        // Drawn before there is a session.
        #expect(Self.read(.codex, [row, "", "  ? for shortcuts"], dim: [0]).composer == .absent)
        #expect(Self.read(.codex, [row, "", "  ← for agents · ? for shortcuts"], dim: [0]).composer == .absent)
    }

    @Test func `the text of a draft is read from all of its rows`() {
        let wrapped = Self.read(
            .claude,
            [Self.rule, "❯\u{A0}fix the bug in", "  auth", "", "  and more", Self.rule, ""]
        )
        #expect(wrapped.draft == SqueezedText("fix the bug in auth and more") && !wrapped.isPaste)
        let codex = Self.read(.codex, ["› fix the bug in", "  auth", "", "  fake-model default · ~/proj"])
        #expect(codex.draft == SqueezedText("fix the bug in auth"))
    }

    @Test func `a draft that does not fit the screen is read as far as it is shown`() {
        let upper = "─── ↑ 18 more " + String(repeating: "─", count: 26)
        let claude = Self.read(
            .claude,
            ["● Echo", upper, "  word91 word92", "  word93", Self.rule, "  ? for shortcuts"]
        )
        #expect(claude.composer == .draft && claude.draft == SqueezedText("word91 word92 word93"))
        let codex = Self.read(.codex, ["› word71 word72   ↑", "  word73", "  fake-model default · ~/proj"])
        #expect(codex.composer == .draft && codex.draft == SqueezedText("word71 word72 word73"))
        // A rule with nothing under it is no composer.
        #expect(Self.read(.claude, ["● Echo", upper, Self.rule, "  ? for shortcuts"]).composer == .absent)
    }

    @Test(arguments: [
        ("[Pasted text #1 +13 lines]", true), ("[Pasted text #2]", true), ("[Pasted text #1] and", false),
        ("[Pasted text #1][Pasted text #2]", false), ("see [Pasted text #1]", false), ("[Pasted text #1", false),
    ])
    func `the sign for one paste is known, and nothing beside it`(text: String, isPaste: Bool) {
        let reading = Self.read(.claude, Self.claude(text))
        #expect(reading.composer == .draft && reading.isPaste == isPaste)
    }

    @Test func `a question of Claude's has its tool, its command and its answers`() throws {
        let reading = Self.read(
            .claude,
            [
                Self.rule, " Bash command", " Make the file", Self.broken, " touch x && echo made", Self.broken,
                " Do you want to proceed?", " ❯ 1. Yes", "   2. Yes, and always allow access to", "      this project",
                "   3. No", "", " Esc to cancel · Tab to amend",
            ]
        )
        let question = try #require(reading.question)
        #expect(question.summary == "Bash touch x && echo made")
        #expect(
            question.options == [
                AgentQuestion.Option("Yes", key: "1"),
                AgentQuestion.Option("Yes, and always allow access to this project", key: "2"),
                AgentQuestion.Option("No", key: "3"),
            ]
        )
        #expect(question.kind == .permission)
    }

    @Test func `a question of Codex's has its command`() throws {
        let reading = Self.read(
            .codex,
            [
                "  Would you like to run the following command?", "", "  Reason: May I?", "  $ touch four.txt", "",
                "› 1. Yes, proceed (y)", "  2. Yes, and don't ask again (p)",
                "  3. No, and tell Codex what to do differently (esc)", "", "  Press enter to confirm or esc to cancel",
            ]
        )
        let question = try #require(reading.question)
        #expect(question.summary == "exec touch four.txt")
        #expect(question.options.map(\.key) == ["y", "p", "esc"])
        #expect(question.options.map(\.label).first == "Yes, proceed")
    }

    @Test func `answers without numbers have no keys`() throws {
        let rows = [Self.rule, " Bash command", " Do you want to proceed?", " ❯ No", "   Yes", "", " Esc to cancel"]
        let question = try #require(Self.read(.claude, rows).question)
        #expect(question.options == [AgentQuestion.Option("No"), AgentQuestion.Option("Yes")])
    }

    @Test func `a question in an answer is none while the composer is there`() {
        let rows = ["  Would you like to proceed?", " ❯ 1. Yes", "   2. No"] + Self.claude("")
        let reading = Self.read(.claude, rows)
        #expect(reading.question == nil && !reading.hasOptions && reading.composer == .empty)
    }

    @Test(arguments: [
        (AgentKind.claude, " ❯ No, exit", "   Yes, I trust this folder", "trust"),
        (.codex, "  Hooks need review", "› 1. Review hooks", "hooks"),
        (.codex, "  Where should the new conversation run?", "› 1. Use current", "newConversation"),
    ])
    func `dialogs have names`(agent: AgentKind, first: String, second: String, name: String) {
        #expect(Self.read(agent, [first, second]).dialog == name)
    }

    @Test func `options that nobody knows are seen`() {
        let reading = Self.read(.codex, ["  Something new", "› 1. Do it", "  2. Do not"])
        #expect(reading.hasOptions && reading.question == nil && reading.dialog == nil)
    }

    @Test func `an interruption counts right above the composer only`() {
        let line = "  ⎿  Interrupted · What should Claude do instead?"
        #expect(Self.read(.claude, [line, ""] + Self.claude("").dropFirst(2)).isInterrupted)
        #expect(!Self.read(.claude, [line] + (0..<6).map { "● \($0)" } + Self.claude("")).isInterrupted)
    }

    @Test(arguments: [AgentKind.claude, .codex, .generic])
    func `any rows are read without a fault`(agent: AgentKind) {
        let parts = [
            "", " ", "❯", "❯\u{A0}", "›", "› ", "› 1", "› 1.", "› 99999999999999999999. x", Self.rule, Self.broken, "─",
            "\u{301}\u{301}", "  · ~", "Do you want to proceed?", " ❯ 1. Yes", "$ ", "Destination: ", "👩‍👩‍👧",
        ]
        for first in parts {
            for second in parts {
                for third in parts {
                    let reading = Self.read(agent, [first, second, third])
                    #expect(agent != .generic || reading.composer == .absent)
                }
            }
        }
    }
}
