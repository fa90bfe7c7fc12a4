// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import TestSupport
import Testing

extension InTurn {
    /// Sessions of a real tmux, with a `claude` that shows its arguments and its environment.
    @Suite(.timeLimit(.minutes(5)), .enabled(if: ShellProgram.tmux != nil && WorktreeLab.git != nil))
    struct WorktreeLaunchTests {
        /// A lab with a repository `work`, `claude` on the login PATH, and the scripts where they are asked for.
        private static func with(
            shell: ShellProgram? = ShellProgram.shells.first,
            installed: Bool = true,
            _ body: (TmuxLab, WorktreeLab) async throws -> Void
        ) async throws {
            try await TmuxLab.with(shell: shell) { tmux in
                try await LoginShellCommandTests.writeProfiles(in: tmux.home)
                try WorktreeLab.writeGitConfiguration(in: tmux.home)
                let claude = """
                    #!/bin/sh
                    { pwd; env | grep -e ^RIFF_ -e ^CLAUDE_ -e '^TMUX'; printf 'argument %s\\n' "$@"; } | tee -a shown ~/shown
                    \(tmux.signalling("up"))
                    exec sleep 1000
                    """
                try await tmux.home.appendingPathComponent("my bin/claude").writeScript(claude)
                let work = WorktreeLab(home: tmux.home, shell: tmux.shell, git: try #require(WorktreeLab.git))
                try await work.makeRepository("work")
                if installed { #expect(try await tmux.manage(HostScriptInstallation.line).status == 0) }
                try await body(tmux, work)
            }
        }

        private static func spec(_ directory: String? = "work", harness: Harness? = nil) throws -> NewSessionSpec {
            NewSessionSpec(directory: try directory.map { try StartDirectory($0) }, harness: harness)
        }

        private static func shown(_ lab: TmuxLab) throws -> [String] {
            try lab.text("shown").split(separator: "\n").map(String.init)
        }

        private static let on = ClaudeArguments(skipsPermissions: true, worktrees: Worktrees())

        @Test(arguments: ShellProgram.shells)
        func `claude is started in the session's worktree, and the pane shows how`(_ shell: ShellProgram) async throws {
            try await Self.with(shell: shell) { lab, work in
                let command = lab.server.newDetached(
                    try SessionName("my #1; é"),
                    spec: try Self.spec(),
                    size: TerminalSize(columns: 300, rows: 50),
                    claude: Self.on.launch
                )
                #expect(try await lab.run(command).status == 0)
                try await lab.wait()
                let tree = work.trees.appendingPathComponent("work/my%20%231%3B%20é").path
                let expected = [
                    tree, "argument --dangerously-skip-permissions", "argument --effort", "argument max",
                    "CLAUDE_CODE_AUTO_COMPACT_WINDOW=200000", "RIFF_SESSION=my #1; é",
                    "RIFF_START_DIR=\(lab.home.path)/work", "RIFF_WORKTREE=1",
                ]
                let shown = try Self.shown(lab)
                #expect(Set(shown) == Set(expected) && shown.count == expected.count)
                let pane = try await lab.ask("capture-pane", "-p", "-t", "=my #1; é:")
                for line in expected { #expect(pane.contains(line), "\(line) is not in\n\(pane)") }
            }
        }

        @Test(arguments: ShellProgram.shells)
        func `without the script a session starts in its directory all the same`(_ shell: ShellProgram) async throws {
            try await Self.with(shell: shell, installed: false) { lab, work in
                let command = lab.server.attachOrCreate(
                    .base,
                    directory: try StartDirectory("~/work"),
                    claude: Self.on.launch
                )
                try await lab.attach(command)
                try await lab.wait()
                let shown = try Self.shown(lab)
                #expect(shown.first == "\(lab.home.path)/work")
                #expect(
                    shown.suffix(3) == ["argument --dangerously-skip-permissions", "argument --effort", "argument max"]
                )
                #expect(!work.exists(work.trees))
                let removal = try await lab.manage(WorktreeRemoval.line(for: .base, in: Worktrees()))
                #expect(removal.status == 0 && removal.output.isEmpty && removal.diagnostics.isEmpty)
            }
        }

        @Test func `a script on the login PATH goes before the one that was installed`() async throws {
            try await Self.with { lab, _ in
                let own = "#!/bin/sh\necho mine >~/shown\n\(lab.signalling("up"))\nexec sleep 1000\n"
                try await lab.home.appendingPathComponent("my bin/riff-claude.sh").writeScript(own)
                _ = try await lab.run(lab.server.newDetached(.base, claude: Self.on.launch))
                try await lab.wait()
                #expect(try Self.shown(lab) == ["mine"])
            }
        }

        @Test(arguments: [false, true], [false, true])
        func `worktrees are for claude alone`(_ isOn: Bool, _ isCustom: Bool) async throws {
            try await Self.with { lab, work in
                let spec = try Self.spec(harness: isCustom ? .custom("claude --mine") : nil)
                let claude = ClaudeArguments(worktrees: isOn ? Worktrees() : nil)
                _ = try await lab.run(lab.server.newDetached(.base, spec: spec, claude: claude.launch))
                try await lab.wait()
                let shown = try Self.shown(lab)
                let isIsolated = isOn && !isCustom
                #expect(shown.first == (isIsolated ? work.trees.path + "/work/riff" : lab.home.path + "/work"))
                #expect(shown.contains("RIFF_START_DIR=\(lab.home.path)/work") == isIsolated)
                #expect(shown.contains("argument --mine") == isCustom)
            }
        }

        @Test func `what is chosen counts for new sessions, and one that runs is left alone`() async throws {
            try await Self.with { lab, _ in
                var choice = ClaudeArguments(effort: "low", worktrees: Worktrees())
                let directory = try StartDirectory("work")
                func attach() async throws {
                    try await lab.attach(
                        lab.server.attachOrCreate(.base, directory: directory, claude: choice.launch)
                    )
                }
                try await attach()
                try await lab.wait()
                let before = try Self.shown(lab)
                #expect(before.contains("argument low"))
                let pane = try await lab.ask("list-panes", "-a", "-F", "#{pane_pid}")
                choice = ClaudeArguments(effort: "high", compactWindow: 1)
                try await lab.setHook("client-attached", signal: "attached")
                try await attach()
                try await lab.wait(for: "attached")
                #expect(try await lab.ask("list-panes", "-a", "-F", "#{pane_pid}") == pane)
                #expect(try Self.shown(lab) == before)
                #expect(try await lab.ask("show-environment", "-t", "=riff:", "RIFF_WORKTREE") == "RIFF_WORKTREE=1")
            }
        }

        @Test(arguments: ShellProgram.shells)
        func `nothing in a directory, a root or a name is run`(_ shell: ShellProgram) async throws {
            try await Self.with(shell: shell) { lab, work in
                let name = #"it's #(touch ~/pwned) $(touch ~/pwned) "q" \;"#
                try await work.makeRepository(name)
                let root = try StartDirectory("~/root \(name)")
                let choice = ClaudeArguments(effort: "$(touch ~/pwned);", worktrees: Worktrees(root: root))
                let session = try SessionName("#(touch pwned) '$(touch pwned)'")
                let command = lab.server.newDetached(session, spec: try Self.spec(name), claude: choice.launch)
                #expect(try await lab.run(command).status == 0)
                try await lab.wait()
                let shown = try Self.shown(lab)
                #expect(shown.contains("RIFF_START_DIR=\(lab.home.path)/\(name)"))
                #expect(shown.contains("argument $(touch ~/pwned);"))
                #expect(shown.first?.hasPrefix("\(lab.home.path)/root \(name)/worktrees/") == true)
                #expect(!lab.exists("pwned") && !lab.exists("\(name)/pwned"))

                // Closing it: claude left a file behind, and that is somebody's work.
                #expect(try await lab.run(lab.server.kill(session)).status == 0)
                let line = try WorktreeRemoval.line(for: session, in: Worktrees(root: root))
                let kept = try await lab.manage(line)
                #expect(kept.status == 3 && WorktreeRemoval(output: kept.output).kept.count == 1)
                let tree = URL(fileURLWithPath: try #require(shown.first))
                try FileManager.default.removeItem(at: tree.appendingPathComponent("shown"))
                let gone = try await lab.manage(line)
                #expect(gone.status == 0 && WorktreeRemoval(output: gone.output).removed == [tree.path])
                let branches = try await work.branches(in: lab.home.appendingPathComponent(name))
                #expect(branches.count == 2 && !lab.exists("pwned"))
            }
        }
    }
}
