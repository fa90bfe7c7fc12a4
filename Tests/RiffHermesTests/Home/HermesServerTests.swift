// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffHermes
import RiffTesting
import RiffTransport
import TestSupport
import Testing

extension HomesInTurn {
    /// A host's Hermes as one object, over real files, here and by SSH.
    @Suite(.timeLimit(.minutes(5)))
    struct HermesServerTests {
        private static func with(
            _ way: HomeLab.Way,
            _ body: @escaping @Sendable (HomeLab, HermesServer) async throws -> Void
        ) async throws {
            try await HomeLab.with(way) { lab, host in
                let database = URL(filePath: HomeLab.fixture).deletingLastPathComponent().path + "/Hermes/state.db"
                try FileManager.default.copyItem(atPath: database, toPath: "\(lab.path)/state.db")
                try await body(lab, try HermesServer(HermesHome(lab.path, on: host), on: host, named: "the lab"))
            }
        }

        @Test(arguments: HomeLab.Way.available)
        func `every part of it shows what is on the host`(way: HomeLab.Way) async throws {
            try await Self.with(way) { lab, server in
                let running = Task { try await server.database.run() }
                await server.database.sessions.show(HermesSession.Filter())
                for await answer in server.database.sessions.updates() where answer.value != nil {
                    #expect(answer.value?.elements.isEmpty == false)
                    break
                }
                running.cancel()
                // It ends by the cancellation.
                _ = await running.result
                await server.config.show()
                #expect(server.config.current.value?.model == "fake-model")
                await server.jobs.show()
                #expect(server.jobs.current.value?.isEmpty == false)
                await server.skills.show("")
                #expect(server.skills.current.value?.categories.isEmpty == false)
                await server.memory.show()
                #expect(server.memory.current.value?.memory.entries.isEmpty == false)
                await server.user.show()
                #expect(server.user.current.value?.memory.entries.isEmpty == false)
                await server.projects.show(.all)
                #expect(server.projects.current.value == [])
                await server.health.show()
                #expect(server.health.current.value?.findings.isEmpty == false)
                #expect(server.agentCommand.contains("HERMES_HOME=\(lab.path)"))
                #expect(server.agentCommand.contains(" acp"))
            }
        }

        @Test(arguments: HomeLab.Way.available)
        func `the configuration is shown, kept over a file that cannot be read, and read again`(way: HomeLab.Way)
            async throws
        {
            try await Self.with(way) { lab, server in
                await server.config.show()
                #expect(server.config.current.value?.provider == "custom")
                try lab.write("model: [unclosed", to: "config.yaml")
                await server.config.refresh()
                #expect(server.config.current.value?.provider == "custom")
                #expect(server.config.current.problem?.code == "data.fileMalformed")
                try lab.write("model:\n  default: other\n  provider: acme\n", to: "config.yaml")
                await server.config.refresh()
                #expect(server.config.current.value?.model == "other")
                #expect(server.config.current.problem == nil)
                #expect(server.config.current.isLoading == false)
            }
        }

        @Test(arguments: HomeLab.Way.available)
        func `health tells what is well and ill, and what changed since the look before`(way: HomeLab.Way) async throws
        {
            try await Self.with(way) { lab, server in
                await server.health.show()
                let before = try #require(server.health.current.value)
                #expect(before.findings.first { $0.id == .config }?.state == .well)
                #expect(before.findings.first { $0.id == .database }?.state == .well)
                #expect(before.changed.isEmpty)
                try lab.write("model: [unclosed", to: "config.yaml")
                await server.health.refresh()
                let after = try #require(server.health.current.value)
                #expect(after.findings.first { $0.id == .config }?.state == .ill)
                #expect(after.state == .ill)
                #expect(after.changed == [.config])
                try FileManager.default.removeItem(atPath: "\(lab.path)/state.db")
                await server.health.refresh()
                #expect(server.health.current.value?.changed == [.database])
            }
        }

        @Test(arguments: HomeLab.Way.available)
        func `servers of tools are listed with their secrets hidden, and platforms by the names that people know`(
            way: HomeLab.Way
        ) async throws {
            try await Self.with(way) { lab, server in
                let none = try await server.home.platforms()
                #expect(none.isEmpty)
                try lab.write(
                    """
                    mcp_servers:
                      files: {command: npx, args: [-y, server, 8080], env: {TOKEN: sk-hidden, DEBUG: true}}
                      web: {url: "https://example.org/mcp", headers: {Authorization: Bearer sk-hidden}, enabled: false}
                      broken: {args: [a]}
                      worse: 7
                    """,
                    to: "config.yaml"
                )
                await server.config.show()
                let servers = try #require(server.config.current.value?.toolServers)
                #expect(servers.map(\.id) == ["files", "web"])
                #expect(servers.map(\.isEnabled) == [true, false])
                #expect(
                    servers[0].way
                        == .program(
                            "npx",
                            arguments: ["-y", "server", "8080"],
                            environment: ["TOKEN": Secret("sk-hidden"), "DEBUG": Secret("true")]
                        )
                )
                #expect(!String(reflecting: servers).contains("sk-hidden"))
                try lab.write(
                    """
                    {"gateway_state": "running", "platforms": {
                      "whatsapp": {"state": "fatal", "error_message": "\u{1B}[31mlogged out",
                        "updated_at": "2026-11-28T20:00:00+00:00"},
                      "telegram": {"state": "connected"}, "": {}, "irc_new": {}, "bad": 3}}
                    """,
                    to: "gateway_state.json"
                )
                let platforms = try await server.home.platforms()
                #expect(platforms.map(\.name) == ["Irc New", "Telegram", "WhatsApp"])
                #expect(platforms[1].state == "connected")
                #expect(platforms[2].problem?.contains("\u{1B}") == false)
                #expect(platforms[2].updatedAt == 1_795_896_000)
                try lab.write("{\"platforms\": ", to: "gateway_state.json")
                let error = await dataError { _ = try await server.home.platforms() }
                #expect(error?.code == .fileMalformed)
            }
        }
    }
}
