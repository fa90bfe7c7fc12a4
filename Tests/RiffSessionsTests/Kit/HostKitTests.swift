// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffSessions
import RiffTesting
import RiffTransport
import TestSupport
import Testing

extension InTurn {
    /// The host kit on this machine, by its own shell.
    @Suite(.timeLimit(.minutes(5)))
    struct HostKitTests {
        @Test(arguments: KitHome.all.filter { $0.mount == .plain && SystemProgram.path($0.shell) != nil })
        func `a home is after the removal as it was before`(home: KitHome) async throws {
            try await home.with { path, out in
                try await KitTrial(home: home, path: path, out: out, host: home.local(path, out)).run()
            }
        }

        @Test func `clients that install at once leave one kit`() async throws {
            try await Self.with { host, home, before in
                let consent = try await HostKit(on: host).plan().consent()
                try await withThrowingTaskGroup(of: HostKitStatus.self) { group in
                    for _ in 0..<8 { group.addTask { try await HostKit(on: host).install(consent) } }
                    for try await status in group { #expect(status.state == .installed) }
                }
                #expect(try await HostKit(on: host).status().parts.allSatisfy(\.isIntact))
                #expect(try await HostKit(on: host).remove() == [])
                #expect(try HomeSnapshot(home).differences(from: before) == [])
            }
        }

        @Test func `a connection that is cut while the program is sent changes nothing`() async throws {
            try await Self.with { host, home, before in
                let kit = HostKit(on: host)
                let folder = try await kit.plan().folder
                let parts = HostKit.standardParts
                let program = try KitScript.program(installing: parts, in: folder)
                let specs = parts.map { "\($0.name):\($0.version):\($0.mode):\($0.file)" }
                let line = try KitScript.line(["install", folder] + specs)
                for place in stride(from: 0, to: program.count - 4, by: program.count / 60) {
                    _ = try await host.run(
                        line,
                        input: Array(program[..<place]),
                        outputLimit: 1 << 20,
                        timeout: .seconds(30)
                    )
                    #expect(try HomeSnapshot(home).differences(from: before) == [], "cut at \(place)")
                }
            }
        }

        @Test(arguments: HostKit.standardParts.map(\.name))
        func `an installer that is killed is followed by one that completes it`(part: String) async throws {
            try await Self.with { host, home, before in
                let kit = HostKit(on: host)
                let plan = try await kit.plan()
                let parts = HostKit.standardParts
                let program = String(decoding: try KitScript.program(installing: parts, in: plan.folder), as: UTF8.self)
                let deadly = program.replacingOccurrences(of: "\n\(part))\n", with: "\n\(part))\nkill -9 $$\n")
                #expect(deadly != program)
                let specs = parts.map { "\($0.name):\($0.version):\($0.mode):\($0.file)" }
                let line = try KitScript.line(["install", plan.folder] + specs)
                _ = try await host.run(line, input: Array(deadly.utf8), outputLimit: 1 << 20, timeout: .seconds(30))
                #expect(try await kit.status().state == .partial)
                #expect(try await kit.plan().obstacle == nil)
                let whole = try await kit.install(plan.consent())
                #expect(whole.state == .installed && whole.parts.allSatisfy(\.isIntact) && whole.strangers.isEmpty)
                #expect(try await kit.remove() == [])
                #expect(try HomeSnapshot(home).differences(from: before) == [])
            }
        }

        @Test func `files that are not Riff's stay in the folder and are told`() async throws {
            try await Self.with { host, home, _ in
                let kit = HostKit(on: host)
                let status = try await kit.install(try await kit.plan().consent())
                try await host.write(Array("mine".utf8), to: "\(status.folder)/bin/mine", permissions: nil)
                #expect(try await kit.status().strangers == ["bin/mine"])
                #expect(try await kit.remove() == ["\(status.folder)/bin/mine"])
                #expect(try HomeSnapshot("\(status.folder)").entries.keys.sorted() == ["bin", "bin/mine"])
            }
        }

        @Test func `a person removes the kit without a client`() async throws {
            try await Self.with { host, home, before in
                let kit = HostKit(on: host)
                let status = try await kit.install(try await kit.plan().consent())
                let result = try await host.run(
                    ShellQuoting.join(["sh", "\(status.folder)/bin/riff-kit.sh", "remove"])
                )
                #expect(result.exit == .exited(0) && result.output.isEmpty, "\(result.diagnosticText)")
                #expect(try HomeSnapshot(home).differences(from: before) == [])
            }
        }

        @Test func `scripts of a Riff without a kit are listed, and removed when asked`() async throws {
            let fill = """
                mkdir -p .local/bin .local/state/riff && for file in .local/bin/riff-claude.sh .local/state/riff/riff-keeper-0.sh
                do printf '#!/bin/sh\\n# Riff host script\\n' >$file; done; echo mine >.local/bin/riff-worktree-remove.sh
                """
            try await KitHome(name: "", fill: fill).with { home, out in
                let kit = HostKit(on: try KitHome(name: "").local(home, out))
                let names = ["\(home)/.local/bin/riff-claude.sh", "\(home)/.local/state/riff/riff-keeper-0.sh"]
                #expect(try await kit.status().earlierScripts == names)
                try await kit.removeEarlierScripts()
                #expect(try await kit.status().earlierScripts == [])
                #expect(try HomeSnapshot("\(home)/.local/bin").entries.keys.sorted() == ["riff-worktree-remove.sh"])
            }
        }

        @Test func `a kit with kept agents that run is not taken from under them`() async throws {
            let fill =
                "mkdir -p .local/state/riff/agents/notes && echo \(getpid()) >.local/state/riff/agents/notes/keeper"
            try await KitHome(name: "", fill: fill).with { home, out in
                let keeper = HostKitPart("keeper", version: 1, file: "bin/riff-keeper-0.sh", text: "#!/bin/sh\n")
                let kit = HostKit(on: try KitHome(name: "").local(home, out), parts: HostKit.standardParts + [keeper])
                let status = try await kit.install(try await kit.plan().consent())
                let error = await #expect(throws: KitError.self) { _ = try await kit.remove() }
                #expect(error?.code == .inUse && error?.message.contains("notes") == true)
                #expect(try await kit.status() == status)
            }
        }

        /// A text that changed needs a new number, or hosts keep the old one.
        @Test func `each text has its number`() throws {
            let numbers = try HostKit.standardParts.map { part in
                let digest = try part.text(in: "/kit").utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) {
                    ($0 ^ UInt64($1)) &* 0x100_0000_01b3
                }
                return "\(part.name) \(part.version) \(String(digest, radix: 16))"
            }
            #expect(numbers == Self.numbers)
        }

        private static let numbers = [
            "worktree 1 dfc8e8b3f33227e6", "worktree-remove 1 ed8545e155d0ea3", "hook 2 96f2c28e5322540e",
            "claude-settings 2 72d23f87b655395e", "tap 2 f6c43806c6d220c4", "kit 2 71c1fe2c48d46e32",
        ]

        static func with(
            _ body: (LocalHostSession, _ home: String, _ before: HomeSnapshot) async throws -> Void
        ) async throws {
            let home = KitHome(name: "", fill: "mkdir .local && echo x >x")
            try await home.with { path, out in try await body(home.local(path, out), path, HomeSnapshot(path)) }
        }
    }
}
