// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffHermes
import RiffTesting
import RiffTransport
import TestSupport
import Testing

struct HermesConfigTests {
    private static func config(_ yaml: String) async throws -> HermesConfig {
        try await HermesConfig(yaml: yaml, revision: .absent)
    }

    @Test func `a real configuration is read`() async throws {
        let text = try String(contentsOfFile: HomeLab.fixture + "/config.yaml", encoding: .utf8)
        let config = try await Self.config(text)
        #expect(config.model == "fake-model" && config.provider == "custom")
        #expect(config["model.base_url"] == "http://127.0.0.1:8399/v1")
        #expect(config["model.none.deeper"] == nil && config["model.default.0"] == nil)
    }

    @Test func `what YAML has is read as JSON has it`() async throws {
        let config = try await Self.config(
            """
            # a comment
            base: &base {a: 1, b: [x, 'y', "z\\n"]}
            copy: {<<: *base, a: 2}
            kinds: [1, -2, 1.5, true, no, null, ~, "true", '7', 2026-11-23, 0x1F]
            text: |
              two
              lines
            memory: {memory_char_limit: 3000}
            quick_commands:
              up: {type: exec, command: uptime}
              df: df -h
            """
        )
        #expect(config["copy.a"] == 2 && config["copy.b.1"] == "y" && config["copy.b.2"] == "z\n")
        #expect(config["kinds"] == [1, -2, 1.5, true, false, nil, nil, "true", "7", "2026-11-23", 31])
        #expect(config["text"] == "two\nlines\n")
        #expect(config.memoryLimit(of: .memory) == 3000 && config.memoryLimit(of: .user) == nil)
        #expect(config.quickCommands.map(\.name) == ["df", "up"])
        #expect(config.quickCommands.map(\.command) == ["df -h", "uptime"])
        #expect(try await Self.config("").value == .null)
        #expect(try await Self.config("model: only-a-name").model == "only-a-name")
    }

    @Test func `of a key that stands twice the last counts, as for the agent`() async throws {
        let config = try await Self.config(
            """
            model: {default: one, "default": two}
            a: 1
            list: [{x: 1, x: 2, y: 3, x: 4}]
            'a': 2
            a: 3  # the last
            """
        )
        #expect(config["model"] == ["default": "two"])
        #expect(config.value == ["model": ["default": "two"], "list": [["x": 4, "y": 3]], "a": 3])
    }

    @Test func `brackets in texts and remarks are no levels`() async throws {
        let remarks = (0..<150).map { "# see [\($0)\n" }.joined()
        let texts = (0..<150).map { "k\($0): \"[ {\" # {\n" }.joined()
        let config = try await Self.config(remarks + texts + "text: |\n" + String(repeating: "  [[{\n", count: 100))
        #expect(config["k149"] == "[ {")
        #expect(config["text"]?.text?.utf8.count == 400)
    }

    private static let bomb =
        "a: &a [x, x, x, x, x, x, x, x, x, x]\n"
        + "bcdefghij".map { name in
            let before = Character(Unicode.Scalar((name.asciiValue ?? 98) - 1))
            return "\(name): &\(name) [" + Array(repeating: "*\(before)", count: 10).joined(separator: ", ") + "]\n"
        }.joined()

    @Test(arguments: [
        (bomb, DataError.Code.fileTooLarge),
        (String(repeating: "[", count: 100_000), .fileTooLarge),
        (String(repeating: "- ", count: 50_000) + "x", .fileTooLarge),
        ((0..<500).map { String(repeating: " ", count: $0) + "a:\n" }.joined(), .fileTooLarge),
        // Levels that end nowhere: what closes them is text, or a remark.
        (String(repeating: "[ \"]\",\n", count: 50_000), .fileTooLarge),
        (String(repeating: "[ # ]\n", count: 50_000), .fileTooLarge),
        (String(repeating: "[", count: 101) + String(repeating: "]", count: 101), .fileTooLarge),
        (String(repeating: "{a: 1, a: ", count: 500) + String(repeating: "}", count: 500), .fileTooLarge),
        (String(repeating: "x", count: 5 << 20), .fileTooLarge),
        ("a: [1, 2", .fileMalformed),
        ("a: b: c", .fileMalformed),
        ("a: *nothing", .fileMalformed),
        ("\t- x\n a: {", .fileMalformed),
    ])
    func `hostile and broken YAML is refused within bounds`(text: String, code: DataError.Code) async {
        let error = await #expect(throws: DataError.self) { try await Self.config(text) }
        #expect(error?.code == code)
    }

