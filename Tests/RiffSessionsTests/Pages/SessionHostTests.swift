// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffSessions
import RiffTesting
import RiffTransport
import TestSupport
import Testing

extension InTurn {
    /// The same sessions over every kind of host: SSH, this machine, and a front end's own connection.
    @Suite(.enabled(if: ManagerLab.isPossible), .timeLimit(.minutes(5)))
    struct SessionHostTests {
        enum Way: CaseIterable { case ssh, local, own }

        private static func with(
            _ way: Way,
            _ body: (any TerminalHost, SessionManager, ManagerLab) async throws -> Void
        ) async throws {
            try await ManagerLab.with { lab in
                let host: any TerminalHost =
                    switch way {
                    case .ssh: try lab.lab.host()
                    case .local: LocalHostSession(shell: "/bin/sh")
                    case .own: CuttableHost()
                    }
                let manager = SessionManager(host, size: .standard, configuration: lab.configuration)
                await lab.start(manager)
                try await manager.wait { $0.isSetUp && $0.active.state?.isOpen == true }
                try await body(host, manager, lab)
            }
        }

        @Test(arguments: Way.allCases)
        func `sessions are made, typed into, found and ended`(over way: Way) async throws {
            try await Self.with(way) { _, manager, lab in
                var text = try manager.text(of: "riff")
                try await text.read(through: "ready")
                let name = try await manager.create(ManagerLab.echo)
                try await manager.waitUntilOpen(name)
                text = try manager.text(of: name.rawValue)
                try await text.read(through: "ready")
                try await manager.type("hello from \(way)", submit: true)
                try await text.read(through: "hello from \(way)")
                try await lab.start(["others"])
                await manager.foreground()
                try await manager.wait(for: "riff [riff-2] others")
                try await manager.close(name)
                try await manager.wait(for: "[riff] others")
                #expect(try await lab.sessions("#{session_name}").keys.sorted() == ["others", "riff"])
                await manager.shutdown()
                #expect(try await lab.sessions("#{session_name}").keys.sorted() == ["others", "riff"])
            }
        }

        @Test(arguments: Way.allCases)
        func `what others do on the host shows by itself`(over way: Way) async throws {
            try await Self.with(way) { _, manager, lab in
                try await lab.start(["others"])
                try await manager.wait(for: "[riff] others")
                try await lab.tmux("kill-session", "-t", "=others")
                try await manager.wait(for: "[riff]")
            }
        }

        @Test(arguments: Way.allCases)
        func `a session that cannot be made says why`(over way: Way) async throws {
            try await Self.with(way) { _, manager, _ in
                let nowhere = NewSessionSpec(directory: try StartDirectory("/nowhere/at/all"), harness: .custom("cat"))
                let error = await transportError { try await manager.create(nowhere) }
                #expect(error?.code == .startDirectoryNotFound)
            }
        }

        @Test func `a front end's own connection comes back to the same sessions, and nothing is typed in between`()
            async throws
        {
            try await Self.with(.own) { host, manager, lab in
                let host = try #require(host as? CuttableHost)
                var text = try manager.text(of: "riff")
                try await text.read(through: "ready")
                let panes = try await lab.panes()
                await host.cut()
                try await manager.wait { $0.active.state?.isOpen == false }
                #expect(await transportError { try await manager.type("lost", submit: true) }?.code == .notConnected)
                host.mend()
                try await manager.waitUntilOpen()
                try await manager.type("back again", submit: true)
                let seen = try await text.read(through: "back again")
                #expect(!seen.contains("lost"))
                #expect(try await lab.panes() == panes)
            }
        }
    }
}
