// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffSessions
import RiffTesting
import RiffTransport
import TestSupport
import Testing

extension RealServers {
    /// The manager on a real sshd and a real tmux.
    @Suite(.enabled(if: ManagerLab.isPossible, "needs sshd and tmux")) struct RealSessionTests {
        // MARK: The three promises

        @Test func `new is always new, whatever the pages know`() async throws {
            try await ManagerLab.with { lab in
                let manager = try await lab.manager()
                try await manager.wait { $0.isSetUp && $0.active.state?.isOpen == true }
                try await lab.start(["riff-2", "riff-4"])
                #expect(try await manager.create(ManagerLab.echo) == SessionName("riff-3"))
                try await manager.wait(for: "riff [riff-3]")
                var text = try manager.text(of: "riff-3")
                try await text.read(through: "ready")
                #expect(try await Set(lab.clients().keys) == ["riff", "riff-3"])
                #expect(try await lab.sessions("#{session_attached}")["riff-2"] == "0")
            }
        }

        @Test func `pages follow what others do, and healthy connections stay`() async throws {
            try await ManagerLab.with { lab in
                try await lab.start(["riff", "riff-2", "riff-3"])
                let manager = try await lab.manager()
                try await manager.wait(for: "[riff] riff-2 riff-3")
                await manager.activate(at: 2)
                for name in ["riff", "riff-2", "riff-3"] {
                    var text = try manager.text(of: name)
                    try await text.read(through: "ready")
                }
                let before = try await lab.clients()
                #expect(Set(before.keys) == ["riff", "riff-2", "riff-3"])

                try await lab.start(["other", "riff-9"])
                await manager.foreground()
                try await manager.wait(for: "riff riff-2 [riff-3] other riff-9")
                try await lab.tmux("kill-session", "-t", "=riff-2")
                try await manager.wait(for: "riff [riff-3] other riff-9")
                try await lab.tmux("rename-session", "-t", "=other", "work")
                await manager.foreground()
                try await manager.wait(for: "riff [riff-3] work riff-9")
                for name in ["work", "riff-9"] {
                    var text = try manager.text(of: name)
                    try await text.read(through: "ready")
                }
                let after = try await lab.clients()
                #expect(Set(after.keys) == ["riff", "riff-3", "work", "riff-9"])
                for name in ["riff", "riff-3"] { #expect(after[name] == before[name]) }
            }
        }

        @Test func `no session at all is the base page and no error`() async throws {
            try await ManagerLab.with { lab in
                let manager = try await lab.manager()
                try await manager.wait { $0.isSetUp && $0.active.state?.isOpen == true }
                #expect(manager.current.problem == nil && manager.current.pages.count == 1)
                var text = try manager.text(of: "riff")
                try await text.read(through: "ready")
                // All at once gone: the server itself.
                try await lab.tmux("kill-server")
                try await manager.wait(for: "[riff]!")
                await manager.foreground()
                try await manager.wait(for: "[riff]")
                text = try manager.text(of: "riff")
                try await text.read(through: "ready")
                #expect(manager.current.problem == nil)
            }
        }

        // MARK: Closing

        @Test func `closing ends that session alone, and the last one makes the base anew`() async throws {
            try await ManagerLab.with { lab in
                try await lab.start(["riff", "riff-2", "riff-20"])
                let manager = try await lab.manager()
                try await manager.wait(for: "[riff] riff-2 riff-20")
                let panes = try await lab.panes()
                await manager.activate(at: 1)
                try await manager.close()
                try await manager.wait(for: "[riff] riff-20")
                #expect(try await lab.panes() == panes.filter { $0.key != "riff-2" })
                try await manager.close(try SessionName("riff-20"))
                try await manager.close()
                try await manager.wait(for: "[riff]")
                var text = try manager.text(of: "riff")
                try await text.read(through: "ready")
                let anew = try await lab.panes()
                #expect(anew.keys.elementsEqual(["riff"]) && anew["riff"] != panes["riff"])
            }
        }

        @Test func `a script that clears up for a minute stalls neither a close nor what follows`() async throws {
            try await ManagerLab.with { lab in
                let folder = (lab.socket as NSString).deletingLastPathComponent
                _ = try await SystemProgram.run("mkfifo", ["\(folder)/up"])
                var configuration = lab.configuration
                configuration.cleanup = { name in "echo \(name) >\(folder)/up; exec sleep 60" }
                try await lab.start(["riff", "riff-2"])
                let manager = try await lab.manager(configuration)
                try await manager.wait(for: "[riff] riff-2")
                let start = ContinuousClock.now
                try await manager.close(try SessionName("riff-2"))
                #expect(try await SystemProgram.run("cat", ["\(folder)/up"]).output == "riff-2\n")
                #expect(try await manager.create(ManagerLab.echo) == SessionName("riff-2"))
                await manager.shutdown()
                #expect(ContinuousClock.now - start < .seconds(30))
            }
        }

        // MARK: Coming back

        @Test func `after a restart the same session is active, in the same order, on the same pane`() async throws {
            try await ManagerLab.with { lab in
                let settings = RiffSettings(InMemoryKeyValueStore())
                let first = try await lab.manager(settings: settings)
                try await first.wait { $0.isSetUp && $0.active.state?.isOpen == true }
                for _ in 0..<2 { try await first.create(ManagerLab.echo) }
                try await first.wait(for: "riff riff-2 [riff-3]")
                await first.activate(at: 1)
                let panes = try await lab.panes()
                await first.shutdown()
                let second = try await lab.manager(settings: settings)
                try await second.wait(for: "riff [riff-2] riff-3")
                try await second.write(Array("again\n".utf8))
                var text = try second.text(of: "riff-2")
                try await text.read(through: "again")
                #expect(try await lab.panes() == panes)
                await second.shutdown()
                try await lab.tmux("kill-session", "-t", "=riff-2")
                let third = try await lab.manager(settings: settings)
                try await third.wait(for: "[riff] riff-3")
            }
        }

        @Test func `a session is made as the settings are at that moment, whoever wrote them`() async throws {
            try await ManagerLab.with { lab in
                let folder = (lab.socket as NSString).deletingLastPathComponent
                let store = InMemoryKeyValueStore([
                    "riff.ssh.harness": "echo base; exec cat", "riff.ssh.startDir": folder,
                ])
                let settings = RiffSettings(store)
                let configuration = SessionsConfiguration(settings: settings, server: lab.server)
                let manager = try await lab.manager(configuration, settings: settings)
                try await manager.wait { $0.active.state?.isOpen == true }
                var text = try manager.text(of: "riff")
                try await text.read(through: "base")
                // A settings page, or another process.
                let page = RiffSettings(store)
                try await page.set(.custom("echo other; exec cat"), for: .harness)
                try await page.set(.seconds(7), for: .managementTimeout)
                let name = try await manager.create()
                try await manager.waitUntilOpen(name)
                text = try manager.text(of: name.rawValue)
                try await text.read(through: "other")
                #expect(configuration.managementTimeout == .seconds(7))
                // What is chosen for one session comes first, and the rest is as the settings have it.
                let chosen = try await manager.create(NewSessionSpec(harness: .custom("echo own; pwd; exec cat")))
                try await manager.waitUntilOpen(chosen)
                text = try manager.text(of: chosen.rawValue)
                try await text.read(through: "own")
                #expect(try await lab.sessions("#{pane_start_path}").values.allSatisfy { $0 == folder })
            }
        }

        @Test func `after a cut every session is back on its own pane`() async throws {
            try await ManagerLab.with { lab in
                let proxy = try await ChaosProxy.start(target: lab.lab.server.port)
                var way = try lab.lab.configuration(port: proxy.port)
                way.reconnect = ReconnectPolicy(delays: [.milliseconds(50)])
                try await lab.start(["riff", "riff-2", "riff-3", "riff-4"])
                let manager = try await lab.manager(on: lab.lab.host(way))
                let names = ["riff", "riff-2", "riff-3", "riff-4"]
                try await manager.wait(for: "[riff] riff-2 riff-3 riff-4")
                let panes = try await lab.panes()
                var texts: [String: TerminalText] = [:]
                for name in names {
                    texts[name] = try manager.text(of: name)
                    try await texts[name]?.read(through: "ready")
                }
                for round in 0..<3 {
                    try await proxy.cutAll()
                    // What others did meanwhile shows with the rising edge.
                    try await lab.start(["new-\(round)"])
                    try await manager.wait { $0.page(.base)?.state?.isOpen == false || $0.pages.count == 5 + round }
                    try await manager.wait { snapshot in
                        snapshot.pages.count == 5 + round && snapshot.pages.allSatisfy { $0.state?.isOpen == true }
                    }
                    for name in names {
                        // tmux draws the pane anew; before, a terminal echoes by itself what it is sent.
                        try await texts[name]?.read(through: "ready")
                        await manager.activate(try SessionName(name))
                        try await manager.write(Array("round \(round) of \(name)\n".utf8))
                        try await texts[name]?.read(through: "round \(round) of \(name)")
                    }
                }
                #expect(try await lab.panes().filter { names.contains($0.key) } == panes)
                for name in names {
                    let shown = try await lab.tmux("capture-pane", "-p", "-t", "=\(name):").filter { !$0.isEmpty }
                    #expect(shown == ["ready"] + (0..<3).map { "round \($0) of \(name)" })
                }
                #expect(proxy.counters.connections == 4)
                await manager.shutdown()
                await proxy.stop()
            }
        }

        @Test func `a host that was down is found when somebody comes back to it`() async throws {
            try await ManagerLab.with { lab in
                try await lab.start(["riff", "riff-2"])
                let proxy = try await ChaosProxy.start(target: lab.lab.server.port)
                try await proxy.refuseConnections()
                let manager = try await lab.manager(on: lab.lab.host(port: proxy.port))
                try await manager.wait { $0.isSetUp }
                #expect(SessionManager.text(manager.current) == "[riff]!")
                #expect(manager.current.active.problem?.stableCode == "transport.connectionRefused")
                try await proxy.acceptConnections()
                await manager.foreground()
                try await manager.wait(for: "[riff] riff-2")
                #expect(manager.current.problem == nil && manager.current.active.problem == nil)
                // Asking for the list three times was no reason to dial.
                #expect(proxy.counters.connections == 1)
                await manager.shutdown()
                await proxy.stop()
            }
        }

        @Test func `a host that was down at the start is dialed again by the schedule, and its pages come`()
            async throws
        {
            try await ManagerLab.with { lab in
                try await lab.start(["riff", "riff-2"])
                let proxy = try await ChaosProxy.start(target: lab.lab.server.port)
                try await proxy.refuseConnections()
                var configuration = try lab.lab.configuration(port: proxy.port)
                configuration.reconnect = ReconnectPolicy(delays: [.milliseconds(20)])
                let host = lab.lab.host(configuration)
                let manager = try await lab.manager(on: host)
                try await manager.wait { $0.active.problem != nil }
                #expect(manager.current.active.problem?.stableCode == "transport.connectionRefused")
                for await state in host.updates() {
                    if case .reconnecting = state.connection { break }
                }
                #expect(host.current.problem?.stableCode == "transport.connectionRefused")
                try await proxy.acceptConnections()
                // Nobody comes to the foreground, and nothing tells of the network.
                try await manager.wait(for: "[riff] riff-2")
                #expect(manager.current.active.problem == nil)
                try await manager.type("here", submit: true)
                await manager.shutdown()
                await proxy.stop()
            }
        }

        @Test(arguments: [100, 3500])
        func `disconnecting from a host that has fallen silent does not wait for it`(_ bytes: Int) async throws {
            try await ManagerLab.with { lab in
                try await lab.start(["riff", "riff-2", "riff-3"])
                // In the key exchange, and while the pages are being attached.
                let proxy = try await ChaosProxy.start(
                    target: lab.lab.server.port,
                    rules: .fault(.stall, afterBytesToClient: bytes)
                )
                // Who waits for any of these waits for a minute.
                var configuration = try lab.lab.configuration(port: proxy.port)
                configuration.connectTimeout = .seconds(60)
                configuration.operationTimeout = .seconds(60)
                configuration.keepAliveInterval = .seconds(60)
                var sessions = lab.configuration
                sessions.managementTimeout = .seconds(60)
                let manager = try await lab.manager(on: lab.lab.host(configuration), sessions)
                try await proxy.waitUntil { $0.bytesToClient >= bytes }
                let creation = Task { try await manager.create() }
                let start = ContinuousClock.now
                await manager.shutdown()
                #expect(ContinuousClock.now - start < .seconds(30))
                #expect(await transportError { _ = try await creation.value }?.code == .closed)
                await proxy.stop()
            }
        }

        // MARK: Size

        @Test func `a size reaches three panes`() async throws {
            try await ManagerLab.with { lab in
                let script = "trap 'stty size' WINCH; echo ready; while :; do sleep 1000 & wait; done"
                for name in ["riff", "riff-2", "riff-3"] {
                    try await lab.tmux("-f", "/dev/null", "new-session", "-d", "-s", name, script)
                }
                let manager = try await lab.manager()
                try await manager.wait(for: "[riff] riff-2 riff-3")
                for tiny in [TerminalSize(columns: 0, rows: 0), TerminalSize(columns: 1, rows: 1)] {
                    await manager.resize(to: tiny)
                }
                await manager.resize(to: TerminalSize(columns: 90, rows: 30))
                await manager.resize(to: TerminalSize(columns: 100, rows: 40))
                for name in ["riff", "riff-2", "riff-3"] {
                    var text = try manager.text(of: name)
                    try await text.read(through: "40 100")
                }
                #expect(try await Set(lab.sessions("#{window_width}x#{window_height}").values) == ["100x40"])
            }
        }
    }
}
