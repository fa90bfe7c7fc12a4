// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffHermes
import RiffTesting
import RiffTransport
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2)))
struct SkillFolderTests {
    /// A host whose commands do something to its files, and which refuses some of them.
    private struct WorkingHost: ForwardingHostSession {
        let base: any HostSession
        var refused: [String: TransportError.Code] = [:]
        var work: @Sendable (any HostSession, String) async throws -> String = { _, _ in "" }

        func run(_ command: String, input: [UInt8], outputLimit: Int, timeout: Duration) async throws -> CommandResult {
            CommandResult(output: Array(try await work(base, command).utf8), exit: .exited(0))
        }

        func list(_ path: String) async throws -> [DirectoryEntry] {
            try check(path)
            return try await base.list(path)
        }

        func read(_ path: String, from offset: UInt64, count: Int) async throws -> [UInt8] {
            try check(path)
            return try await base.read(path, from: offset, count: count)
        }

        private func check(_ path: String) throws {
            if let code = refused[path] { throw TransportError(code, "\(path) is refused.") }
        }
    }

    private static func files(_ files: [String: String]) -> ScriptedHostSession {
        ScriptedHostSession(files: files.mapValues { Array($0.utf8) })
    }

    @Test func `skills are installed and uninstalled by the host's own command`() async throws {
        let host = WorkingHost(base: Self.files(["/h/skills/dev/old/SKILL.md": "x"])) { files, command in
            if command.contains("skills install --yes") {
                try await files.makeDirectory("/h/skills/dev/new", permissions: 0o755)
                try await files.write(Array("x".utf8), to: "/h/skills/dev/new/SKILL.md", permissions: nil)
            } else if command.contains("skills uninstall") {
                try await files.remove("/h/skills/dev/old/SKILL.md")
            }
            return "done"
        }
        let skills = HermesHome("/h", on: host).skills
        #expect(try await skills.install("owner/repo/a b", category: "dev").text == "done")
        #expect(try await skills.list().map(\.id) == ["dev/new", "dev/old"])
        #expect(try await skills.uninstall("old").text == "done")
        #expect(try await skills.list().map(\.id) == ["dev/new"])
    }

    @Test func `a host without the command is told`() async throws {
        let missing = ScriptedHostSession { _, _ in
            CommandResult(
                output: [],
                diagnostics: Array("env: 'hermes': No such file or directory".utf8),
                exit: .exited(127)
            )
        }
        let error = await #expect(throws: TransportError.self) {
            try await HermesHome("/h", on: missing).skills.install("x")
        }
        #expect(error?.code == .programNotFound && error?.recovery == .installProgram("hermes"))
    }

    /// What hermes-agent 0.19.0 writes where it refuses, with status 0; no more than its end is told.
    @Test(arguments: [
        ("\nError: Could not fetch\n'x' from any source.\n\n", "Error: Could not fetch 'x' from any source."),
        ("Installation blocked: \(String(repeating: "a very long report ", count: 100))end", "a very long report end"),
        ("", "it changed no skill, and said nothing."),
    ])
    func `an installation that was refused is an error`(words: String, end: String) async throws {
        let host = WorkingHost(base: Self.files(["/h/skills/old/SKILL.md": "x"])) { _, _ in words }
        let skills = HermesHome("/h", on: host).skills
        for (name, work) in [("install", skills.installing), ("uninstall", skills.uninstalling)] {
            let error = await #expect(throws: TransportError.self) { try await work() }
            #expect(error?.code == .commandFailed)
            let message = try #require(error?.message)
            #expect(message.hasPrefix("hermes skills \(name): ") && message.hasSuffix(end) && message.count < 450)
        }
    }

    @Test func `a skill that cannot be read hides no other one`() async throws {
        let host = WorkingHost(
            base: Self.files([
                "/h/skills/good/SKILL.md": "---\nname: fine\n---\n", "/h/skills/denied/SKILL.md": "x",
                "/h/skills/large/SKILL.md": String(repeating: "x", count: 1 << 20 + 1),
                "/h/skills/odd/SKILL.md": "x", "/h/skills/closed/inner/SKILL.md": "x",
            ]),
            refused: [
                "/h/skills/denied/SKILL.md": .permissionDenied, "/h/skills/odd/SKILL.md": .fileFailed,
                "/h/skills/closed": .permissionDenied,
            ]
        )
        let skills = try await HermesHome("/h", on: host).skills.list()
        #expect(skills.map(\.id) == ["denied", "good", "large", "odd"])
        #expect(skills.map(\.name) == ["denied", "fine", "large", "odd"])
        let codes = ["data.fileUnreadable", nil, "data.fileTooLarge", "data.fileUnreadable"]
        #expect(skills.map(\.problem?.code) == codes)
    }

    @Test func `a front that is no YAML is read as lines, as Hermes reads it`() async throws {
        let skills = try await HermesHome(
            "/h",
            on: Self.files([
                "/h/skills/a/SKILL.md": "---\nname: first\ndescription: A: b\nno line\n: x\n---\nbody",
                "/h/skills/b/SKILL.md": "---\r\nname: second\r\ndescription:  Use it when: asked \r\n---\r\nbody",
                "/h/skills/c/SKILL.md": "---\ndescription: one: two\ntags: [a\n---\nbody",
            ])
        ).skills.list()
        #expect(skills.map(\.name) == ["first", "second", "c"])
        #expect(skills.map(\.summary) == ["A: b", "Use it when: asked", nil])
        #expect(skills.map { $0.problem?.code } == [nil, nil, "data.fileMalformed"])
    }

    @Test(arguments: ["/h/skills/good/SKILL.md", "/h/skills"])
    func `a lost connection, and skills that may not be listed at all, are errors`(path: String) async throws {
        let code: TransportError.Code = path == "/h/skills" ? .permissionDenied : .connectionLost
        let host = WorkingHost(base: Self.files(["/h/skills/good/SKILL.md": "x"]), refused: [path: code])
        let error = await #expect(throws: TransportError.self) { try await HermesHome("/h", on: host).skills.list() }
        #expect(error?.code == code)
    }

    @Test func `a command that cannot be read hides no other one`() async throws {
        let folder = "/p/.scarf/slash-commands"
        let large = String(repeating: "x", count: 1 << 20 + 1)
        let host = WorkingHost(
            base: Self.files([
                "\(folder)/a.md": "x", "\(folder)/b.md": large,
                "\(folder)/c.md": "---\na: [\n---\nbody", "\(folder)/d.md": "Do it.",
                "/h/scarf/projects.json": #"{"projects": [{"name": "P", "path": "/p"}]}"#,
            ]),
            refused: ["\(folder)/a.md": .permissionDenied]
        )
        let home = HermesHome("/h", on: host)
        let project = try #require(try await home.projects.read().projects.first)
        let commands = try await home.slashCommands(of: project)
        #expect(commands.map(\.id) == ["a", "b", "c", "d"])
        #expect(commands.map(\.problem?.code) == [.fileUnreadable, .fileTooLarge, .fileMalformed, nil])
        #expect(commands.map { $0.revision == .absent } == [true, true, false, false])
        #expect(commands[3].prompt() == "Do it.")
    }
}

extension SkillFolder {
    fileprivate func installing() async throws { try await install("x") }
    fileprivate func uninstalling() async throws { try await uninstall("old") }
}
