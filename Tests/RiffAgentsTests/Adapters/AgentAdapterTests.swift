// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffAgents
import RiffCore
import Testing

@Suite struct AgentAdapterTests {
    private static let id = "5f2b8a44-7a63-4c39-9d83-0b9a7c0d9b11"

    @Test func `a new conversation of Claude has our id`() throws {
        let launch = try AgentAdapter.claude.launch(AgentStart(.new(id: Self.id), name: "my task", permission: .asking))
        #expect(launch.conversation == Self.id)
        #expect(
            launch.words == ["claude", "--session-id", Self.id, "--name", "my task", "--permission-mode", "manual"]
        )
        #expect(try AgentAdapter.claude.launch().conversation != AgentAdapter.claude.launch().conversation)
    }

    @Test func `a conversation goes on`() throws {
        let claude = try AgentAdapter.claude.launch(AgentStart(.resumed(Self.id)))
        #expect(claude.words == ["claude", "--resume", Self.id])
        #expect(claude.conversation == Self.id)
        #expect(try AgentAdapter.claude.launch(AgentStart(.latest)).words == ["claude", "--continue"])
        let codex = try AgentAdapter.codex.launch(
            AgentStart(.resumed(Self.id), permission: .asking, usesNormalScreen: true)
        )
        #expect(
            codex.words == ["codex", "resume", Self.id, "--ask-for-approval", "on-request", "--no-alt-screen"]
        )
        #expect(try AgentAdapter.codex.launch(AgentStart(.latest)).words == ["codex", "resume", "--last"])
    }

    @Test func `Codex makes up its ids`() throws {
        #expect(try AgentAdapter.codex.launch().conversation == nil)
        #expect(throws: CoreError.self) { try AgentAdapter.codex.launch(AgentStart(.new(id: Self.id))) }
    }

    @Test func `the normal screen is a variable of Claude, and everything reaches a session`() throws {
        let start = AgentStart(.latest, usesNormalScreen: true, arguments: ["--settings", "/home/me/it's mine.json"])
        let launch = try AgentAdapter.claude.launch(start)
        let line = #"CLAUDE_CODE_DISABLE_ALTERNATE_SCREEN=1 claude --continue --settings '/home/me/it'\''s mine.json'"#
        #expect(try launch.line() == line)
        let spec = try launch.spec(in: try StartDirectory("/src"))
        #expect(spec == NewSessionSpec(directory: try StartDirectory("/src"), harness: .custom(line)))
        // The session checks first that the host has it.
        #expect(spec.harness?.program == "claude")
    }

    @Test(arguments: ["--dangerously-skip-permissions", "", "a b", "../x", "é", String(repeating: "a", count: 129)])
    func `what an agent could take for an option is refused`(id: String) {
        for adapter in [AgentAdapter.claude, .codex] {
            let error = #expect(throws: CoreError.self) { try adapter.launch(AgentStart(.resumed(id))) }
            #expect(error?.code == .invalidAgentOption)
        }
        #expect(throws: CoreError.self) { try AgentAdapter.claude.launch(AgentStart(permission: .mode(id))) }
        #expect(throws: CoreError.self) { try AgentAdapter.claude.launch(AgentStart(name: "--x")) }
    }

    @Test func `an agent of the protocol has its command, and no terminal`() throws {
        let adapter = AgentAdapter.acp(["gemini", "--acp"])
        #expect(!adapter.hasTerminal)
        #expect(adapter.kind == .acp)
        #expect(adapter.interrupt == .request("session/cancel"))
        #expect(try adapter.launch(AgentStart(arguments: ["-m", "x"])).words == ["gemini", "--acp", "-m", "x"])
        #expect(try adapter.launch(AgentStart(.resumed("s1"))).conversation == "s1")
        #expect(throws: CoreError.self) { try adapter.launch(AgentStart(usesNormalScreen: true)) }
        #expect(throws: CoreError.self) { try AgentAdapter.acp([]).launch() }
    }

    @Test func `another agent is started by its name and interrupted by Control-C`() throws {
        #expect(AgentAdapter.generic.interrupt == .keys([0x03]))
        #expect(throws: CoreError.self) { try AgentAdapter.generic.launch() }
        #expect(try AgentAdapter.generic.launch(AgentStart(program: "aider")).words == ["aider"])
        #expect(throws: CoreError.self) { try AgentAdapter.generic.launch(AgentStart(.latest, program: "aider")) }
    }

    @Test func `facts that are newer change the command line without a build`() throws {
        let text = #"""
            {"format": 1, "agent": "codex", "seenVersion": "9", "programs": ["codex9"],
             "launch": {"session": ["--thread={id}", "--thread", "{id}"], "interrupt": "ctrl-c"}}
            """#
        let adapter = AgentAdapter(facts: try AgentFacts(parsing: Array(text.utf8)))
        #expect(try adapter.launch(AgentStart(.new(id: "t1"))).words == ["codex9", "--thread={id}", "--thread", "t1"])
        #expect(adapter.interrupt == .keys([0x03]))
    }

    @Test(arguments: [
        #""launch": {"interrupt": "hammer"}"#, #""launch": {"normalScreenVariables": {"A=B;": "1"}}"#,
        #""launch": {"session": "x"}"#, #""places": {"status": "/etc/{pid}"}"#, #""places": {"job": "../{id}"}"#,
        #""places": {"rollouts": "a\nb"}"#,
    ])
    func `facts for a start that are not understood are refused`(member: String) {
        let text = #"{"format": 1, "agent": "x", "seenVersion": "", "# + member + "}"
        #expect(throws: CoreError.self) { try AgentFacts(parsing: Array(text.utf8)) }
    }

    @Test func `its files are where its facts say`() {
        #expect(AgentAdapter.claude.statusFile(pid: 12) == ".claude/sessions/12.json")
        let path = AgentAdapter.claude.transcript(of: Self.id, in: "/tmp/🚀x")
        #expect(path == ".claude/projects/-tmp---x/\(Self.id).jsonl")
        #expect(AgentAdapter.claude.transcript(of: "../x", in: "/tmp") == nil)
        #expect(AgentAdapter.codex.statusFile(pid: 12) == nil)
    }

    @Test func `random ids are UUIDs of version 4`() {
        for _ in 0..<100 {
            let id = Array(ConversationID.random().utf8)
            #expect(id.count == 36 && id[14] == UInt8(ascii: "4") && "89ab".utf8.contains(id[19]))
            #expect([8, 13, 18, 23].allSatisfy { id[$0] == UInt8(ascii: "-") })
        }
    }
}
