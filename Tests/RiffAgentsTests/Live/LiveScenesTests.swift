// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffAgents
import RiffCore
import RiffSessions
import TestSupport
import Testing

/// Tests with real agents, one after another.
extension InTurn {
    @Suite(.serialized) enum LiveAgents {}
}

extension InTurn.LiveAgents {
    /// A real agent from its first dialog to the end of a turn: the observer's state against the model server's word,
    /// and what its gate does with prompts in each.
    @Suite(.timeLimit(.minutes(3)))
    struct LiveScenesTests {
        @Test(
            .enabled(if: AgentLab.isPossible(.claude), "scripts/fetch-claude was not run, or sshd and tmux are missing")
        )
        func `Claude Code is judged right in six scenes, and only a composer gets a prompt`() async throws {
            try await AgentLab.with(.claude, isTrusted: false) { lab in
                // Its default is to leave.
                try await Self.scenes(lab, dialog: "trust", allow: "1") {
                    for _ in 0..<10 where try await !lab.screen().contains("❯ Yes, I trust") {
                        try await lab.session.write(Array("\u{1B}[B".utf8))
                        // A deadline is no fault: the key is pressed again.
                        _ = try? await withDeadline(.seconds(3), clock: ContinuousClock()) {
                            try await waitUntil { try await lab.screen().contains("❯ Yes, I trust") }
                        }
                    }
                    try #require(try await lab.screen().contains("❯ Yes, I trust"))
                    try await Self.press([0x0D], lab, while: "dialog")
                }
            }
        }

        /// Presses a key as a person does: again if nothing comes of it. A dialog takes no keys in its first moment.
        private static func press(_ key: [UInt8], _ lab: AgentLab, while state: String) async throws {
            for _ in 0..<10 where lab.live.state.name == state {
                try await lab.session.write(key)
                // A deadline is no fault: the key is pressed again.
                _ = try? await withDeadline(.seconds(5), clock: ContinuousClock()) {
                    for await report in lab.live.reports.updates() where report.state.name != state { return }
                }
            }
        }

        @Test(
            .enabled(if: AgentLab.isPossible(.codex), "scripts/fetch-codex was not run, or sshd and tmux are missing")
        )
        func `Codex is judged right in six scenes, and only a composer gets a prompt`() async throws {
            try await AgentLab.with(.codex, isTrusted: false) { lab in
                try await Self.scenes(lab, dialog: "hooks", allow: "y") {
                    try await Self.press(Array("3".utf8), lab, while: "dialog")
                }
            }
        }

        @Test(arguments: [AgentKind.claude, .codex].filter { AgentLab.isPossible($0) })
        func `a prompt that does not fit a phone's screen goes in, and so does one that ends with a file's name`(
            agent: AgentKind
        ) async throws {
            try await AgentLab.with(agent, isTrusted: true, size: TerminalSize(columns: 40, rows: 20)) { lab in
                try "".write(toFile: "\(lab.folder)/proj/start.txt", atomically: true, encoding: .utf8)
                try await lab.live.wait(for: "ready")
                let words = (0..<110).map { "word\($0)" }.joined(separator: " ")
                for (prompt, end) in [("long \(words)", "word109"), ("look at @sta", "look at @sta")] {
                    let result = try await lab.session.submit(prompt)
                    #expect(result == .submitted, "\(prompt): \(lab.live.reports.current)")
                    try await lab.waitUntilAsked(end)
                    try await lab.live.wait(for: "done")
                }
                #expect(lab.asked("word109") == 1)
                #expect(lab.asked("look at @sta") == 1)
            }
        }

        private static func scenes(
            _ lab: AgentLab,
            dialog: String,
            allow: String,
            close: () async throws -> Void
        ) async throws {
            let (session, live) = (lab.session, lab.live)
            // 1. The dialog at its start.
            try await live.wait(for: "dialog")
            #expect(live.state == .dialog(dialog))
            #expect(
                try await session.submit("into a dialog", within: .zero)
                    == .refused(SubmitRefusal(.dialog, name: dialog), isTyped: false)
            )
            try await close()
            // 2. At rest before a prompt.
            try await live.wait(for: "ready")
            #expect(!lab.isTurnOpen)
            // 3. Done.
            let first = try await session.submit("hello first")
            #expect(first == .submitted, "\(live.reports.current)")
            try await lab.waitUntilAsked("hello first")
            try await live.wait(for: "done")
            #expect(!lab.isTurnOpen)
            // 4. At work.
            #expect(try await session.submit("%slow 200 50") == .submitted)
            try await live.wait(for: "working")
            try await lab.waitUntilAsked("%slow")
            #expect(lab.isTurnOpen)
            #expect(
                try await session.submit("into a turn", within: .zero)
                    == .refused(SubmitRefusal(.working), isTyped: false)
            )
            // 5. Interrupted.
            try await session.write([0x1B])
            try await live.wait(for: "interrupted")
            // 6. A question.
            #expect(try await session.submit("%run touch allowed.txt") == .submitted)
            try await live.wait(for: "waiting")
            #expect(lab.isTurnOpen)
            guard case .refused(let refusal, isTyped: false) = try await session.submit("into a question") else {
                Issue.record("a prompt went into a question")
                return
            }
            #expect(refusal.reason == .question)
            #expect(!FileManager.default.fileExists(atPath: "\(lab.folder)/proj/allowed.txt"))
            // The hook is ahead of the screen: a key that comes before the question is drawn goes into the composer.
            for await report in live.reports.updates() {
                if case .waiting(let question?) = report.state, question.options.contains(where: { $0.key == allow }) {
                    #expect(question.subject.contains("touch allowed.txt"))
                    break
                }
            }
            try await press(Array(allow.utf8), lab, while: "waiting")
            try await live.wait(for: "done")
            #expect(FileManager.default.fileExists(atPath: "\(lab.folder)/proj/allowed.txt"))
            #expect(!lab.isTurnOpen)
            for word in ["into a dialog", "into a turn", "into a question"] { #expect(lab.asked(word) == 0) }
            for word in ["hello first", "%slow", "%run"] { #expect(lab.asked(word) == 1) }
        }
    }
}

extension Task where Success == Never, Failure == Never {
    /// The time that a person takes between two keys.
    static func pause() async throws { try await ContinuousClock().sleep(for: .milliseconds(300)) }
}
