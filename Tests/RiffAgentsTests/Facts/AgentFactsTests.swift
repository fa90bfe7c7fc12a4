// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffAgents
import RiffCore
import Testing

@Suite struct AgentFactsTests {
    @Test(arguments: [AgentKind.claude, .codex, .generic])
    func `the built-in facts can be read`(agent: AgentKind) {
        #expect(AgentFacts.builtIn(agent).agent == agent)
    }

    @Test func `another agent has the generic facts, and is never ready`() {
        var observer = AgentObserver(agent: AgentKind(rawValue: "aider"))
        observer.take(.started, at: .zero)
        observer.take(.terminal(Array("> ".utf8)), at: .seconds(1))
        observer.advance(to: .seconds(1))
        #expect(observer.report.state == .starting)
        observer.take(.terminal(Array("\u{1B}]7501;state=idle:app=x\u{07}".utf8)), at: .seconds(2))
        observer.advance(to: .seconds(2))
        observer.advance(to: .seconds(60))
        #expect(observer.report.state.name == "unknown")
        observer.take(.terminal(Array("\u{1B}]7501;state=working:app=x\u{07}".utf8)), at: .seconds(61))
        observer.advance(to: .seconds(61))
        #expect(observer.report.state == .working)
    }

    @Test func `newer facts replace the built-in ones at run time`() throws {
        let text = #"""
            {"format": 1, "agent": "claude", "seenVersion": "9", "programs": ["claude"],
             "status": {"resting": "idle", "toiling": "working"},
             "screen": {"composer": {"sign": "? ", "rule": "="}}}
            """#
        var observer = AgentObserver(agent: .claude, facts: try AgentFacts(parsing: Array(text.utf8)))
        observer.take(.started, at: .zero)
        observer.take(.statusFile(Array(#"{"status": "resting"}"#.utf8)), at: .seconds(1))
        let rule = String(repeating: "=", count: 20)
        observer.take(.terminal(Array("\(rule)\r\n? \r\n\(rule)\r\n".utf8)), at: .seconds(1))
        observer.advance(to: .seconds(1))
        #expect(observer.report.state == .ready)
        observer.take(.statusFile(Array(#"{"status": "idle"}"#.utf8)), at: .seconds(2))
        observer.advance(to: .seconds(2))
        #expect(observer.report.state == .unknown("it reports idle, which is not known"))
    }

    @Test(arguments: [
        "", "[]", "{}", #"{"format": 2, "agent": "x", "seenVersion": ""}"#, #"{"format": 1, "seenVersion": ""}"#,
        #"{"format": 1, "agent": "x", "seenVersion": "", "status": {"a": "asleep"}}"#,
        #"{"format": 1, "agent": "x", "seenVersion": "", "status": []}"#,
        #"{"format": 1, "agent": "x", "seenVersion": "", "hooks": {"Stop": 3}}"#,
        #"{"format": 1, "agent": "x", "seenVersion": "", "tools": {"Bash": {}}}"#,
        #"{"format": 1, "agent": "x", "seenVersion": "", "screen": {"dialogs": [{"is": "x", "text": ""}]}}"#,
        #"{"format": 1, "agent": "x", "seenVersion": "", "screen": {"composer": {}}}"#,
    ])
    func `facts that are not understood are refused`(text: String) {
        #expect(throws: CoreError.self) { try AgentFacts(parsing: Array(text.utf8)) }
    }

    @Test func `a file that is too long is refused before it is read`() {
        #expect(throws: CoreError.self) {
            try AgentFacts(parsing: Array(repeating: 0x20, count: AgentFacts.limitBytes + 1))
        }
    }

    @Test func `a broken status file is unknown, and a broken line is left out`() {
        var observer = AgentObserver(agent: .claude)
        observer.take(.started, at: .zero)
        observer.take(.hook(Array("{".utf8)), at: .seconds(1))
        observer.take(.recordLine(Array("{".utf8), file: "x"), at: .seconds(1))
        observer.take(.serverMessage(Array("{".utf8)), at: .seconds(1))
        observer.advance(to: .seconds(1))
        #expect(observer.report.state == .starting)
        observer.take(.statusFile(Array(#"{"status": "id"#.utf8)), at: .seconds(2))
        observer.advance(to: .seconds(2))
        #expect(observer.report.state.name == "unknown")
    }

    @Test func `a peer's words become one harmless line`() {
        let question = AgentQuestion(
            kind: .permission,
            tool: "Ba\u{1B}[2Jsh",
            subject: "a\nb\u{202E}" + String(repeating: "x", count: 10_000)
        )
        #expect(question.summary.utf8.count < 1_000)
        #expect(!question.summary.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\n" || $0 == "\u{202E}" })
    }
}
