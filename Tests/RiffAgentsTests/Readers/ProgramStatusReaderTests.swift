// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffAgents
import Testing

@Suite struct ProgramStatusReaderTests {
    private static let stream = Array(
        """
        text\u{1B}[2J\u{1B}]0;title\u{07}\u{1B}]7501;?\u{1B}\\\u{1B}]7501;state=idle:app=codex\u{1B}\\more\
        \u{1B}]7501;state=blocked:app=claude-code:kind=permission:msg=YXBwcm92ZSBCYXNoOiB0b3VjaCB4\u{07}
        \u{1B}]7501;state=working:app=claude-code:id=a1:title=TG9vaw==\u{1B}\\
        """.utf8
    )
    private static let reports = [
        ProgramStatus(state: "idle", app: "codex"),
        ProgramStatus(state: "blocked", app: "claude-code", kind: "permission", message: "approve Bash: touch x"),
        ProgramStatus(state: "working", app: "claude-code", id: "a1", title: "Look"),
    ]

    @Test func `reports are found wherever the bytes are cut`() {
        for cut in 0...Self.stream.count {
            var reader = ProgramStatusReader()
            let found = reader.push(Self.stream[..<cut]) + reader.push(Self.stream[cut...])
            #expect(found == Self.reports, "cut at \(cut)")
        }
    }

    @Test func `every byte alone gives the same`() {
        var reader = ProgramStatusReader()
        #expect(Self.stream.flatMap { reader.push([$0]) } == Self.reports)
    }

    @Test(arguments: [
        "\u{1B}]7501;state=idle\u{18}", "\u{1B}]7501;state=idle\u{1A}", "\u{1B}]7502;state=idle\u{07}",
        "\u{1B}]75011;state=idle\u{07}", "\u{1B}]7501;\u{07}", "\u{1B}]7501;state\u{07}", "\u{1B}]7501;state=\u{07}",
        "7501;state=idle\u{07}", "\u{1B}P7501;state=idle\u{1B}\\", "\u{1B}]7501;state=idle",
    ])
    func `what is no report is none`(text: String) {
        var reader = ProgramStatusReader()
        #expect(reader.push(text.utf8).isEmpty)
    }

    @Test func `an endless string is skipped, and the next report is read`() {
        var reader = ProgramStatusReader()
        #expect(reader.push("\u{1B}]7501;state=".utf8).isEmpty)
        for _ in 0..<1_000 { #expect(reader.push(Array(repeating: 0x61, count: 1_000)).isEmpty) }
        #expect(reader.push("\u{07}\u{1B}]7501;state=done\u{07}".utf8) == [ProgramStatus(state: "done")])
    }

    @Test(arguments: ["%%%", "A", "AB-C", "\u{FFFD}"])
    func `a message that is no base64 is empty or short`(text: String) {
        var reader = ProgramStatusReader()
        let found = reader.push("\u{1B}]7501;state=idle:msg=\(text)\u{07}".utf8)
        #expect(found.count == 1 && found[0].message.isEmpty)
    }

    @Test func `another program's report says nothing of the agent`() {
        let status = ProgramStatus(state: "working", app: "vim")
        #expect(status.facts(by: .builtIn(.codex)).isEmpty)
        #expect(
            ProgramStatus(state: "working", app: "codex").facts(by: .builtIn(.codex)) == [.working(isPrompt: false)]
        )
        #expect(ProgramStatus(state: "new", app: "codex").facts(by: .builtIn(.codex)) == [.unrecognized("new")])
    }

    @Test func `the command that is asked about is in the message`() {
        let facts = Self.reports[1].facts(by: .builtIn(.claude))
        #expect(facts == [.waiting(AgentQuestion(kind: .permission, tool: "Bash", subject: "touch x"))])
    }
}
