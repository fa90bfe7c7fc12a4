// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffAgents
import RiffCore
import RiffTesting
import Synchronization
import Testing

struct KeyAnswerMachineTests {
    private static let line = String(repeating: "╌", count: 40)

    /// A question of Claude Code 2.1.331.
    private static func claude(_ command: String, spinner: String = "") -> [String] {
        [
            spinner, "Bash command", "", "  Says hello", line, "  \(command)", line, "", "Do you want to proceed?",
            "❯ 1. Yes", "  2. Yes, and always allow access to /x from this project",
            "  3. Yes, and switch to auto mode", "  4. No", "", "Esc to cancel · Tab to amend",
        ]
    }

    /// A question of Codex 0.163.0.
    private static func codex(_ command: String) -> [String] {
        [
            "  Would you like to run the following command?", "", "  Reason: Shall it run?", "", "  $ \(command)", "",
            "› 1. Yes, proceed (y)", "  2. Yes, and don't ask again for commands that start with `touch` (p)",
            "  3. No, and tell Codex what to do differently (esc)",
        ]
    }

    private static func question(_ tool: String, _ subject: String) -> AgentQuestion {
        AgentQuestion(kind: .permission, tool: tool, subject: subject)
    }

    @Test(arguments: [
        (AgentKind.claude, "Bash", QuestionAnswer.allow, [UInt8(ascii: "1")]), (.claude, "Bash", .deny(""), [0x1B]),
        (.codex, "exec", .allow, [UInt8(ascii: "y")]), (.codex, "exec", .cancel, [0x1B]),
    ])
    func `a key is pressed after two looks alike, once`(
        agent: AgentKind,
        tool: String,
        answer: QuestionAnswer,
        key: [UInt8]
    ) {
        let rows = agent == .claude ? Self.claude("touch a") : Self.codex("touch a")
        var machine = KeyAnswerMachine(
            Self.question(tool, "touch a"),
            with: answer,
            facts: AgentFacts.builtIn(agent)
        )
        #expect(machine.look(at: rows) == .look)
        #expect(machine.look(at: rows) == .press(key))
        for _ in 0..<5 { #expect(machine.look(at: rows) == .look) }
        #expect(machine.look(at: agent == .claude ? Self.claude("touch b") : Self.codex("touch b")) == .done)
    }

    @Test func `a screen that changes is looked at until it is still`() {
        var machine = KeyAnswerMachine(
            Self.question("Bash", "touch a"),
            with: .allow,
            facts: AgentFacts.builtIn(.claude)
        )
        for number in 0..<5 { #expect(machine.look(at: Self.claude("touch a", spinner: "\(number)")) == .look) }
        #expect(machine.look(at: Self.claude("touch a", spinner: "4")) == .press([UInt8(ascii: "1")]))
    }

    @Test(arguments: [
        claude("touch b"), claude("touch a b"), claude("touch  a"), claude("touch"), codex("touch a"), [], ["❯ hello"],
    ])
    func `another question, or none, is not answered`(rows: [String]) {
        var machine = KeyAnswerMachine(
            Self.question("Bash", "touch a"),
            with: .allow,
            facts: AgentFacts.builtIn(.claude)
        )
        guard case .refuse(.questionGone, _) = machine.look(at: rows) else {
            Issue.record("\(rows)")
            return
        }
        // Nor the one that took its place between the looks.
        var other = KeyAnswerMachine(
            Self.question("Bash", "touch a"),
            with: .allow,
            facts: AgentFacts.builtIn(.claude)
        )
        #expect(other.look(at: Self.claude("touch a")) == .look)
        guard case .refuse(.questionGone, _) = other.look(at: rows) else {
            Issue.record("\(rows)")
            return
        }
    }

    @Test func `answers whose key the screen does not name are refused`() {
        // In automatic mode the answers have no numbers, and "No" comes first.
        var rows = Self.claude("touch a")
        rows.replaceSubrange(9...12, with: ["❯ No", "  Yes"])
        let cases: [(AgentKind, [String], QuestionAnswer, String)] = [
            (.claude, rows, .allow, "touch a"), (.claude, Self.claude("touch a"), .choose(["Yes"]), "touch a"),
            (.claude, Self.claude("touch a"), .allow, ""),
            (.claude, Self.claude("touch a"), .allow, String(repeating: "x", count: 700)),
        ]
        for (agent, rows, answer, subject) in cases {
            var machine = KeyAnswerMachine(
                Self.question("Bash", subject),
                with: answer,
                facts: AgentFacts.builtIn(agent)
            )
            var step = machine.look(at: rows)
            if step == .look { step = machine.look(at: rows) }
            guard case .refuse(.notAnswerable, _) = step else {
                Issue.record("\(step)")
                continue
            }
            #expect(!machine.mayBeAnswered)
        }
    }

    @Test func `a question that does not go is not answered twice`() async throws {
        let clock = ManualClock()
        let keys = Mutex<[[UInt8]]>([])
        let answers = AgentKeyAnswers(agent: .codex, clock: clock) {
            Self.codex("touch a")
        } press: { key in
            keys.withLock { $0.append(key) }
        }
        let result = Task {
            try await answers.answer(Self.question("exec", "touch a"), with: .allow, within: .seconds(10))
        }
        // The deadline, and the wait between two looks.
        for _ in 0..<40 {
            await clock.sleepers(2)
            clock.advance(by: .milliseconds(250))
        }
        let error = await #expect(throws: AgentError.self) { try await result.value }
        #expect(error?.code == .answerUnconfirmed)
        #expect(keys.withLock { $0 } == [[UInt8(ascii: "y")]])
    }
}
