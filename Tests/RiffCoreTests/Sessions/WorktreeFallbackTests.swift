// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffTesting
import TestSupport
import Testing

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

extension InTurn {
    /// What keeps a worktree from being made never keeps a session from starting.
    @Suite(.timeLimit(.minutes(5)), .enabled(if: WorktreeLab.git != nil))
    struct WorktreeFallbackTests {
        /// A reason, and what makes it.
        struct Trouble: Sendable, CustomTestStringConvertible {
            let testDescription: String
            var session: String? = "riff"
            let arrange: @Sendable (WorktreeLab, URL) async throws -> (folder: URL, environment: [String: String])
        }

        static let troubles = [
            Trouble(testDescription: "no repository") { lab, _ in (lab.home, [:]) },
            Trouble(testDescription: "no commit") { lab, _ in
                let folder = lab.home.appendingPathComponent("empty")
                try await lab.git(["init", "--quiet", folder.path], in: lab.home)
                return (folder, [:])
            },
            Trouble(testDescription: "no session", session: nil) { _, repository in (repository, [:]) },
            Trouble(testDescription: "the root is below a file") { lab, repository in
                (repository, ["RIFF_ROOT": "\(lab.home.path)/.gitconfig/riff"])
            },
            Trouble(testDescription: "locks cannot be made") { lab, repository in
                try lab.makeFolder(lab.trees)
                try Data().write(to: lab.locks)
                return (repository, [:])
            },
            Trouble(testDescription: "the branch is checked out elsewhere") { lab, repository in
                try await lab.git(["checkout", "--quiet", "-b", "riff/riff"], in: repository)
                return (repository, [:])
            },
            Trouble(testDescription: "a branch stands where ours would begin") { lab, repository in
                try await lab.git(["branch", "riff"], in: repository)
                return (repository, [:])
            },
            Trouble(testDescription: "no git") { lab, repository in
                try lab.makeFolder(lab.home.appendingPathComponent("few"))
                for name in ["uname", "mkdir", "ls", "rmdir", "date", "claude"] {
                    let path = name == "claude" ? "\(lab.home.path)/bin/claude" : ShellProgram.find(name)?.path
                    try FileManager.default.createSymbolicLink(
                        atPath: "\(lab.home.path)/few/\(name)",
                        withDestinationPath: try #require(path)
                    )
                }
                return (repository, ["PATH": "\(lab.home.path)/few"])
            },
        ]

        @Test(arguments: WorktreeLab.shells, troubles)
        func `claude starts in the start directory, and the reason is told`(
            _ shell: ShellProgram,
            _ trouble: Trouble
        ) async throws {
            try await WorktreeLab.with(shell) { lab in
                let repository = try await lab.makeRepository()
                let (folder, environment) = try await trouble.arrange(lab, repository)
                let start = try await lab.start(
                    trouble.session,
                    in: folder,
                    arguments: ["-x"],
                    environment: environment
                )
                #expect(start.folder == folder.path && start.status == 0 && start.arguments == ["-x"])
                #expect(start.complaints.last == "riff: no worktree for this session; starting in \(folder.path)")
                // There is a reason besides, ours or git's.
                #expect(start.diagnostics.split(separator: "\n").count > 1)
            }
        }

        @Test(arguments: WorktreeLab.shells)
        func `a start directory that is gone is told too`(_ shell: ShellProgram) async throws {
            try await WorktreeLab.with(shell) { lab in
                let start = try await lab.start("riff", in: lab.home.appendingPathComponent("gone"))
                #expect(start.folder == lab.home.path && start.status == 0)
                #expect(start.complaints.last == "riff: starting in \(lab.home.path)")
            }
        }

        @Test(arguments: WorktreeLab.shells)
        func `without worktrees the script is claude and nothing else`(_ shell: ShellProgram) async throws {
            try await WorktreeLab.with(shell) { lab in
                let repository = try await lab.makeRepository()
                let start = try await lab.start(
                    "riff",
                    in: repository,
                    arguments: ["a b"],
                    environment: ["RIFF_WORKTREE": "0"]
                )
                #expect(start.folder == lab.home.path && start.arguments == ["a b"] && start.diagnostics.isEmpty)
                #expect(!lab.exists(lab.trees))
            }
        }

        static func canMount() async -> Bool {
            guard geteuid() == 0, let unshare = ShellProgram.find("unshare") else { return geteuid() != 0 }
            // An error is the answer too.
            return
                (try? await withTemporaryHome { home in
                    try await unshare.run(["-m", "mount", "-t", "tmpfs", "none", home.path], in: home).status == 0
                }) ?? false
        }

        @Test(.enabled("making folders read-only for root needs a mount namespace") { await canMount() })
        func `a root that can only be read leaves the session in its start directory`() async throws {
            for shell in WorktreeLab.shells {
                try await WorktreeLab.with(shell) { lab in
                    let repository = try await lab.makeRepository()
                    let root = lab.home.appendingPathComponent("root")
                    try lab.makeFolder(root)
                    chmod(root.path, 0o500)
                    // The rights of a folder do not bind root; those of a mount do.
                    let unshare = ShellProgram.find("unshare")?.path
                    let mount = "mount -t tmpfs -o ro none \"$RIFF_ROOT\" && exec \"$@\""
                    let start = try await lab.start(
                        "riff",
                        in: repository,
                        environment: ["RIFF_ROOT": root.path],
                        wrapper: geteuid() == 0 ? [try #require(unshare), "-m", "sh", "-c", mount, "sh"] : []
                    )
                    #expect(start.folder == repository.path && start.status == 0)
                    #expect(start.complaints.count == 1)
                    #expect(try await lab.branches(in: repository) == ["main"])
                }
            }
        }
    }
}