    @Test func `the host's own command sets a value, quoted, and no message has it`() async throws {
        let host = ScriptedHostSession { command, _ in
            command.contains("fails")
                ? CommandResult(output: [], diagnostics: Array("bad value 'fails-secret'\n".utf8), exit: .exited(2))
                : CommandResult(output: [], exit: .exited(0))
        }
        let home = HermesHome("/h/.hermes", on: host, profile: HermesProfileName(rawValue: "work"))
        try await home.setConfig("model.default", to: "it's; rm -rf $HOME")
        let words = [
            "env", "HERMES_HOME=/h/.hermes", "LC_ALL=C.UTF-8", "NO_COLOR=1", "hermes", "-p", "work", "config", "set",
            "model.default", "it's; rm -rf $HOME",
        ]
        #expect(host.commands == [try LoginShellCommand(try ShellQuoting.join(words)).line])
        let error = await #expect(throws: TransportError.self) {
            try await home.setConfig("model.name", to: "fails-secret")
        }
        #expect(error?.code == .commandFailed)
        #expect(error?.message.contains("fails-secret") == false)
        #expect(error?.message.contains("config set") == true)
    }
}

extension HomesInTurn {
    /// Whoever has an account on a host can list the arguments of its processes.
    @Suite(.timeLimit(.minutes(1)))
    struct HermesSecretTests {
        @Test(arguments: ["#!/usr/bin/env python3", "#!/bin/sh"])
        func `a key is no argument of any process, or it is refused`(first: String) async throws {
            try await HomeLab.with(copying: false) { (lab, _) async throws in
                let bin = "\(lab.path)/bin"
                let isPython = first.hasSuffix("python3")
                let body = "import sys\nprint(sys.argv[1:], open('/proc/self/cmdline').read().count('s3cr'))\n"
                try lab.write(first + "\n" + (isPython ? body : "echo \"$@\"\n"), to: "bin/hermes")
                // What lies in the working folder is not loaded.
                try lab.write("print('loaded')\n", to: "runpy.py")
                try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: "\(bin)/hermes")
                let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
                // What the system's own profile sets goes before what the process has.
                try lab.write("PATH='\(bin):\(path)'\nexport PATH\n", to: ".profile")
                let host = LocalHostSession(
                    shell: "/bin/sh",
                    homeDirectory: lab.path,
                    environment: ["PATH": "\(bin):\(path)", "HOME": lab.path]
                )
                let hermes = HermesHome(lab.path, on: host).hermes
                let run: () async throws -> CommandResult = {
                    try await hermes.run(
                        ["config", "set"],
                        operands: ["A_KEY"],
                        hidden: "s3cr et",
                        secrets: ["s3cr et"]
                    )
                }
                if isPython {
                    let words = "['-p', 'default', 'config', 'set', 'A_KEY', 's3cr et'] 0\n"
                    #expect(try await run().text == words)
                } else {
                    let error = await #expect(throws: TransportError.self) { try await run() }
                    #expect(error?.message.contains("no Python script") == true)
                }
            }
        }

        @Test func `which keys are secrets`() {
            for key in ["OPENAI_API_KEY", "model.api_key", "telegram.bot-token", "DB_PASSWORD", "apiKey.secret"] {
                #expect(HermesHome.isSecret(key), "\(key)")
            }
            for key in ["model.max_tokens", "model.default", "keyboard", "tokens.per_minute"] {
                #expect(!HermesHome.isSecret(key), "\(key)")
            }
        }
    }
}

struct HermesProgramTests {
    private static func words(_ home: String, profile: String? = nil) async throws -> String {
        let host = ScriptedHostSession { _, _ in CommandResult(output: [], exit: .exited(0)) }
        let profile = profile.flatMap { HermesProfileName(rawValue: $0) }
        try await HermesHome(home, on: host, profile: profile).setConfig("a", to: "b")
        return try #require(host.commands.last)
    }

    @Test func `the default profile is named, so that the active one is not taken for it`() async throws {
        #expect(try await Self.words("/h/.hermes").contains("hermes -p default config set a b"))
        #expect(try await Self.words("/h/.hermes", profile: "work").contains("hermes -p work config set a b"))
    }

    @Test func `a home that is itself a profile's folder is taken as it is`() async throws {
        // The agent looks for no active profile there, and `default` would be another folder.
        #expect(try await Self.words("/h/.hermes/profiles/work").contains("hermes config set a b"))
    }

