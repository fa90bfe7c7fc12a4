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
    /// The script that brings the base session up, run as a login item runs it.
    @Suite(.timeLimit(.minutes(5)), .enabled(if: SystemProgram.path("tmux") != nil, "tmux is not installed"))
    struct TmuxUpScriptTests {
        private static func with(_ body: (String, String, LocalHostSession) async throws -> Void) async throws {
            try await HostKitTests.with { host, home, _ in
                let socket = "\(home)/tmux's socket"
                let base = NewSessionSpec(harness: .custom("exec sleep 600"))
                let part = try HostKitPart.tmuxUp(server: TmuxServer(.path(socket)), base: base)
                let kit = HostKit(on: host, parts: HostKit.standardParts + [part])
                let status = try await kit.install(try await kit.plan().consent())
                let result: Result<Void, any Error>
                do { result = .success(try await body("\(status.folder)/bin/riff-tmux-up.sh", socket, host)) } catch {
                    result = .failure(error)
                }
                _ = try await SystemProgram.run("tmux", ["-S", socket, "kill-server"])
                try result.get()
            }
        }

        private static func sessions(_ socket: String) async throws -> String {
            try await SystemProgram.run("tmux", ["-S", socket, "list-sessions", "-F", "#{session_name} #{session_id}"])
                .output
        }

        @Test func `it makes the session once, without a terminal and from inside tmux too`() async throws {
            try await Self.with { script, socket, host in
                let first = try await host.run("env -i HOME=\"$HOME\" PATH=\"$PATH\" \(try ShellQuoting.quote(script))")
                #expect(first.exit == .exited(0), "\(first.diagnosticText)")
                let made = try await Self.sessions(socket)
                #expect(made.hasPrefix("riff $"))
                let words = try ShellQuoting.quote(script)
                let again = try await host.run("TMUX=/nowhere,1,0 TMUX_PANE=%1 \(words)")
                #expect(again.exit == .exited(0), "\(again.diagnosticText)")
                #expect(try await Self.sessions(socket) == made)
                let line = try await SystemProgram.run(
                    "tmux",
                    ["-S", socket, "list-panes", "-t", "riff", "-F", "#{pane_start_command}"]
                )
                #expect(line.output.contains("sleep 600"))
            }
        }

        @Test func `many at once make one session, and each says that it is up`() async throws {
            try await Self.with { script, socket, host in
                let words = try ShellQuoting.quote(script)
                try await withThrowingTaskGroup(of: CommandResult.self) { group in
                    for _ in 0..<8 { group.addTask { try await host.run(words) } }
                    for try await result in group { #expect(result.exit == .exited(0), "\(result.diagnosticText)") }
                }
                #expect(try await Self.sessions(socket).split(separator: "\n").count == 1)
            }
        }
    }
}
