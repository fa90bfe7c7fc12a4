// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import TestSupport
import Testing

extension InTurn {
    @Suite(.timeLimit(.minutes(5)), .enabled(if: WorktreeLab.git != nil))
    struct WorktreeRemovalTests {
        @Test(arguments: WorktreeLab.shells)
        func `the folder goes, the branch and the other sessions stay`(_ shell: ShellProgram) async throws {
            try await WorktreeLab.with(shell) { lab in
                let repository = try await lab.makeRepository(".hidden")
                for session in ["riff", "riff-2", "riff-22"] { _ = try await lab.start(session, in: repository) }
                let tree = lab.trees.appendingPathComponent(".hidden/riff-2")
                let work = try await lab.commit("work", in: tree)
                try Data("x".utf8).write(to: repository.appendingPathComponent(".git/info/exclude"))
                try Data("x".utf8).write(to: tree.appendingPathComponent("x"))
                let (removal, status) = try await lab.remove("riff-2")
                #expect(removal.removed == [tree.path] && removal.kept.isEmpty && status == 0)
                #expect(!lab.exists(tree))
                #expect(try await lab.branches(in: repository) == ["main", "riff/riff", "riff/riff-2", "riff/riff-22"])
                #expect(try await lab.git(["rev-parse", "riff/riff-2"], in: repository) == work)
                #expect(try await lab.worktrees(in: repository).count == 3)
                let again = try await lab.remove("riff-2")
                #expect(again.0.removed.isEmpty && again.0.kept.isEmpty && again.status == 0)
                for session in ["riff", "riff-22"] { #expect(try await lab.remove(session).status == 0) }
                #expect(try FileManager.default.contentsOfDirectory(atPath: lab.trees.path).isEmpty)
            }
        }

        @Test(arguments: WorktreeLab.shells)
        func `work that no commit has is kept, and so are commits that no branch has`(_ shell: ShellProgram)
            async throws
        {
            try await WorktreeLab.with(shell) { lab in
                let repository = try await lab.makeRepository()
                let start = try await lab.start("riff", in: repository)
                let tree = URL(fileURLWithPath: try #require(start.folder))
                let file = tree.appendingPathComponent("a folder/below/file")
                func expectKept(_ reason: String) async throws {
                    let (removal, status) = try await lab.remove("riff")
                    #expect(removal.removed.isEmpty && removal.kept.count == 1 && status == 3)
                    #expect(removal.kept.first?.hasPrefix("\(tree.path): ") == true)
                    #expect(removal.kept.first?.contains(reason) == true, "\(removal.kept)")
                    #expect(lab.exists(file))
                }
                try Data("two\n".utf8).write(to: file)
                try await expectKept("modified or untracked")
                try await lab.git(["checkout", "--quiet", "."], in: tree)

                // Not shown by the person's own settings, and work all the same.
                try await lab.git(["config", "--global", "status.showUntrackedFiles", "no"], in: tree)
                try Data("new".utf8).write(to: tree.appendingPathComponent("new"))
                try await expectKept("modified or untracked")
                try FileManager.default.removeItem(at: tree.appendingPathComponent("new"))

                try await lab.git(["checkout", "--quiet", "--detach"], in: tree)
                _ = try await lab.commit("on no branch", in: tree)
                try await expectKept("on no branch")
                try await lab.git(["tag", "found"], in: tree)
                #expect(try await lab.remove("riff").status == 0)
                #expect(!lab.exists(tree))
            }
        }

        @Test(arguments: WorktreeLab.shells)
        func `a folder whose repository is gone is kept, an empty one is not`(_ shell: ShellProgram) async throws {
            try await WorktreeLab.with(shell) { lab in
                let repository = try await lab.makeRepository("api")
                let start = try await lab.start("riff", in: repository)
                try FileManager.default.removeItem(at: repository)
                let empty = lab.trees.appendingPathComponent("web/riff")
                try lab.makeFolder(empty)
                let (removal, status) = try await lab.remove("riff")
                #expect(removal.removed == [empty.path] && status == 3)
                #expect(removal.kept.first?.hasSuffix("riff: no worktree of a repository that is there") == true)
                #expect(lab.exists(URL(fileURLWithPath: try #require(start.folder)).appendingPathComponent("a folder")))
            }
        }

        @Test(arguments: WorktreeLab.shells)
        func `a connection that is lost meanwhile leaves no half of a folder`(_ shell: ShellProgram) async throws {
            try await WorktreeLab.with(shell) { lab in
                let repository = try await lab.makeRepository()
                let start = try await lab.start("riff", in: repository)
                // What a terminal's end does to everything that runs in it, right before git removes.
                let hangUp =
                    "#!/bin/sh\ncase $* in *\" worktree remove \"*) kill -HUP 0;; esac\nexec \(lab.git.path) \"$@\"\n"
                let bin = lab.home.appendingPathComponent("hang up")
                try lab.makeFolder(bin)
                try await bin.appendingPathComponent("git").writeScript(hangUp)
                let path = "\(bin.path):/usr/local/bin:/usr/bin:/bin"
                #expect(try await lab.remove("riff", environment: ["PATH": path]).status == 0)
                #expect(!lab.exists(URL(fileURLWithPath: try #require(start.folder))))
                #expect(try FileManager.default.contentsOfDirectory(atPath: lab.locks.path).isEmpty)
            }
        }

        @Test(arguments: WorktreeLab.shells)
        func `no name leads out of the root, and none is nothing`(_ shell: ShellProgram) async throws {
            try await WorktreeLab.with(shell) { lab in
                let repository = try await lab.makeRepository()
                _ = try await lab.start("riff", in: repository)
                for name in ["..", ".", "../..", "*", "/", "-"] {
                    let (removal, status) = try await lab.remove(name)
                    #expect(removal.removed.isEmpty && removal.kept.isEmpty && status == 0)
                }
                #expect(try await lab.worktrees(in: repository).count == 2)
                let script = "\(lab.home.path)/bin/\(HostScript.worktreeRemove.name)"
                #expect(try await shell.run([script], in: lab.home).status == 64)
            }
        }
    }
}

struct WorktreeRemovalOutputTests {
    @Test func `removed and kept folders are told apart, and everything else is passed over`() {
        let removal = WorktreeRemoval(output: Array("motd\nremoved /a b\nkept /c: why \u{1B}[2J\n\nkeptx\n".utf8))
        #expect(removal.removed == ["/a b"])
        #expect(removal.kept == ["/c: why [2J"])
        #expect(WorktreeRemoval(output: []).removed.isEmpty)
    }

    @Test func `the line names the session and the root in quotes`() throws {
        let lookup =
            #"'for script in "$(command -v "$0")" "/${XDG_DATA_HOME#/}/riff/kit/bin/$0" "#
            + #""$HOME/.local/share/riff/kit/bin/$0" "$HOME/.local/bin/$0"; do test -x "$script" && exec "$script" "$@"; "#
            + "done; exit 0' riff-worktree-remove.sh 'my #1'"
        let session = try SessionName("my #1")
        #expect(try WorktreeRemoval.line(for: session, in: Worktrees()) == "sh -c " + lookup)
        let elsewhere = Worktrees(root: try StartDirectory("~/a b"))
        #expect(
            try WorktreeRemoval.line(for: session, in: elsewhere)
                == #"env 'RIFF_ROOT='"$HOME"'/a b' sh -c "# + lookup
        )
    }
}
