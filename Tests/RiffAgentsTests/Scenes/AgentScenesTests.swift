// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffAgents
import RiffTesting
import Testing

/// Recorded scenes, judged as an observer would have judged them live.
@Suite struct AgentScenesTests {
    static let fixtures = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Fixtures/scenes")

    private static func states(_ scene: String) throws -> [String] {
        var states: [String] = []
        try AgentScene(folder: fixtures.appendingPathComponent(scene).path).judge { _, report in
            let background = report.background.isEmpty ? "" : " +" + report.background.joined(separator: "+")
            let isNamed = ["waiting", "dialog", "exited"].contains(report.state.name)
            let state = report.state.name + (isNamed ? " " + (report.state.subject ?? "") : "") + background
            if states.last != state { states.append(state) }
        }
        return states
    }

    @Test(arguments: [
        ("claude-osc-noalt", ["starting", "ready", "working", "done"]),
        ("claude-kill9", ["starting", "ready", "working", "exited signal 9"]),
        ("claude-trust", ["starting", "dialog trust", "exited status 1"]),
        (
            "claude-nohooks",
            [
                "starting", "ready", "unknown", "working", "done", "unknown", "working",
                "waiting Bash touch made-by-agent.txt && echo made", "interrupted",
            ]
        ),
        (
            "claude-subagent",
            [
                "starting", "ready", "working", "done +subagent", "unknown +subagent", "working +subagent", "done",
                "working", "done +subagent", "unknown +subagent", "working +subagent", "done",
            ]
        ),
        (
            "codex-plan",
            [
                "starting", "ready", "working", "waiting question Which colour?", "working", "done", "working",
                "waiting plan", "done",
            ]
        ),
        (
            "codex-perm-two",
            [
                "starting", "ready", "working", "waiting exec touch two.txt", "waiting exec touch one.txt", "working",
                "done",
            ]
        ),
    ])
    func `a scene's states come in the order in which they were`(scene: String, states: [String]) throws {
        #expect(try Self.states(scene) == states)
    }

    @Test func `a question outlives its terminal, and is answered by the server's client`() throws {
        let states = try Self.states("codex-daemon-death")
        let gone = try #require(states.firstIndex(of: "exited signal 9"))
        #expect(
            states[gone...].starts(with: ["exited signal 9", "waiting exec touch after-death.txt", "working", "done"])
        )
        #expect(states.last == "unknown")
    }

    @Test func `new hooks are a dialog, and nothing before it is ready`() throws {
        let states = try Self.states("codex-hooks-review")
        let dialog = try #require(states.firstIndex(of: "dialog hooks"))
        #expect(states[..<dialog].allSatisfy { $0 == "starting" })
    }

    @Test func `no working or waiting agent is ever called ready`() throws {
        var score = SceneScore()
        for scene in try FileManager.default.contentsOfDirectory(atPath: Self.fixtures.path).sorted() {
            // Its processes are killed, and the spans go on.
            if scene == "codex-daemon-death" { continue }
            try score.add(Self.fixtures.appendingPathComponent(scene), without: Self.mislabeled[scene] ?? [])
        }
        #expect(score.falselyIdle == 0, "\(score.faults)")
        #expect(score.right >= 0.95 * score.long && score.long > 10, "\(score.faults)")
        #expect(score.unknown <= 0.05 * score.scored)
        #expect(score.unnamed.isEmpty)
    }

    @Test func `facts that do not know the words lead to unknown, never to ready`() throws {
        let facts = try AgentFacts(
            parsing: Array(#"{"format": 1, "agent": "claude", "seenVersion": "0", "programs": ["claude"]}"#.utf8)
        )
        var score = SceneScore()
        for scene in ["claude-osc-noalt", "claude-nohooks", "claude-subagent", "claude-kill9"] {
            try score.add(Self.fixtures.appendingPathComponent(scene), facts: facts)
        }
        #expect(score.falselyIdle == 0 && score.right == 0)
    }

    @Test(.enabled(if: moreScenes != nil, "RIFF_AGENT_SCENES names a folder with more scenes"))
    func `all recorded scenes are judged right`() throws {
        let folder = URL(fileURLWithPath: try #require(Self.moreScenes))
        var score = SceneScore()
        for scene in try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() {
            guard ["claude", "codex"].contains(where: { scene.hasPrefix($0 + "-") }) else { continue }
            try score.add(folder.appendingPathComponent(scene), without: Self.mislabeled[scene] ?? [])
        }
        #expect(score.falselyIdle == 0, "\(score.faults)")
        #expect(score.right >= 0.95 * score.long && score.long > 100, "\(score.faults)")
        #expect(score.unknown <= 0.05 * score.scored)
        #expect(score.unnamed.isEmpty, "\(score.unnamed)")
    }

    static let moreScenes = ProcessInfo.processInfo.environment["RIFF_AGENT_SCENES"]

    /// Spans, by their beginning, whose label is not what the scene's own screen, keys and processes show: a question
    /// that stands on the screen, or one that a key did not answer, is called working; a killed process is as well.
    private static let mislabeled: [String: Set<Double>] = [
        "claude-auto": [4.325, 10.638, 17.084], "claude-auto-stay": [7.064], "claude-ax": [13.021],
        "claude-kill-blocked": [7.344], "claude-osc7501": [15.405], "claude-perm-edit": [12.193, 17.832],
        "claude-perm-two": [7.963], "codex-daemon-death": [13.453], "codex-hook-answer": [12.323, 18.678],
        "codex-perm-two": [5.343], "codex-stdio": [3.452],
    ]
}
