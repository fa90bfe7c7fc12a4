// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffHermes
import RiffTesting
import RiffTransport
import TestSupport
import Testing

/// A home that a real hermes-agent makes and uses, answered by a model server that does what the prompt says.
private struct AgentLab {
    /// The program, such as the `hermes` of `pip install 'hermes-agent[acp]==0.19.0'`.
    static let program = ProcessInfo.processInfo.environment["RIFF_TEST_HERMES"].flatMap { $0.isEmpty ? nil : $0 }
    /// An OpenAI-compatible server: `@tool NAME {json}` calls a tool.
    static let model = ProcessInfo.processInfo.environment["RIFF_TEST_MODEL"].flatMap { $0.isEmpty ? nil : $0 }

    let folder: String
    let home: HermesHome

    init(_ lab: HomeLab) throws {
        folder = lab.path
        let model = "default: fake-model, provider: custom, base_url: \(try #require(Self.model))/v1, api_key: fake"
        try lab.write("# A person's remark.\nmodel: {\(model)}\n", to: ".hermes/config.yaml")
        // The home's own commands run in a login shell, which sets its PATH anew.
        let programs = URL(filePath: try #require(Self.program)).deletingLastPathComponent().path
        try lab.write("PATH=\(ShellQuoting.quote(programs)):$PATH\n", to: ".profile")
        let session = LocalHostSession(
            shell: "/bin/sh",
            homeDirectory: folder,
            environment: ["HOME": folder, "PATH": "/usr/bin:/bin", "TERM": "dumb"]
        )
        home = HermesHome("\(folder)/.hermes", on: session)
    }

    /// What the agent writes for a command line.
    func hermes(_ words: String...) async throws -> String {
        try await home.hermes.run(words, timeout: .seconds(120)).text
    }

    /// What it answers to a prompt in a session of its own, or in one that is resumed.
    func ask(_ prompt: String, resuming session: String? = nil) async throws -> String {
        let options = session.map { ["--resume", $0] } ?? []
        let words = ["chat", "-Q"] + options + ["-q", prompt]
        return try await home.hermes.run(words, timeout: .seconds(120)).text
    }
}

extension HomesInTurn {
    /// See docs/testing.md for what these need.
    @Suite(
        .enabled(if: AgentLab.program != nil && AgentLab.model != nil, "set RIFF_TEST_HERMES and RIFF_TEST_MODEL"),
        .timeLimit(.minutes(10))
    )
    struct HermesWritersTests {
        @Test func `the agent runs, lists and resumes after everything that is written to its home`() async throws {
            try await HomeLab.with(copying: false) { lab, _ in
                let agent = try AgentLab(lab)
                let session = try await Self.fill(agent)
                try await Self.write(agent)
                try await Self.check(agent, session)
                try await Self.checkDatabase(agent, session)
            }
        }

        @Test func `the agent installs a skill and takes it away, and a refusal is an error`() async throws {
            let skill = "---\nname: notes\ndescription: Takes notes.\n---\nTake notes.\n"
            try await HomeLab.with(copying: false) { lab, _ in
                let agent = try AgentLab(lab)
                try await agent.home.setConfig("security.allow_private_urls", to: "true")
                try await LoopbackWebServer.withServer { _ in
                    .raw(Array("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".utf8))
                } body: { nothing in
                    try await LoopbackWebServer.withServer { _ in
                        .json(skill)
                    } body: { server in
                        try await Self.install(
                            "http://127.0.0.1:\(server.port)/notes/SKILL.md",
                            butNot: "http://127.0.0.1:\(nothing.port)/none/SKILL.md",
                            agent.home.skills
                        )
                    }
                }
            }
        }

        private static func install(_ address: String, butNot refused: String, _ skills: SkillFolder) async throws {
            try await skills.install(address)
            let listed = try await skills.list()
            #expect(listed.contains { $0.name == "notes" && $0.summary == "Takes notes." })
            for (identifier, words) in [(address, "already installed"), (refused, "Could not fetch")] {
                let error = await #expect(throws: TransportError.self) { try await skills.install(identifier) }
                #expect(error?.code == .commandFailed && error?.message.contains(words) == true)
            }
            try await skills.uninstall("notes")
            #expect(try await !skills.list().contains { $0.name == "notes" })
            let error = await #expect(throws: TransportError.self) { try await skills.uninstall("notes") }
            #expect(error?.code == .commandFailed)
        }

        /// The agent fills its home by itself; gives the first session.
        private static func fill(_ agent: AgentLab) async throws -> String {
            #expect(try await agent.ask("hello there").contains("Echo: hello there"))
            let database = try await HermesDatabase.open("\(agent.home.path)/state.db")
            let session = try #require(try await database.sessions().elements.first).id
            let memory = #"@tool memory {"action":"add","target":"memory","content":"Likes green."}"#
            #expect(try await agent.ask(memory).contains(#""success": true"#))
            let text = #"---\nname: greet-user\ndescription: Greets.\n---\nSay hello.\n"#
            let skill = #"@tool skill_manage {"action":"create","name":"greet-user","content":"\#(text)"}"#
            #expect(try await agent.ask(skill).contains(#""success": true"#))
            _ = try await agent.hermes("cron", "create", "0 9 * * *", "Check the build", "--name=check")
            return session
        }

