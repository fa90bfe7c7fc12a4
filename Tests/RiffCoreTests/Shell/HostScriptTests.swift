// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import TestSupport
import Testing

struct HostScriptTests {
    private static let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../../Sources").standardizedFileURL

    @Test func `the text that is compiled in is the file, byte for byte`() throws {
        let folder = Self.sources.appendingPathComponent("RiffCore/Shell/Scripts")
        for script in HostScript.all {
            let file = try Data(contentsOf: folder.appendingPathComponent(script.name))
            #expect(Array(script.text.utf8) == Array(file), "run scripts/embed-host-scripts")
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(Set(names) == Set(HostScript.all.map(\.name)))
    }

    @Test func `no Swift source knows where a worktree or a branch lies`() throws {
        let files = try #require(FileManager.default.enumerator(at: Self.sources, includingPropertiesForKeys: nil))
        var count = 0
        for case let file as URL in files where file.pathExtension == "swift" {
            // The scripts themselves, as the test above sees to.
            let name = file.lastPathComponent
            if name.hasPrefix("HostScript+"), name.hasSuffix("Text.swift") { continue }
            count += 1
            for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
                if line.drop(while: \.isWhitespace).hasPrefix("//") { continue }
                for path in ["worktrees/", ".git\"", ".git/", "riff/\\(", "refs/", "git worktree", "rev-parse"] {
                    #expect(!line.contains(path), "\(file.path): \(line)")
                }
            }
        }
        #expect(count > 100)
    }
}

extension InTurn {
    @Suite(.timeLimit(.minutes(5)))
    struct HostScriptInstallationTests {
        private static func install(in home: URL, by shell: ShellProgram) async throws -> (status: Int, words: String) {
            let command = try ManagementCommand(HostScriptInstallation.line)
            let result = try await shell.run(["-c", command.line], in: home)
            return (result.status, command.diagnostics(in: result.diagnostics))
        }

        private static func installed(_ script: HostScript, in home: URL) -> URL {
            home.appendingPathComponent(".local/bin/\(script.name)")
        }

        @Test(arguments: ShellProgram.shells)
        func `the scripts are put into the account's own folder, byte for byte`(_ shell: ShellProgram) async throws {
            try await withTemporaryHome { parent in
                let home = parent.appendingPathComponent("it's \"a\" $HOME")
                try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
                for _ in 1...2 {
                    let (status, words) = try await Self.install(in: home, by: shell)
                    #expect(status == 0 && words.isEmpty, "\(words)")
                    try HostScriptInstallation.check(status: status, diagnostics: words, host: "box")
                }
                for script in HostScript.all {
                    let file = Self.installed(script, in: home)
                    #expect(Array(try Data(contentsOf: file)) == Array(script.text.utf8))
                    let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
                    #expect(mode == 0o755)
                }
                let folder = home.appendingPathComponent(".local/bin")
                #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == HostScript.all.count)
            }
        }

        @Test func `an older one of ours is replaced`() async throws {
            try await withTemporaryHome { home in
                let sh = ShellProgram(path: "/bin/sh")
                #expect(try await Self.install(in: home, by: sh).status == 0)
                let file = Self.installed(.claude, in: home)
                try Data("#!/bin/sh\n# Riff host script\nexec claude\n".utf8).write(to: file)
                #expect(try await Self.install(in: home, by: sh).status == 0)
                #expect(Array(try Data(contentsOf: file)) == Array(HostScript.claude.text.utf8))
            }
        }

        @Test(arguments: HostScript.all)
        func `somebody's own script stays, and then none is installed`(_ script: HostScript) async throws {
            try await withTemporaryHome { home in
                let file = Self.installed(script, in: home)
                let folder = file.deletingLastPathComponent()
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
                try Data("#!/bin/sh\nexec claude --mine\n".utf8).write(to: file)
                let (status, words) = try await Self.install(in: home, by: ShellProgram(path: "/bin/sh"))
                let error = #expect(throws: CoreError.self) {
                    try HostScriptInstallation.check(status: status, diagnostics: words, host: "box")
                }
                #expect(error?.code == .hostScriptForeign)
                #expect(error?.message.contains("On box") == true && error?.message.contains(file.path) == true)
                #expect(String(decoding: try Data(contentsOf: file), as: UTF8.self).contains("--mine"))
                #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [script.name])
            }
        }

        @Test func `a folder that cannot be made is told in the host's own words`() async throws {
            try await withTemporaryHome { home in
                try Data().write(to: home.appendingPathComponent(".local"))
                let (status, words) = try await Self.install(in: home, by: ShellProgram(path: "/bin/sh"))
                let error = #expect(throws: CoreError.self) {
                    try HostScriptInstallation.check(status: status, diagnostics: words, host: "box")
                }
                #expect(error?.code == .hostScriptNotInstalled)
                #expect(error?.message.contains("box: mkdir") == true, "\(error?.message ?? "")")
            }
        }

        @Test func `the line is far shorter than a system takes for one argument`() throws {
            // Linux: 128 KiB. What a host gets is quoted once more for the login shell.
            #expect(try ManagementCommand(HostScriptInstallation.line).line.utf8.count < 64 << 10)
        }
    }
}
