// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffSessions
import RiffTesting
import RiffTransport
import Synchronization
import TestSupport
import Testing

extension RealServers {
    /// The manager with a watcher of its own, on a real sshd and a real tmux.
    @Suite(.enabled(if: ManagerLab.isPossible, "needs sshd and tmux")) struct WatchedSessionTests {
        /// The clock of the manager stands still: nothing of this comes of asking again after a while.
        @Test func `what others make, rename and end shows by itself, and the host is asked once for each`()
            async throws
        {
            try await ManagerLab.with { lab in
                try await lab.start(["riff", "riff-2"])
                let (host, clock) = (try lab.lab.host(), ManualClock())
                let watcher = TmuxWatcher(host, server: lab.server)
                let tmux = CountedHost(
                    TmuxSessionHost(
                        sessionsLink(of: host),
                        configuration: lab.configuration,
                        watcher: watcher,
                        clock: clock
                    )
                )
                let manager = SessionManager(
                    tmux,
                    size: .standard,
                    configuration: lab.configuration,
                    watcher: watcher,
                    ownWatcher: watcher,
                    clock: clock
                )
                await lab.start(manager)
                try await manager.wait(for: "[riff] riff-2")
                try await watcher.wait { $0.isLive && $0.sessions.count == 2 }
                let lists = tmux.lists.withLock { $0 }
                try await lab.start(["other"])
                try await manager.wait(for: "[riff] riff-2 other")
                try await lab.tmux("rename-session", "-t", "=other", "work")
                try await manager.wait(for: "[riff] riff-2 work")
                try await lab.tmux("kill-session", "-t", "=riff-2")
                try await manager.wait(for: "[riff] work")
                // Once for each, and once more where a terminal's end and the watcher's word came one after the other.
                #expect(tmux.lists.withLock { $0 } - lists <= 4)
                #expect(tmux.foregrounds.withLock { $0 } == 0)
                #expect(manager.current.problem == nil)
                await manager.shutdown()
                #expect(watcher.current.status != .live)
            }
        }

        @Test func `a page of a front end that shares its sessions leaves tmux's modes before it types`() async throws {
            try await ManagerLab.with { lab in
                var configuration = lab.configuration
                configuration.viewer = try RiffIdentifier("phone")
                let manager = try await lab.manager(on: nil, configuration, isWatched: true)
                try await manager.wait(for: "[riff]")
                var text = try manager.text(of: "riff")
                try await text.read(through: "ready")
                try await lab.tmux("copy-mode", "-t", "=riff:")
                let session = try #require(manager.current.page(.base)?.terminal)
                try await session.write(Array("quoted\n".utf8))
                try await text.read(through: "quoted")
                #expect(try await lab.sessions("#{pane_in_mode}") == ["riff": "0"])
            }
        }

        /// As many connections as without the watcher: its channel is one of the three that are counted besides.
        @Test(arguments: [(nil, 20, 3), (2, 6, 5), (1, 5, 8)] as [(Int?, Int, Int)])
        func `the watcher's channel is within the connections that sessions may take`(
            _ maxSessions: Int?,
            _ count: Int,
            _ most: Int
        ) async throws {
            try await ManagerLab.with(maxSessions: maxSessions) { lab in
                try await lab.start(["riff"] + (2..<count).map { "riff-\($0)" })
                let host = try lab.lab.host()
                let manager = try await lab.manager(on: host, isWatched: true)
                func settle(_ count: Int) async throws {
                    try await manager.wait { snapshot in
                        snapshot.pages.count == count && snapshot.pages.allSatisfy { $0.state?.isOpen == true }
                    }
                    #expect(host.link.current.connectionCount <= most)
                }
                try await settle(count - 1)
                _ = try await host.files.status(of: "/")
                // Nobody comes to the foreground: the watcher tells.
                try await lab.start(["elsewhere"])
                try await settle(count)
                for _ in 0..<3 {
                    try await manager.close(try SessionName("riff-2"))
                    try await settle(count - 1)
                    try await manager.create(ManagerLab.echo)
                    try await settle(count)
                }
                try await lab.tmux("kill-session", "-t", "=elsewhere")
                try await settle(count - 1)
                let control = try await lab.clients("#{client_control_mode}").values.joined(separator: " ")
                #expect(control.split(separator: " ").count { $0 == "1" } == 1)
                await manager.shutdown()
                await host.shutdown()
                #expect(await host.link.openChannelCount == 0)
            }
        }
    }
}

/// A host that counts how often it is asked.
private final class CountedHost: SessionHosting {
    let lists = Mutex(0)
    let foregrounds = Mutex(0)
    private let inner: TmuxSessionHost

    init(_ inner: TmuxSessionHost) { self.inner = inner }

    func sessions() async throws -> [LiveSession] {
        lists.withLock { $0 += 1 }
        return try await inner.sessions()
    }

    func make(_ name: SessionName, _ spec: NewSessionSpec?, size: TerminalSize) async throws -> SessionCreationResult {
        try await inner.make(name, spec, size: size)
    }

    func end(_ name: SessionName) async throws { try await inner.end(name) }
    func terminal(on name: SessionName, size: TerminalSize) throws -> TerminalSession {
        try inner.terminal(on: name, size: size)
    }
    func tidy(after name: SessionName) async { await inner.tidy(after: name) }
    var name: String { inner.name }
    var connection: ConnectionState { inner.connection }
    func updates() -> AsyncStream<HostLinkState> { inner.updates() }
    func foreground() async {
        foregrounds.withLock { $0 += 1 }
        await inner.foreground()
    }
}