        /// Every writer that there is, over what the agent wrote.
        private static func write(_ agent: AgentLab) async throws {
            let home = agent.home
            // Jobs: a field, paused and resumed, and one more.
            var jobs = try await home.cron.read()
            let job = try #require(jobs.jobs.first)
            jobs = try await home.cron.set([["prompt"]: "Check it twice"], ofJob: job.id, since: jobs)
            jobs = try await home.cron.pause(job.id, at: 1_795_478_400, reason: "quiet", since: jobs)
            #expect(try await agent.hermes("cron", "list", "--all").contains("paused"))
            jobs = try await home.cron.resume(job.id, since: jobs)
            var second = jobs.jobs[0].json
            second["id"] = "0123456789ab"
            second["name"] = "second"
            _ = try await home.cron.add(second)
            // Memory.
            let memory = home.memory(.memory)
            let notes = try await memory.read()
            try await memory.write(notes.memory.entries + ["Prefers tabs.\nAlways."], over: notes)
            let user = home.memory(.user)
            try await user.write(["Is called Kim."], over: try await user.read())
            // A skill, and a setting by the agent's own command.
            let skill = try #require(try await home.skills.list().first)
            let file = try home.skills.file(of: skill.id)
            let contents = try await file.read()
            let new = contents.text.replacing("Greets.", with: "Greets twice.")
            _ = try await file.replace(with: Array(new.utf8), expecting: contents.revision)
            try await home.setConfig("display.compact", to: "true")
            try await home.setConfig("display.skin", to: "slate")
            try await home.unsetConfig("display.skin")
            // A project, its dashboard and a slash command.
            let registry = try await home.projects.add("it", at: agent.folder, since: try await home.projects.read())
            let project = try #require(registry.projects.first)
            let dashboard = #"{"title": "It", "sections": [], "x": 1}"#
            _ = try await home.dashboardFile(of: project).replace(with: Array(dashboard.utf8), expecting: .absent)
            let read = try #require(try await home.dashboard(of: project))
            _ = try await home.set(["title"], to: "It all", in: read, of: project)
            let command = try home.slashCommandFile("greet", of: project)
            _ = try await command.replace(
                with: Array("---\nname: greet\n---\nGreet {{name}}.\n".utf8),
                expecting: .absent
            )
        }

        private static func check(_ agent: AgentLab, _ session: String) async throws {
            let home = agent.home
            let listed = try await agent.hermes("sessions", "list")
            #expect(listed.contains(session) && listed.contains("hello there"))
            #expect(try await agent.ask("and again", resuming: session).contains("Echo: and again"))
            // Its own tool goes on with the memory that was written.
            let more = #"@tool memory {"action":"add","target":"memory","content":"Reads on."}"#
            #expect(try await agent.ask(more).contains(#""success": true"#))
            #expect(
                try await home.memory(.memory).read().memory.entries
                    == ["Likes green.", "Prefers tabs.\nAlways.", "Reads on."]
            )
            #expect(try await home.memory(.user).read().memory.entries == ["Is called Kim."])
            let jobs = try await agent.hermes("cron", "list")
            #expect(jobs.contains("check") && jobs.contains("second") && !jobs.contains("paused"))
            // The job that was edited, and the one that was added, run; what the agent notes leaves the edits alone.
            #expect(try await agent.hermes("cron", "run", "0123456789ab").contains("succeeded"))
            let ran = try await home.cron.read().jobs
            #expect(ran.map(\.prompt) == ["Check it twice", "Check it twice"])
            #expect(ran.map(\.name) == ["check", "second"])
            #expect(try await agent.hermes("skills", "list").contains("greet-user"))
            let view = #"@tool skill_view {"name":"greet-user"}"#
            #expect(try await agent.ask(view).contains("Greets twice."))
            let config = try await home.config()
            #expect(config["display.compact"] == true && config["display.skin"] == nil)
        }

        private static func checkDatabase(_ agent: AgentLab, _ session: String) async throws {
            let database = try await HermesDatabase.open("\(agent.home.path)/state.db")
            let texts = try await database.messages(of: session).elements.map(\.content)
            print("hermes: the resumed session has \(texts.count) messages")
            #expect(texts == ["hello there", "Echo: hello there", "and again", "Echo: and again"])
            let whole = try await agent.home.host.run(
                "python3 -c \"import sqlite3; print(sqlite3.connect('.hermes/state.db').execute('pragma integrity_check').fetchall())\"",
                timeout: .seconds(60)
            )
            #expect(whole.text == "[('ok',)]\n")
        }
    }
}