    @Test func `an argument comes to the program as it is`() async throws {
        try await HomeLab.with(copying: false) { lab, session in
            try lab.write("#!/bin/sh\nprintf '%s\\n' \"$@\" > \"$HERMES_HOME/arguments\"\n", to: "bin/hermes")
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: lab.path + "/bin/hermes")
            try lab.write("PATH=\(ShellQuoting.quote(lab.path))/bin:$PATH\n", to: ".profile")
            let host = LocalHostSession(
                shell: "/bin/sh",
                homeDirectory: lab.path,
                environment: ["HOME": lab.path, "PATH": "/usr/bin:/bin"]
            )
            try await HermesHome(lab.path, on: host).setConfig("a.b", to: "it's; rm -rf $HOME `x` \"y\" \\ -")
            let words = ["-p", "default", "config", "set", "a.b", "it's; rm -rf $HOME `x` \"y\" \\ -"]
            #expect(String(decoding: try lab.bytes("arguments"), as: UTF8.self) == words.joined(separator: "\n") + "\n")
        }
    }
}

struct ModelCatalogTests {
    private static let text = """
        {"anthropic": {"id": "anthropic", "name": "Anthropic", "env": ["ANTHROPIC_API_KEY"], "doc": "https://x",
          "models": {"claude-opus-4": {"id": "claude-opus-4", "name": "Claude Opus 4", "reasoning": true,
            "tool_call": true, "release_date": "2025-05-22", "cost": {"input": 15, "output": 75.5},
            "limit": {"context": 200000, "output": 32000}}, "claude-haiku-4": {"limit": {"context": 1000000}},
            "broken": 7}},
         "openai": {"models": {}}, "google": {"name": "Google", "models": {"gemini-3": {}}},
         "github-copilot": {"models": {"gpt-5": {}}}, "kimi-for-coding": {"models": {"k2": {}}},
         "fireworks-ai": {"models": {"f": {}}}, "vercel": {"models": {"v": {}}}, "junk": [1]}
        """

