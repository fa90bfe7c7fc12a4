// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import TestSupport
import Testing

extension InTurn {
    /// The real Claude Code, where `RIFF_TEST_CLAUDE` is the path of its program. No model is asked anything.
    @Suite(
        .timeLimit(.minutes(5)),
        .enabled(if: WorktreeLab.claude != nil, "set RIFF_TEST_CLAUDE to the path of claude"),
        .enabled(if: ShellProgram.tmux != nil && WorktreeLab.git != nil)
    )
    struct RealClaudeTests {
        /// As it was seen with 2.1.330: it takes the arguments, trusts the worktree of a repository that it trusts, and
        /// tells a hook of the person's where it began.
        @Test func `it starts in the worktree with the arguments that were chosen`() async throws {
            let program = try #require(WorktreeLab.claude)
            try await TmuxLab.with { lab in
                try await LoginShellCommandTests.writeProfiles(in: lab.home)
                try WorktreeLab.writeGitConfiguration(in: lab.home)
                let work = WorktreeLab(home: lab.home, shell: lab.shell, git: try #require(WorktreeLab.git))
                let repository = try await work.makeRepository("work")
                try FileManager.default.createSymbolicLink(
                    atPath: lab.home.appendingPathComponent("my bin/claude").path,
                    withDestinationPath: program
                )
                #expect(try await lab.manage(HostScriptInstallation.line).status == 0)

                let key = "key-without-a-meaning"
                let state: [String: Any] = [
                    "hasCompletedOnboarding": true, "theme": "dark",
                    "customApiKeyResponses": ["approved": [String(key.suffix(20))], "rejected": [String]()],
                    "projects": [repository.path: ["hasTrustDialogAccepted": true]],
                ]
                let report = "{ pwd; env; ps -o args= -p $PPID; } >~/shown; \(lab.signalling("up"))"
                let hook: [String: Any] = ["hooks": [["type": "command", "command": report]]]
                _ = try lab.makeFolder(".claude")
                for (file, value) in [
                    (".claude.json", state), (".claude/settings.json", ["hooks": ["SessionStart": [hook]]]),
                ] {
                    let data = try JSONSerialization.data(withJSONObject: value)
                    try data.write(to: lab.home.appendingPathComponent(file))
                }

                var launch = ClaudeArguments(effort: "low", compactWindow: 150_000, worktrees: Worktrees()).launch
                launch.environment.merge([
                    "ANTHROPIC_BASE_URL": "http://127.0.0.1:9", "ANTHROPIC_API_KEY": key, "DISABLE_TELEMETRY": "1",
                    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "DISABLE_AUTOUPDATER": "1",
                ]) { $1 }
                let spec = NewSessionSpec(directory: try StartDirectory("work"))
                _ = try await lab.run(lab.server.newDetached(.base, spec: spec, claude: launch))
                try await lab.wait()
                let shown = try lab.text("shown").split(separator: "\n")
                #expect(shown.first.map(String.init) == work.trees.appendingPathComponent("work/riff").path)
                #expect(shown.last?.hasSuffix("claude --effort low") == true)
                #expect(shown.contains("CLAUDE_CODE_AUTO_COMPACT_WINDOW=150000"))
                #expect(!shown.contains { $0.hasPrefix("TMUX") })

                #expect(try await lab.run(lab.server.kill(.base)).status == 0)
                let removal = try await lab.manage(WorktreeRemoval.line(for: .base, in: Worktrees()))
                #expect(WorktreeRemoval(output: removal.output).removed.count == 1, "\(removal.diagnostics)")
            }
        }
    }
}
