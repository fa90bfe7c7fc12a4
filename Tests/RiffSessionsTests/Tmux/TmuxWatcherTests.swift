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
    /// A real tmux of this machine, watched without SSH in between.
    @Suite(.enabled(if: TmuxBench.isInstalled), .timeLimit(.minutes(5)))
    struct TmuxWatcherTests {
        private static func with(
            _ sessions: [String],
            _ body: (TmuxBench, TmuxWatcher) async throws -> Void
        ) async throws {
            try await TmuxBench.with { tmux in
                for name in sessions { try await tmux.makeSession(name) }
                let watcher = make(tmux)
                await watcher.start()
                let result: Result<Void, any Error>
                do { result = .success(try await body(tmux, watcher)) } catch { result = .failure(error) }
                await Task { await watcher.shutdown() }.value
                try result.get()
            }
        }

        private static func make(_ tmux: TmuxBench, on link: LocalWatchLink = LocalWatchLink()) -> TmuxWatcher {
            TmuxWatcher(link: link, server: tmux.server, base: .base, clock: ContinuousClock())
        }

        @Test func `sessions that are made, renamed and ended are told`() async throws {
            try await Self.with(["riff"]) { tmux, watcher in
                try await watcher.wait(forSessions: ["riff"])
                try await tmux.makeSession("é | b")
                let two = try await watcher.wait(forSessions: ["riff", "é | b"])
                #expect(two.sessions.map(\.windows) == [1, 1])
                try await tmux.ask("rename-session", "-t", "=é | b", "zwei")
                let renamed = try await watcher.wait(forSessions: ["riff", "zwei"])
                #expect(renamed.sessions.map(\.id) == two.sessions.map(\.id))
                try await tmux.ask("new-window", "-d", "-t", "=zwei:", "sleep 1000")
                try await watcher.wait { $0.sessions.map(\.windows) == [1, 2] }
                try await tmux.ask("kill-session", "-t", "=zwei")
                try await watcher.wait(forSessions: ["riff"])
            }
        }

        /// tmux keeps a client in control mode for as long as a word for it is not written.
        @Test func `a client whose connection was cut with a word on its way leaves the server`() async throws {
            try await TmuxBench.with { tmux in
                try await tmux.makeSession("riff")
                let line = try ShellQuoting.quote(try tmux.server.watch(.base).controlLine())
                let channel = try await LocalErrands().host.openChannel("sh -c \(line) | head -n 1")
                // Whoever reads it is gone after the first line.
                var output = channel.output.makeAsyncIterator()
                #expect(try await output.next() != nil)
                for number in 0..<3 { try await tmux.makeSession("news-\(number)") }
                try await channel.finishWriting()
                while try await output.next() != nil {}
                #expect(try await tmux.ask("list-clients").isEmpty)
                await channel.close()
            }
        }

        @Test func `modes of every session are told, as its active pane changes`() async throws {
            try await Self.with(["riff", "two"]) { tmux, watcher in
                let two = try SessionName("two")
                try await watcher.wait { $0.isLive && $0.modes.isEmpty }
                try await tmux.ask("copy-mode", "-t", "=two:")
                try await watcher.wait { $0.modes == [two: "copy-mode"] }
                try await tmux.ask("clock-mode", "-t", "=riff:")
                try await watcher.wait { $0.modes == [two: "copy-mode", .base: "clock-mode"] }
                // Another window, and another pane, take keys as usual.
                try await tmux.ask("new-window", "-t", "=two:", "sleep 1000")
                try await watcher.wait { $0.modes == [.base: "clock-mode"] }
                try await tmux.ask("select-window", "-t", "=two:0")
                try await watcher.wait { $0.modes == [two: "copy-mode", .base: "clock-mode"] }
                try await tmux.ask("split-window", "-t", "=two:", "sleep 1000")
                try await watcher.wait { $0.modes == [.base: "clock-mode"] }
                for mode in ["choose-tree", "choose-client"] {
                    try await tmux.ask(mode, "-t", "=two:")
                    try await watcher.wait { $0.modes[two] != nil }
                    try await tmux.ask("copy-mode", "-q", "-t", "=two:")
                    try await watcher.wait { $0.modes[two] == nil }
                }
            }
        }

        @Test func `it is no viewer, and no window changes its size for it`() async throws {
            try await Self.with(["riff"]) { tmux, watcher in
                let state = try await watcher.wait(forSessions: ["riff"])
                #expect(state.sessions.map(\.clients) == [0])
                let clients = try await tmux.ask("list-clients", "-F", "#{client_control_mode}:#{client_flags}")
                #expect(clients.hasPrefix("1:") && clients.contains("ignore-size") && clients.contains("no-output"))
                // A second watcher is none either, and real viewers are counted as they come and go.
                let other = Self.make(tmux)
                await other.start()
                try await other.wait { $0.isLive && $0.sessions.map(\.clients) == [0] }
                let line = "unset TMUX; exec tmux -S \(tmux.socket) attach -t =riff"
                try await tmux.ask("new-session", "-d", "-s", "viewer", "-x", "61", "-y", "17", line)
                try await watcher.wait { $0.sessions.first?.clients == 1 }
                let size = try await tmux.ask(
                    "display-message",
                    "-p",
                    "-t",
                    "=riff:",
                    "#{window_width}x#{window_height}"
                )
                #expect(size == "61x16")
                try await tmux.ask("kill-session", "-t", "=viewer")
                try await watcher.wait { $0.sessions.map(\.clients) == [0] }
                await other.shutdown()
            }
        }

        @Test func `when its session ends it goes on at another, and when the last ends it says so`() async throws {
            try await Self.with(["riff", "two"]) { tmux, watcher in
                try await watcher.wait(forSessions: ["riff", "two"])
                try await tmux.ask("kill-session", "-t", "=riff")
                try await watcher.wait(forSessions: ["two"])
                try await tmux.makeSession("three")
                try await watcher.wait(forSessions: ["three", "two"])
                try await tmux.ask("kill-server")
                let none = try await watcher.wait { $0.status != .live && $0.status != .starting }
                #expect(none == TmuxServerState(status: .unavailable("There is no tmux server on the host.")))
                try await tmux.makeSession("riff")
                await watcher.nudge()
                try await watcher.wait(forSessions: ["riff"])
            }
        }

        @Test func `it never starts a server, and comes when there is one`() async throws {
            try await Self.with([]) { tmux, watcher in
                try await watcher.wait { $0.status == .unavailable("There is no tmux server on the host.") }
                #expect(try await tmux.tell(["list-sessions"]).status != 0)
                #expect(!FileManager.default.fileExists(atPath: tmux.socket))
                try await tmux.makeSession("other")
                // Without being told, too.
                try await watcher.wait(forSessions: ["other"])
            }
        }

        @Test func `closing it ends its client, and the readers of its states`() async throws {
            try await Self.with(["riff"]) { tmux, watcher in
                try await watcher.wait(forSessions: ["riff"])
                let reader = Task { for await _ in watcher.updates() {} }
                await watcher.shutdown()
                await reader.value
                #expect(!watcher.current.isLive)
                #expect(try await tmux.ask("list-clients").isEmpty)
                await watcher.start()
                await watcher.nudge()
                await watcher.shutdown()
                #expect(try await tmux.ask("list-clients").isEmpty)
            }
        }

        @Test func `an old tmux, and none, are told apart`() async throws {
            let cases = [
                ("echo 'tmux: unknown option -- N' >&2; echo 'usage: tmux [-2CluvV]' >&2; exit 1", "older than 3.2"),
                ("echo 'sh: 1: tmux: not found' >&2; exit 127", "not installed"),
            ]
            for (script, reason) in cases {
                let folder = "/tmp/riff-old-\(UInt32.random(in: .min ... .max))"
                // A login shell that finds this tmux first.
                let shell = "PATH=\(folder):$PATH exec /bin/sh -c \"$2\""
                let write =
                    "mkdir \"$0\" && printf '#!/bin/sh\\n%s\\n' \"$1\" >\"$0/tmux\" && "
                    + "printf '#!/bin/sh\\n%s\\n' \"$2\" >\"$0/shell\" && chmod 755 \"$0\"/*"
                #expect(try await SystemProgram.run("sh", ["-c", write, folder, script, shell]).status == 0)
                defer { try? FileManager.default.removeItem(atPath: folder) }  // Cleanup.
                let link = LocalWatchLink(loginShell: "\(folder)/shell")
                let watcher = Self.make(TmuxBench(socket: "/nowhere"), on: link)
                await watcher.start()
                let state = try await watcher.wait { $0.status != .starting }
                guard case .unavailable(let said) = state.status else { throw CancellationError() }
                #expect(said.contains(reason), "\(said)")
                await watcher.shutdown()
            }
        }
    }
}

