// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffAgents
import RiffScreen
import RiffTesting
import TestSupport
import Testing

struct AgentMarksTests {
    private static func kinds(_ states: [AgentState]) -> [String] {
        var marks = AgentMarks()
        return states.enumerated().flatMap { marks.take($1, at: Double($0)) }
            .filter { $0.kind != .state }.map { "\($0.kind.rawValue) \($0.text)" }
    }

    private static let question = AgentQuestion(kind: .permission, tool: "Bash", subject: "rm x", id: "1")
    private static let other = AgentQuestion(kind: .permission, tool: "Bash", subject: "rm y", id: "2")

    @Test func `questions, their ends and turns are marked`() {
        let states: [AgentState] = [
            .starting, .ready, .working, .waiting(nil), .waiting(Self.question), .waiting(Self.other), .working, .done,
            .done, .working, .failed("no net"), .working, .interrupted, .working, .exited(.signal(9)),
        ]
        #expect(
            Self.kinds(states) == [
                "question ", "answer ", "question Bash rm y", "answer ", "turnDone ", "turnFailed no net",
                "turnFailed interrupted", "turnFailed signal 9",
            ]
        )
    }

    @Test(arguments: ["claude-subagent", "codex-perm-two", "claude-kill9", "codex-plan"])
    func `a recorded scene has a mark for each of its turns`(name: String) throws {
        let scene = try AgentScene(folder: Fixture.path("scenes/\(name)"))
        var marks = AgentMarks()
        var all: [RecordMark] = []
        var states: [AgentState] = []
        scene.judge { time, report in
            states.append(report.state)
            all += marks.take(report.state, at: time / .seconds(1))
        }
        let asked = all.count { $0.kind == .question }
        #expect(states.contains { if case .waiting = $0 { true } else { false } } == (asked > 0))
        #expect(all.contains { $0.kind == .turnDone } == states.contains(.done))
        #expect(all.count { $0.kind == .state } > 2)
        #expect(zip(all, all.dropFirst()).allSatisfy { $0.time <= $1.time })
    }
}

struct AgentLaunchTests {
    @Test func `agents that leave the normal screen have an option to stay`() {
        #expect(AgentKind.claude.normalScreen?.environment == ["CLAUDE_CODE_DISABLE_ALTERNATE_SCREEN": "1"])
        #expect(AgentKind.codex.normalScreen?.arguments == ["--no-alt-screen"])
        #expect(AgentKind(rawValue: "aider").normalScreen?.arguments == [])
        #expect(AgentKind.generic.normalScreen == nil)
    }
}
