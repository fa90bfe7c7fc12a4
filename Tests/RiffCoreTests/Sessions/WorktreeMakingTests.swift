// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import TestSupport
import Testing

extension InTurn {
    @Suite(.timeLimit(.minutes(5)), .enabled(if: WorktreeLab.git != nil))
    struct WorktreeMakingTests {
        @Test(arguments: WorktreeLab.shells)
        func `a worktree begins where origin's default branch is`(_ shell: ShellProgram) async throws {
            try await WorktreeLab.with(shell) { lab in
                let repository = try await lab.makeRepository(origin: true)
                let published = try await lab.git(["rev-parse", "HEAD"], in: repository)
                try await lab.git(["checkout", "--quiet", "-b", "mine"], in: repository)
                _ = try await lab.commit("not published", in: repository)
                let start = try await lab.start("riff-2", in: repository, arguments: ["--effort", "a b", ""])
                let tree = lab.trees.appendingPathComponent("\(WorktreeLab.repository)/riff-2")
                #expect(start.folder == tree.path && start.complaints.isEmpty && start.status == 0)
                #expect(start.arguments == ["--effort", "a b", ""])
                #expect(try await lab.git(["symbolic-ref", "HEAD"], in: tree) == "refs/heads/riff/riff-2")
                #expect(try await lab.git(["rev-parse", "HEAD"], in: tree) == published)
                // A push from it goes nowhere by itself.
                #expect(
                    try await lab.git(["for-each-ref", "--format=%(upstream)", "refs/heads/riff"], in: tree).isEmpty
                )
                #expect(try await lab.git(["symbolic-ref", "HEAD"], in: repository) == "refs/heads/mine")
            }
        }

        @Test(arguments: WorktreeLab.shells)
        func `without an origin it begins at HEAD, in the same folder of the repository`(_ shell: ShellProgram)
            async throws
        {
            try await WorktreeLab.with(shell) { lab in
                let repository = try await lab.makeRepository()
                try await lab.git(["checkout", "--quiet", "-b", "mine"], in: repository)
                let head = try await lab.commit("two", in: repository)
                let below = repository.appendingPathComponent("a folder/below")
                let start = try await lab.start("riff", in: below)
                let tree = lab.trees.appendingPathComponent("\(WorktreeLab.repository)/riff")
                #expect(start.folder == tree.appendingPathComponent("a folder/below").path)
                #expect(try await lab.git(["rev-parse", "HEAD"], in: tree) == head)
                // A worktree is a place to start from as well.
                let second = try await lab.start("riff-2", in: tree)
                #expect(second.folder == lab.trees.appendingPathComponent("\(WorktreeLab.repository)/riff-2").path)
            }
        }

