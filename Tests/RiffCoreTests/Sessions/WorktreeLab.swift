// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import TestSupport
import Testing

/// Real git repositories in a home of a test's own, the real scripts, and a `claude` that says where and how it was
/// started.
struct WorktreeLab: Sendable {
    let home: URL
    let shell: ShellProgram
    let git: ShellProgram
    /// What the repositories are called unless said otherwise.
    static let repository = "my 'repo' é"

    /// Where worktrees lie unless said otherwise.
    var trees: URL { home.appendingPathComponent(".local/share/riff/worktrees") }
    var locks: URL { home.appendingPathComponent(".local/share/riff/locks") }
    private var bin: URL { home.appendingPathComponent("bin") }

    static let git = ShellProgram.find("git")
    /// The path of the real Claude Code, for the test that needs it.
    static let claude = ProcessInfo.processInfo.environment["RIFF_TEST_CLAUDE"]
    /// The shells that may be a system's `sh`, as far as they are installed.
    static let shells = ["dash", "bash"].compactMap(ShellProgram.find)

    static func with(_ shell: ShellProgram, _ body: (WorktreeLab) async throws -> Void) async throws {
        let git = try #require(WorktreeLab.git)
        try await withTemporaryHome { home in
            let lab = WorktreeLab(home: home, shell: shell, git: git)
            try FileManager.default.createDirectory(at: lab.bin, withIntermediateDirectories: true)
            for script in HostScript.all {
                try await lab.bin.appendingPathComponent(script.name).writeScript(script.text)
            }
            let claude = "#!/bin/sh\necho \"in $PWD\"\nfor argument do echo \"argument $argument\"; done\n"
            try await lab.bin.appendingPathComponent("claude").writeScript(claude)
            try Self.writeGitConfiguration(in: home)
            try await body(lab)
        }
    }

    static func writeGitConfiguration(in home: URL) throws {
        let text =
            "[user]\n name = A\n email = a@localhost\n[init]\n defaultBranch = main\n[advice]\n detachedHead = false\n"
        try Data(text.utf8).write(to: home.appendingPathComponent(".gitconfig"))
    }

    /// A repository with one commit; with an origin, one whose default branch `main` has that commit.
    @discardableResult
    func makeRepository(_ name: String = repository, origin: Bool = false) async throws -> URL {
        let folder = home.appendingPathComponent(name)
        let below = folder.appendingPathComponent("a folder/below")
        try FileManager.default.createDirectory(at: below, withIntermediateDirectories: true)
        try Data("one\n".utf8).write(to: below.appendingPathComponent("file"))
        try await git(["init", "--quiet"], in: folder)
        try await git(["add", "."], in: folder)
        try await git(["commit", "--quiet", "-m", "one"], in: folder)
        if origin {
            let bare = home.appendingPathComponent("origin.git").path
            try await git(["clone", "--quiet", "--bare", folder.path, bare], in: home)
            try await git(["remote", "add", "origin", bare], in: folder)
            try await git(["fetch", "--quiet", "origin"], in: folder)
            try await git(["remote", "set-head", "origin", "main"], in: folder)
        }
        return folder
    }

    @discardableResult
    func git(_ arguments: [String], in folder: URL) async throws -> String {
        let result = try await git.run(["-C", folder.path] + arguments, in: home)
        #expect(result.status == 0, "\(arguments): \(String(decoding: result.diagnostics, as: UTF8.self))")
        return String(decoding: result.output, as: UTF8.self).trimmingCharacters(in: .newlines)
    }

    func commit(_ message: String, in folder: URL) async throws -> String {
        try await git(["commit", "--quiet", "--allow-empty", "-m", message], in: folder)
        return try await git(["rev-parse", "HEAD"], in: folder)
    }

    func branches(in folder: URL) async throws -> [String] {
        try await git(["for-each-ref", "--format=%(refname:short)", "refs/heads"], in: folder)
            .split(separator: "\n").map(String.init)
    }

    /// What git lists, by folder.
    func worktrees(in folder: URL) async throws -> [String] {
        try await git(["worktree", "list", "--porcelain"], in: folder).split(separator: "\n")
            .filter { $0.hasPrefix("worktree ") }.map { String($0.dropFirst("worktree ".count)) }
    }

    struct Start: Sendable {
        let folder: String?
        let arguments: [String]
        let diagnostics: String
        let status: Int
        /// What the script itself told.
        var complaints: [Substring] { diagnostics.split(separator: "\n").filter { $0.hasPrefix("riff: ") } }
    }

    /// Starts a session's claude as the pane does.
    func start(
        _ session: String?,
        in folder: URL?,
        arguments: [String] = [],
        environment: [String: String] = [:],
        wrapper: [String] = []
    ) async throws -> Start {
        var variables = ["RIFF_WORKTREE": "1", "PATH": "\(bin.path):/usr/local/bin:/usr/bin:/bin"]
        variables["RIFF_SESSION"] = session
        variables["RIFF_START_DIR"] = folder?.path
        let script = [bin.appendingPathComponent(HostScript.claude.name).path] + arguments
        let line = wrapper + (wrapper.isEmpty ? [] : [shell.path]) + script
        let program = wrapper.isEmpty ? shell : ShellProgram(path: line[0])
        let result = try await program.run(
            wrapper.isEmpty ? line : Array(line.dropFirst()),
            in: home,
            environment: variables.merging(environment) { $1 }
        )
        let lines = String(decoding: result.output, as: UTF8.self).split(separator: "\n").map(String.init)
        return Start(
            folder: lines.first { $0.hasPrefix("in ") }.map { String($0.dropFirst(3)) },
            arguments: lines.filter { $0.hasPrefix("argument ") }.map { String($0.dropFirst(9)) },
            diagnostics: String(decoding: result.diagnostics, as: UTF8.self),
            status: result.status
        )
    }

    /// Removes a session's worktrees.
    func remove(_ session: String, environment: [String: String] = [:]) async throws -> (WorktreeRemoval, status: Int) {
        // By its own first line: it finds the other script by its own path.
        let script = bin.appendingPathComponent(HostScript.worktreeRemove.name).path
        let result = try await shell.run([script, session], in: home, environment: environment)
        #expect(result.diagnostics.isEmpty, "\(String(decoding: result.diagnostics, as: UTF8.self))")
        return (WorktreeRemoval(output: result.output), result.status)
    }

    func exists(_ file: URL) -> Bool { FileManager.default.fileExists(atPath: file.path) }

    func makeFolder(_ folder: URL, minutesOld: Int = 0) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let date = Date(timeIntervalSinceNow: -60 * Double(minutesOld))
        try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: folder.path)
    }
}