    @Test func `providers and models are read, and what is something else is left out`() throws {
        let catalog = ModelCatalog(parsing: Array(Self.text.utf8))
        #expect(catalog.problem == nil)
        #expect(
            catalog.providers.map(\.id) == [
                "anthropic", "fireworks-ai", "github-copilot", "google", "kimi-for-coding", "openai", "vercel",
            ]
        )
        let model = try #require(catalog.model("claude-opus-4", of: "anthropic"))
        #expect(model.contextText == "200K" && model.outputCost == 75.5 && model.reasons == true)
        #expect(catalog.model("claude-haiku-4", of: "anthropic")?.contextText == "1M")
        #expect(catalog.search("OPUS").map(\.model.id) == ["claude-opus-4"])
        #expect(catalog.provider("anthropic")?.environment == ["ANTHROPIC_API_KEY"])
    }

    @Test(
        arguments: [
            ("claude-opus-4", "anthropic", .known),
            ("claude-opus", "anthropic", .unknownModel(suggestions: ["claude-opus-4"])),
            ("zzzzzzzzzzz", "anthropic", .unknownModel(suggestions: [])),
            ("x", "antropic", .unknownProvider(suggestions: ["anthropic"])),
            ("x", "openai", .unverifiable),
            ("x", "custom", .unverifiable),
            ("gemini-3", "gemini", .known),
            ("gemini-3", "Google", .known),
            ("gemini-4", "gemini", .unknownModel(suggestions: ["gemini-3"])),
            ("gpt-5", "copilot", .known),
            ("k2", "kimi-coding", .known),
            ("f", "fireworks", .known),
            ("v", "ai-gateway", .known),
            ("x", "zai", .unverifiable),
            ("x", "lmstudio", .unverifiable),
            ("x", "custom:my-proxy", .unverifiable),
            ("x", "gemni", .unknownProvider(suggestions: ["gemini"])),
        ] as [(String, String, ModelCatalog.Verdict)]
    )
    func `a choice is checked`(model: String, provider: String, verdict: ModelCatalog.Verdict) {
        #expect(ModelCatalog(parsing: Array(Self.text.utf8)).verdict(on: model, of: provider) == verdict)
    }

    @Test(
        arguments: [
            (1_000_000, "1M"), (1_048_576, "1M"), (2_500_000, "2.5M"), (200_000, "200K"), (131_072, "128K"),
            (8192, "8K"),
            (9999, "9999"), (32_000, "32K"), (0, "0"),
        ] as [(Int64, String)]
    )
    func `tokens in short`(count: Int64, text: String) {
        let json = #"{"p": {"models": {"m": {"limit": {"context": \#(count)}}}}}"#
        #expect(ModelCatalog(parsing: Array(json.utf8)).model("m", of: "p")?.contextText == text)
    }

    @Test func `a list that is missing is empty, and one that is broken says why`() async throws {
        let none = try await HermesHome("/h", on: ScriptedHostSession()).modelCatalog()
        #expect(none.providers.isEmpty && none.problem == nil && none.verdict(on: "m", of: "p") == .unverifiable)
        for text in ["", "{", "[]", "nonsense"] {
            let host = ScriptedHostSession(files: ["/h/models_dev_cache.json": Array(text.utf8)])
            let catalog = try await HermesHome("/h", on: host).modelCatalog()
            #expect(catalog.providers.isEmpty && catalog.problem?.code == .fileMalformed)
        }
    }

    @Test func `the list of a profile is its own, and the default one's where it has none`() async throws {
        let list = { (name: String) in Array(#"{"\#(name)": {"models": {"m": {}}}}"#.utf8) }
        let host = ScriptedHostSession(files: [
            "/h/models_dev_cache.json": list("root"), "/h/profiles/work/models_dev_cache.json": list("own"),
            "/h/profiles/new/config.yaml": [],
        ])
        for (profile, expected) in [("work", "own"), ("new", "root")] {
            let home = HermesHome("/h", on: host, profile: HermesProfileName(rawValue: profile))
            #expect(try await home.modelCatalog().providers.map(\.id) == [expected])
        }
    }

    @Test func `a list that may not be read, or is a directory, is empty and says why`() async throws {
        try await HomeLab.with(copying: false) { lab, session in
            try lab.write("x", to: "models_dev_cache.json/x")
            let catalog = try await lab.home(on: session).modelCatalog()
            #expect(catalog.providers.isEmpty && catalog.problem?.code == .fileUnreadable)
        }
    }
}

@Suite(.timeLimit(.minutes(2)))
struct HomeFolderTests {
    private static func host(_ files: [String: String]) -> ScriptedHostSession {
        ScriptedHostSession(files: files.mapValues { Array($0.utf8) })
    }

    @Test func `skills are found flat and in categories`() async throws {
        let flat = try String(contentsOfFile: HomeLab.fixture + "/skills/greet-user/SKILL.md", encoding: .utf8)
        let host = Self.host([
            "/h/skills/greet-user/SKILL.md": flat,
            "/h/skills/creative/ascii/SKILL.md": "---\r\nname: ascii-art\r\n---\r\nbody",
            "/h/skills/creative/deep/er/SKILL.md": "no front",
            "/h/skills/broken/SKILL.md": "---\na: [\n---\nbody",
            "/h/skills/.hub/lock.json": "{}",
            "/h/skills/creative/DESCRIPTION.md": "x",
        ])
        let home = HermesHome("/h", on: host)
        let skills = try await home.skills.list()
        #expect(skills.map(\.id) == ["broken", "creative/ascii", "creative/deep/er", "greet-user"])
        #expect(skills.map(\.name) == ["broken", "ascii-art", "er", "greet-user"])
        #expect(skills.map(\.category) == [nil, "creative", "creative/deep", nil])
        #expect(skills[3].summary == "Greets a user by name" && skills[0].problem?.code == "data.fileMalformed")

        let file = try home.skills.file(of: "greet-user")
        let read = try await file.read()
        try await file.replace(with: read.bytes + Array("more\n".utf8), expecting: read.revision)
        let error = await dataError { try await file.replace(with: [], expecting: read.revision) }
        #expect(error?.code == .fileChanged)
        let listed = try await home.skills.list()[3]
        try await home.skills.replaceText(of: listed, with: try await home.skills.text(of: listed) + "end\n")
        #expect(try await home.skills.text(of: listed).hasSuffix("more\nend\n"))
        let stale = await dataError { try await home.skills.replaceText(of: listed, with: "") }
        #expect(stale?.code == .fileChanged)
        try await host.remove("/h/skills/broken/SKILL.md")
        #expect(SkillDifference(from: skills, to: try await home.skills.list()).words == "1 updated, 1 removed")
        for id in ["../x", "a/../../b", "", "a//b", "/a"] {
            #expect(throws: DataError.self) { try home.skills.file(of: id) }
        }
    }

    @Test func `profiles are named, and the active one is found`() async throws {
        let host = ScriptedHostSession(files: [
            "/h/profiles/work/config.yaml": [], "/h/profiles/Bad Name/x": [], "/h/active_profile": Array("work\n".utf8),
        ]) { command, _ in CommandResult(output: Array("noise\nriff-home /h/\n".utf8), exit: .exited(0)) }
        let home = try await HermesHome.locate(on: host)
        #expect(home.path == "/h/profiles/work" && home.rootPath == "/h" && home.profile == "work")
        #expect(try await home.profiles().map(\.rawValue) == ["work"])
        let error = await dataError {
            _ = try await HermesHome.locate(on: host, profile: HermesProfileName(rawValue: "none"))
        }
        #expect(error?.code == .profileMissing)
        for name in ["default", "", "A", "../x", "-x", String(repeating: "a", count: 65)] {
            #expect(HermesProfileName(rawValue: name) == nil)
        }
        let nowhere = ScriptedHostSession { _, _ in
            CommandResult(output: Array("riff-home /none\n".utf8), exit: .exited(0))
        }
        #expect(await dataError { _ = try await HermesHome.locate(on: nowhere) }?.code == .homeMissing)
    }

    @Test(arguments: ["../config.yaml", "..", ".", "", "a/b", "/etc/passwd", "a\u{0}b"])
    func `a name that leads out of its folder is refused`(name: String) async throws {
        let host = Self.host([
            "/h/config.yaml": "a: 1", "/h/memories/x": "", "/h/logs/x.log": "", "/h/agent.log": "x\n",
        ])
        let home = HermesHome("/h", on: host)
        let memory = home.memory(MemoryFile.Name(rawValue: name))
        #expect(await dataError { _ = try await memory.read() }?.code == .invalidValue)
        let snapshot = MemoryFile.Snapshot(memory: MemoryFile.Entries(entries: [], limit: 10), revision: .absent)
        #expect(await dataError { try await memory.write(["x"], over: snapshot) }?.code == .invalidValue)
        #expect(try await host.read("/h/config.yaml", from: 0, count: 100) == Array("a: 1".utf8))
        if name != "..", name != "." {
            var batches = home.log(HermesHome.Log(rawValue: name)).tail(from: .beginning).makeAsyncIterator()
            do {
                _ = try await batches.next()
                Issue.record("It was read.")
            } catch { #expect((error as? DataError)?.code == .invalidValue) }
        }
        // A category may be one within another.
        guard name != "a/b" else { return }
        let error = await dataError { try await home.skills.install("x/y/z", category: name) }
        #expect(error?.code == .invalidValue && host.commands.isEmpty)
    }

    private static let registry = """
        { "projects": [ {"name": "One", "path": "/p/one", "uuid": "7", "zz": [1] }, 5,
          {"name": "Two", "path": "/p/two", "folder": "Work", "archived": true} ], "version": 3 }
        """

    @Test func `projects are changed field by field, and somebody else's change is detected`() async throws {
        let host = Self.host(["/h/scarf/projects.json": Self.registry])
        let registry = HermesHome("/h", on: host).projects
        let old = try await registry.read()
        #expect(old.projects.map(\.name) == ["One", "Two"] && old.projects[1].isArchived)
        let new = try await registry.change("Two", name: "Deux", group: .clear, isArchived: false, since: old)
        #expect(new.projects.map(\.name) == ["One", "Deux"])
        let text = String(decoding: try await host.read("/h/scarf/projects.json", from: 0, count: 9999), as: UTF8.self)
        let expected = Self.registry.replacing(
            #""name": "Two", "path": "/p/two", "folder": "Work", "archived": true"#,
            with: #""name": "Deux", "path": "/p/two", "archived": false"#
        )
        #expect(text == expected)
        #expect(await dataError { try await registry.remove("One", since: old) }?.code == .fileChanged)
        #expect(await dataError { try await registry.add("One", at: "/x", since: new) }?.code == .nameTaken)
        #expect(await dataError { try await registry.remove("None", since: new) }?.code == .noSuchProject)
        #expect(try await registry.add("Three", at: "/p/3", group: "Work", since: new).projects.count == 3)
        #expect(try await HermesHome("/empty", on: Self.host(["/empty/scarf/x": ""])).projects.read().projects == [])
    }

    private static let dashboard = """
        {"version": 1, "title": "T", "theme": {"accent": "#fff"}, "sections": [{"title": "S", "columns": 2, "widgets": [
          {"type": "stat", "title": "a", "value": 41.50, "sparkline": [1, 2]},
          {"type": "stat", "title": "b", "value": "text"},
          {"type": "progress", "title": "c", "value": 1.7, "label": "l"},
          {"type": "text", "title": "d", "content": "# x", "format": "markdown"},
          {"type": "table", "title": "e", "columns": ["k"], "rows": [["1"], [2]]},
          {"type": "chart", "title": "f", "chartType": "bar", "series": [{"name": "s", "data": [{"x": "m", "y": 3}]}]},
          {"type": "list", "title": "g", "items": [{"text": "i", "status": "ok"}]},
          {"type": "webview", "title": "h", "url": "https://x", "height": 300},
          {"type": "markdown_file", "title": "i", "path": "../../etc/passwd"},
          {"type": "log_tail", "title": "j", "path": "logs/a.log", "lines": 20},
          {"type": "cron_status", "title": "k", "jobId": "abc"},
          {"type": "status_grid", "title": "l", "cells": [{"label": "x", "status": "down"}]},
          {"type": "hologram", "title": "m", "depth": 3}
        ]}]}
        """

    @Test func `every kind of widget is read, and one value changes alone`() async throws {
        let host = Self.host([
            "/p/.scarf/dashboard.json": Self.dashboard,
            "/h/scarf/projects.json":
                #"{"projects": [{"name": "P", "path": "/p"}]}"#,
        ])
        let home = HermesHome("/h", on: host)
        let project = try #require(try await home.projects.read().projects.first)
        let dashboard = try #require(try await home.dashboard(of: project))
        let widgets = try #require(dashboard.sections.first?.widgets)
        #expect(
            widgets.map(\.content) == [
                .stat(value: "41.5", subtitle: nil, sparkline: [1, 2]),
                .stat(value: "text", subtitle: nil, sparkline: []),
                .progress(1, label: "l"), .text("# x", isMarkdown: true), .table(columns: ["k"], rows: [["1"], ["2"]]),
                widgets[5].content, widgets[6].content, .page(address: "https://x", path: nil, height: 300),
                .file(path: nil, lines: nil), .file(path: "logs/a.log", lines: 20), .cron(job: "abc"),
                widgets[11].content,
                .other,
            ]
        )
        guard case .chart("bar", let series) = widgets[5].content, case .list(let items) = widgets[6].content,
            case .grid(let cells, nil) = widgets[11].content
        else {
            Issue.record("chart, list or grid were read as \(widgets.map(\.content))")
            return
        }
        #expect(series.first?.points.first?.y == 3 && items.first?.status == "ok" && cells.first?.text == "x")
        #expect(widgets[12].json["depth"] == 3)
        try await home.set(widgets[0].path + ["value"], to: 42, in: dashboard, of: project)
        let text = String(
            decoding: try await host.read("/p/.scarf/dashboard.json", from: 0, count: 9999),
            as: UTF8.self
        )
        #expect(text == Self.dashboard.replacing("41.50", with: "42"))
        let error = await dataError { try await home.set(["title"], to: "U", in: dashboard, of: project) }
        #expect(error?.code == .fileChanged)
    }

    @Test func `commands of a project become prompts`() async throws {
        let host = Self.host([
            "/p/.scarf/slash-commands/review.md":
                "---\ndescription: Reviews\nargumentHint: <file>\n---\nReview {{argument | default: \"all\"}} ($1, $2) {{x}} $ARGUMENTS.",
            "/p/.scarf/slash-commands/bad name.md": "x",
            "/h/scarf/projects.json":
                #"{"projects": [{"name": "P", "path": "/p"}]}"#,
        ])
        let home = HermesHome("/h", on: host)
        let project = try #require(try await home.projects.read().projects.first)
        let commands = try await home.slashCommands(of: project)
        #expect(commands.map(\.id) == ["review"] && commands[0].summary == "Reviews")
        #expect(commands[0].argumentHint == "<file>")
        #expect(commands[0].prompt("a $1 {{argument}}") == "Review a $1 {{argument}} (a, $1) {{x}} a $1 {{argument}}.")
        #expect(commands[0].prompt() == "Review all (, ) {{x}} .")
        #expect(throws: DataError.self) { try home.slashCommandFile("../x", of: project) }
    }
}
