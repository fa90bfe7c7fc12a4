// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffHermes
import RiffTesting
import RiffTransport
import TestSupport
import Testing

/// The `hermes` of a real agent, where the environment names one.
private let agentProgram = ProcessInfo.processInfo.environment["RIFF_TEST_HERMES"].flatMap { $0.isEmpty ? nil : $0 }

extension HomesInTurn {
    /// The agent's own commands, run by a real hermes-agent; see docs/testing.md. No model is needed.
    @Suite(
        .enabled(if: agentProgram != nil && SQLiteProgram.isInstalled, "set RIFF_TEST_HERMES"),
        .timeLimit(.minutes(10))
    )
    struct HermesCommandsTests {
        /// A home that the agent made, with two sessions, of which one's id begins the other's.
        private static func with(
            _ body: @escaping @Sendable (HomeLab, HermesServer) async throws -> Void
        ) async throws {
            try await HomeLab.with(copying: false) { lab, _ in
                let programs = URL(filePath: try #require(agentProgram)).deletingLastPathComponent().path
                try lab.write("PATH=\(ShellQuoting.quote(programs)):$PATH\n", to: ".profile")
                let host = LocalHostSession(
                    shell: "/bin/sh",
                    homeDirectory: lab.path,
                    environment: ["HOME": lab.path, "PATH": "/usr/bin:/bin", "TERM": "dumb"]
                )
                let home = HermesHome("\(lab.path)/.hermes", on: host)
                try lab.write("model: {default: none, provider: custom}\n", to: ".hermes/config.yaml")
                try await home.hermes.run(["sessions", "stats"], timeout: .seconds(120))
                try await SQLiteProgram.tamper(
                    "\(home.path)/state.db",
                    """
                    INSERT INTO sessions(id, source, started_at) VALUES('20261121_031831_a7668d', 'cli', 1795000000);
                    INSERT INTO sessions(id, source, started_at) VALUES('20261121_031831_a7668d2', 'cli', 1795000001);
                    INSERT INTO messages(session_id, role, content, timestamp)
                      VALUES('20261121_031831_a7668d', 'user', 'What is new? ✓', 1795000000);
                    """
                )
                try await body(lab, try HermesServer(home, on: host, named: "the lab"))
            }
        }

        private static func title(_ id: String, _ server: HermesServer) async throws -> String? {
            let database = try await server.home.openDatabase(hostName: "the lab")
            let session: Result<HermesSession?, any Error>
            do { session = .success(try await database.session(id)) } catch { session = .failure(error) }
            await database.close()
            return try #require(try session.get()).title
        }

        @Test func `a session is renamed, exported and deleted, and never another one`() async throws {
            let id = "20261121_031831_a7668d"
            try await Self.with { _, server in
                try await server.home.renameSession(id, to: "--help Ünïcödé '$(id)'\u{1B}")
                #expect(try await Self.title(id, server) == "--help Ünïcödé '$(id)'")
                // The other one's title is taken.
                let taken = await #expect(throws: TransportError.self) {
                    try await server.home.renameSession(id + "2", to: "--help Ünïcödé '$(id)'")
                }
                #expect(taken?.code == .commandFailed)
                let file = try await server.home.exportSession(id)
                let json = try JSONValue(parsing: file)
                #expect(json["id"]?.text == id)
                #expect(json["messages"]?.array?.first?["content"] == "What is new? ✓")
                for wrong in ["20261121_0318", "20261121_031831_a7668", "", "--yes", "a\nb", "nobody's"] {
                    for change in [
                        { try await server.home.deleteSession($0) },
                        { try await server.home.renameSession($0, to: "x") },
                        { _ = try await server.home.exportSession($0) },
                    ] as [(String) async throws -> Void] {
                        let error = await dataError { try await change(wrong) }
                        #expect(error?.code == .noSuchSession, "\(wrong)")
                    }
                }
                let blank = await dataError { try await server.home.renameSession(id, to: " \u{1B} ") }
                #expect(blank?.code == .invalidValue)
                try await server.home.deleteSession(id)
                let gone = await dataError { try await server.home.deleteSession(id) }
                #expect(gone?.code == .noSuchSession)
                #expect(try await Self.title(id + "2", server) == nil)
            }
        }

        @Test func `a job is created, changed and run by the presenter, and what the agent refuses is told`()
            async throws
        {
            try await Self.with { _, server in
                await server.jobs.show()
                let draft = CronJob.Draft(
                    schedule: "every 2h",
                    prompt: "--delete everything; echo 'sk-in-a-prompt'",
                    name: "--name",
                    deliver: "local"
                )
                await server.jobs.create(draft)
                #expect(server.jobs.current.problem == nil)
                let job = try #require(server.jobs.current.value?.first)
                #expect(job.prompt?.hasSuffix("--delete everything; echo 'sk-in-a-prompt'") == true)
                #expect(job.name == "--name")
                #expect(job.scheduleWords == "Every 2 hours")
                await server.jobs.edit(job.id, CronJob.Draft(schedule: "0 9 * * *", prompt: "- new", skills: []))
                #expect(server.jobs.current.problem == nil)
                let edited = try #require(server.jobs.current.value?.first)
                #expect(edited.prompt == "- new")
                #expect(edited.name == "--name")
                #expect(edited.id == job.id)
                await server.jobs.create(CronJob.Draft(schedule: "whenever", prompt: "secret-prompt"))
                let problem = try #require(server.jobs.current.problem)
                #expect(problem.message.contains("Invalid schedule"))
                #expect(!problem.message.contains("secret-prompt"))
                #expect(server.jobs.current.value?.count == 1)
                #expect(server.jobs.current.busy == [])
                // A job has a name too, which is no id.
                for wrong in ["--name", "nobody's", "name"] {
                    await server.jobs.edit(wrong, CronJob.Draft(name: "x"))
                    #expect(server.jobs.current.problem != nil, "\(wrong)")
                }
                #expect(server.jobs.current.value?.first?.name == "--name")
                await server.jobs.runNow(job.id)
                #expect(server.jobs.current.problem == nil)
                // Without a model it fails, which the job tells.
                #expect(server.jobs.current.value?.first?.lastRun != nil)
                await server.jobs.remove(job.id)
                #expect(server.jobs.current.value == [])
                await server.jobs.runNow(job.id)
                #expect(server.jobs.current.problem != nil)
            }
        }
    }
}