        @Test(arguments: WorktreeLab.shells)
        func `a session finds its worktree again as it was left`(_ shell: ShellProgram) async throws {
            try await WorktreeLab.with(shell) { lab in
                let repository = try await lab.makeRepository()
                let first = try await lab.start("riff-2", in: repository)
                let tree = URL(fileURLWithPath: try #require(first.folder))
                try Data("draft".utf8).write(to: tree.appendingPathComponent("draft"))
                try await lab.git(["checkout", "--quiet", "-b", "elsewhere"], in: tree)
                let second = try await lab.start("riff-2", in: repository)
                #expect(second.folder == first.folder && second.complaints.isEmpty)
                #expect(lab.exists(tree.appendingPathComponent("draft")))
                #expect(try await lab.git(["symbolic-ref", "HEAD"], in: tree) == "refs/heads/elsewhere")
            }
        }

        @Test(arguments: WorktreeLab.shells)
        func `a branch from before keeps its commits, and one without any begins anew`(_ shell: ShellProgram)
            async throws
        {
            try await WorktreeLab.with(shell) { lab in
                let repository = try await lab.makeRepository()
                var kept = ""
                for session in ["riff-2", "riff-3"] {
                    let start = try await lab.start(session, in: repository)
                    let tree = URL(fileURLWithPath: try #require(start.folder))
                    if session == "riff-2" { kept = try await lab.commit("work", in: tree) }
                    #expect(try await lab.remove(session).status == 0)
                }
                let head = try await lab.commit("two", in: repository)
                for (session, commit) in [("riff-2", kept), ("riff-3", head)] {
                    let start = try await lab.start(session, in: repository)
                    let tree = URL(fileURLWithPath: try #require(start.folder))
                    #expect(try await lab.git(["rev-parse", "HEAD"], in: tree) == commit)
                }
            }
        }

        @Test(arguments: WorktreeLab.shells)
        func `every name has a folder and a branch of its own, inside of the root`(_ shell: ShellProgram) async throws {
            let names: [(session: String, name: String)] = [
                ("a b", "a%20b"), ("a-b", "a-b"), ("a%20b", "a%2520b"), ("it's \"$HOME`", "it%27s%20%22%24HOME%60"),
                ("é 日本", "é%20日本"), ("..", "%2E%2E"), ("x/../../y", "x%2F%2E%2E%2F%2E%2E%2Fy"), ("-f", "-f"),
                ("a\\~^:?*[@{b.lock", "a%5C%7E%5E%3A%3F%2A%5B%40%7Bb%2Elock"), ("@", "%40"), ("/", "%2F"),
            ]
            try await WorktreeLab.with(shell) { lab in
                let repository = try await lab.makeRepository()
                // A locale in which shells read whole letters.
                let environment = ["LC_ALL": "C.UTF-8"]
                for (session, name) in names {
                    let start = try await lab.start(session, in: repository, environment: environment)
                    let tree = lab.trees.appendingPathComponent("\(WorktreeLab.repository)/\(name)")
                    #expect(start.folder == tree.path, "\(session): \(start.diagnostics)")
                }
                #expect(Set(try await lab.branches(in: repository)) == Set(["main"] + names.map { "riff/\($0.name)" }))
                for (session, name) in names {
                    let (removal, status) = try await lab.remove(session, environment: environment)
                    #expect(removal.removed.map { $0.hasSuffix("/\(name)") } == [true] && status == 0)
                }
            }
        }

        @Test(arguments: WorktreeLab.shells)
        func `ten sessions at once have ten worktrees`(_ shell: ShellProgram) async throws {
            try await WorktreeLab.with(shell) { lab in
                let repository = try await lab.makeRepository(origin: true)
                let starts = try await withThrowingTaskGroup(of: WorktreeLab.Start.self) { group in
                    for number in 1...10 { group.addTask { try await lab.start("riff-\(number)", in: repository) } }
                    return try await group.reduce(into: []) { $0.append($1) }
                }
                #expect(starts.allSatisfy { $0.status == 0 && $0.complaints.isEmpty }, "\(starts)")
                #expect(Set(starts.compactMap(\.folder)).count == 10)
                #expect(starts.allSatisfy { $0.folder?.hasPrefix(lab.trees.path) == true })
                #expect(try await lab.worktrees(in: repository).count == 11)
                #expect(try FileManager.default.contentsOfDirectory(atPath: lab.locks.path).isEmpty)
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for number in 1...10 {
                        group.addTask {
                            let status = try await lab.remove("riff-\(number)").status
                            #expect(status == 0)
                        }
                    }
                    try await group.waitForAll()
                }
                #expect(try await lab.worktrees(in: repository) == [repository.path])
            }
        }

        @Test(arguments: WorktreeLab.shells)
        func `two repositories of one name do not meet`(_ shell: ShellProgram) async throws {
            try await WorktreeLab.with(shell) { lab in
                let first = try await lab.makeRepository("one/api")
                let second = try await lab.makeRepository("two/api")
                let one = try await lab.start("riff", in: first)
                let two = try await lab.start("riff", in: second)
                #expect(one.folder == lab.trees.appendingPathComponent("api/riff").path)
                #expect(two.folder?.hasPrefix(lab.trees.appendingPathComponent("api-").path) == true)
                #expect(try await lab.start("riff", in: second).folder == two.folder)
                #expect(try await lab.worktrees(in: first) == [first.path, one.folder])
                #expect(try await lab.remove("riff").0.removed.count == 2)
            }
        }

        @Test(arguments: WorktreeLab.shells)
        func `a hook that prints and fails does not keep the session out of its worktree`(_ shell: ShellProgram)
            async throws
        {
            try await WorktreeLab.with(shell) { lab in
                let repository = try await lab.makeRepository()
                try await repository.appendingPathComponent(".git/hooks/post-checkout")
                    .writeScript("#!/bin/sh\necho noise\nexit 1\n")
                let start = try await lab.start("riff", in: repository)
                #expect(start.folder == lab.trees.appendingPathComponent("\(WorktreeLab.repository)/riff").path)
            }
        }

        @Test(arguments: WorktreeLab.shells)
        func `a folder deleted by hand is made again, and only ours are forgotten`(_ shell: ShellProgram) async throws {
            try await WorktreeLab.with(shell) { lab in
                let repository = try await lab.makeRepository()
                let theirs = lab.home.appendingPathComponent("theirs")
                try await lab.git(["worktree", "add", "--quiet", theirs.path], in: repository)
                for session in ["riff-2", "riff-3"] { _ = try await lab.start(session, in: repository) }
                try FileManager.default.removeItem(at: lab.trees)
                try FileManager.default.removeItem(at: theirs)
                let start = try await lab.start("riff-2", in: repository)
                #expect(start.complaints.isEmpty)
                let tree = try #require(start.folder)
                #expect(
                    try await lab.worktrees(in: repository).sorted() == [repository.path, theirs.path, tree].sorted()
                )
            }
        }
    }
}
