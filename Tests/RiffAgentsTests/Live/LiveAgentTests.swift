// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffAgents
import RiffCore
import RiffTesting
import TestSupport
import Testing

extension InTurn {
    /// The real programs, started and gone on with by their adapters, seen by a board.
    @Suite(.serialized, .timeLimit(.minutes(5)))
    struct LiveAgentTests {
        @Test(
            .enabled(
                if: LiveBoardLab.canServe && LiveBoardLab.claude != nil,
                "scripts/fetch-claude; needs sshd, tmux, python3"
            )
        )
        func `Claude takes our id and goes on in the same transcript`() async throws {
            try await LiveBoardLab.with { lab in
                let start = AgentStart(name: "my task", permission: .asking, usesNormalScreen: true)
                let launch = try AgentAdapter.claude.launch(start)
                let id = try #require(launch.conversation)
                try await lab.start(launch, in: .base)
                let ready = try await lab.look {
                    $0.inPanes.first?.report.state == .ready && $0.inPanes.first?.title?.contains("my task") == true
                }
                let agent = try #require(ready.inPanes.first)
                #expect(ready.inPanes.count == 1 && agent.conversation == id && agent.kind == .claude)
                #expect(agent.place == .pane(session: "riff", id: "%0"))
                #expect(agent.directory == lab.project)
                // The normal screen.
                #expect(try await lab.tmux("display-message", "-p", "-t", "=riff:", "#{alternate_on}") == "0\n")
                try await lab.type("first words")
                // Its file says nothing of a turn that is over at once: it was ready all the time then.
                _ = try await lab.look { [.ready, .done].contains($0.inPanes.first?.report.state) }
                let path = try #require(AgentAdapter.claude.transcript(of: id, in: lab.project))
                // The record is written later than the state.
                try await waitUntil { lab.text(of: "\(lab.folder)/\(path)").contains("first words") }
                try await lab.tmux("kill-server")
                _ = try await lab.look { $0.inPanes.isEmpty }

                try await lab.start(
                    try AgentAdapter.claude.launch(AgentStart(.resumed(id), permission: .asking)),
                    in: .base
                )
                let resumed = try await lab.look { $0.inPanes.first?.report.state == .ready }
                #expect(resumed.inPanes.first?.conversation == id)
                try await lab.type("second words")
                // Its file says nothing of a turn that is over at once: it was ready all the time then.
                _ = try await lab.look { [.ready, .done].contains($0.inPanes.first?.report.state) }
                try await waitUntil { lab.text(of: "\(lab.folder)/\(path)").contains("second words") }
                #expect(lab.text(of: "\(lab.folder)/\(path)").contains("first words"))
                #expect(lab.files(beneath: ".claude/projects", ending: ".jsonl").count == 1)
            }
        }

        @Test(
            .enabled(
                if: LiveBoardLab.canServe && LiveBoardLab.codex != nil
                    && ProcessInfo.processInfo.environment["RIFF_LIVE_BOARD"] != nil,
                "RIFF_LIVE_BOARD asks for it: the board did not see the end of a turn in one of three runs"
            )
        )
        func `Codex goes on in the same record, and its title threads are none`() async throws {
            try await LiveBoardLab.with { lab in
                let start = AgentStart(permission: .asking, usesNormalScreen: true, arguments: ["--no-daemon"])
                try await lab.start(try AgentAdapter.codex.launch(start), in: .base)
                try await waitUntil { try await lab.screen().contains("fake-model") }
                #expect(try await lab.tmux("display-message", "-p", "-t", "=riff:", "#{alternate_on}") == "0\n")
                try await lab.type("first words")
                let done = try await lab.look { $0.inPanes.first?.report.state == .done }
                let agent = try #require(done.inPanes.first)
                #expect(done.inPanes.count == 1 && agent.kind == .codex)
                let id = try #require(agent.conversation)
                try await lab.tmux("kill-server")
                _ = try await lab.look { $0.inPanes.isEmpty }

                let again = AgentStart(
                    .resumed(id),
                    permission: .asking,
                    usesNormalScreen: true,
                    arguments: ["--no-daemon"]
                )
                try await lab.start(try AgentAdapter.codex.launch(again), in: .base)
                try await waitUntil { try await lab.screen().contains("first words") }
                try await lab.type("second words")
                let resumed = try await lab.look {
                    $0.inPanes.first?.report.state == .done
                        && lab.text(of: "\(lab.folder)/asked").contains("second words")
                }
                #expect(resumed.inPanes.first?.conversation == id)
                let records = lab.files(beneath: ".codex/sessions", ending: ".jsonl")
                    .filter { lab.text(of: "\(lab.folder)/.codex/sessions/\($0)").contains(#""thread_source":"user""#) }
                #expect(records.count == 1, "\(records)")
                let text = lab.text(of: "\(lab.folder)/.codex/sessions/\(records.first ?? "")")
                #expect(text.contains("first words") && text.contains("second words"))
            }
        }
    }
}