extension RealServers {
    /// The same over the host's own connection.
    @Suite(.enabled(if: TmuxBench.isInstalled))
    struct SSHTmuxWatcherTests {
        @Test func `it comes back with the link, and never dials`() async throws {
            try await TmuxBench.with { tmux in
                try await tmux.makeSession("riff")
                try await SSHLab.with { lab in
                    let proxy = try await ChaosProxy.start(target: lab.server.port)
                    let host = try lab.host(port: proxy.port)
                    let watcher = TmuxWatcher(host, server: tmux.server)
                    await watcher.start()
                    #expect(watcher.current == TmuxServerState())
                    #expect(proxy.counters.connections == 0)
                    try await host.link.connect()
                    try await watcher.wait(forSessions: ["riff"])
                    #expect(host.link.current.connectionCount == 1)
                    // Asked for before the cut: it may soon be over.
                    let states = watcher.updates()
                    try await proxy.cutAll()
                    for await state in states where state.status == .starting { break }
                    try await tmux.makeSession("two")
                    try await watcher.wait(forSessions: ["riff", "two"])
                    // These last until somebody wants the link again.
                    await host.link.background()
                    try await watcher.wait { $0.status == .starting }
                    await host.link.foreground()
                    try await watcher.wait(forSessions: ["riff", "two"])
                    await host.shutdown()
                    try await watcher.wait { $0.status == .starting }
                    await watcher.shutdown()
                    await proxy.stop()
                }
            }
        }
    }
}
