// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffTesting
import RiffTransport
import TestSupport
import Testing

extension RealServers {
    /// Management calls (S16 to S18) on real servers and bad networks.
    @Suite struct HostLinkManagementTests {
        @Test func `output, status and standard error come apart, whatever a profile prints`() async throws {
            try await Self.withNoisyShell { host in
                let report = await host.link.report(
                    of: "echo one; echo two >&2; echo __RIFF_EOF__ 0; printf three; exit 5"
                )
                #expect(Self.text(report.outcome) == "one\n__RIFF_EOF__ 0\nthree (5)")
                #expect(report.diagnostics == "two\n")
                #expect(Self.text(await host.link.manage("true")) == " (0)")
                #expect(Self.text(await host.link.manage("exit 3")) == " (3)")
            }
        }

        @Test(.enabled(if: SystemProgram.path("tmux") != nil))
        func `an absent tmux server is an empty list, and sessions are listed`() async throws {
            try await TmuxSocketFolder.with { socket in
                let tmux = TmuxServer(.path(socket))
                try await Self.withNoisyShell { host in
                    let absent = await host.link.report(of: try tmux.listSessions().line())
                    #expect(Self.text(absent.outcome) == " (1)")
                    #expect(TmuxFailure(diagnostics: absent.diagnostics)?.kind == .noServer)
                    let spec = NewSessionSpec(harness: .custom("exec sleep 1000"))
                    for name in ["riff", "riff-2"] {
                        let made = await host.link.report(
                            of: try tmux.newDetached(SessionName(name), spec: spec).line()
                        )
                        #expect(Self.text(made.outcome) == " (0)", "\(made.diagnostics)")
                    }
                    let again = await host.link.report(of: try tmux.newDetached(SessionName("riff"), spec: spec).line())
                    #expect(
                        TmuxFailure(diagnostics: again.diagnostics) == TmuxFailure(.duplicateSession, subject: "riff")
                    )
                    let list = await host.link.manage(try tmux.listSessions().line())
                    let sessions = try SessionListing.parse(try list.get(host: "box").output)
                    #expect(sessions.map(\.name.rawValue) == ["riff", "riff-2"])
                }
            }
        }

        @Test func `a refused port is no channel, an early end no output, a stall out of time`() async throws {
            try await SSHLab.with { lab in
                let refused = try await LoopbackPort.withRefusing { port in
                    await (try lab.host(port: port)).link.manage("true")
                }
                guard case .connect(let error) = refused else { throw TestingError(.serverEnded, "\(refused)") }
                #expect(error.stableCode == "transport.connectionRefused")

                let proxy = try await ChaosProxy.start(target: lab.server.port)
                // Cut in the handshake: there never was a channel.
                proxy.setRules(.fault(.cut, afterBytesToClient: 100))
                let cut = try await lab.host(port: proxy.port).link.manage("true")
                guard case .connect(let error) = cut else { throw TestingError(.serverEnded, "\(cut)") }
                #expect(error.stableCode == "transport.connectionLost")

                // Stalled in the handshake: the time is over.
                proxy.setRules(.fault(.stall, afterBytesToClient: 100))
                let stalled = try await lab.host(port: proxy.port).link.manage("true", timeout: .milliseconds(300))
                guard case .timeout(let partial) = stalled else { throw TestingError(.serverEnded, "\(stalled)") }
                #expect(partial.isEmpty)

                // Cut before the command wrote, and in the middle of its output: a pipe tells when it is that far.
                proxy.setRules(ChaosRules())
                let fifo = "/tmp/riff-fifo-\(UInt32.random(in: .min ... .max))"
                _ = try await SystemProgram.run("mkfifo", [fifo])
                for (command, isEmpty) in [("echo up >\(fifo)", true), ("echo some; echo up >\(fifo)", false)] {
                    let host = try lab.host(port: proxy.port)
                    async let outcome = host.link.manage("\(command); exec sleep 100")
                    #expect(try await SystemProgram.run("cat", [fifo]).output == "up\n")
                    // What was written before has passed the proxy when a later answer has.
                    _ = try await host.text(of: "true")
                    try await proxy.cutAll()
                    switch await outcome {
                    case .closedEmpty: #expect(isEmpty)
                    case .closedEarly(let partial): #expect(!isEmpty && partial == Array("some\n".utf8))
                    case let other: Issue.record("\(other)")
                    }
                    await host.shutdown()
                }
                unlink(fifo)
                await proxy.stop()
            }
        }

        @Test func `a handshake that takes eight seconds passes, one that takes ten does not`() async throws {
            try await SSHLab.with { lab in
                for (seconds, passes) in [(8, true), (10, false)] {
                    let proxy = try await ChaosProxy.start(
                        target: lab.server.port,
                        rules: .fault(.stall, afterBytesToClient: 100)
                    )
                    let clock = ManualClock()
                    let host = try lab.host(port: proxy.port, clock: clock)
                    async let outcome = host.link.manage("echo in")
                    try await proxy.waitUntil { $0.bytesToClient == 100 }
                    await clock.sleepers(1)
                    clock.advance(by: .seconds(seconds))
                    try await proxy.resumeAll()
                    switch await outcome {
                    case .output(let bytes, 0): #expect(passes && bytes == Array("in\n".utf8))
                    case .timeout: #expect(!passes)
                    case let other: Issue.record("\(other)")
                    }
                    await host.shutdown()
                    await proxy.stop()
                }
            }
        }

        @Test func `too much output and a cancelled task end it`() async throws {
            try await SSHLab.with { lab in
                let host = try lab.host()
                let much = await host.link.manage("exec cat /dev/zero", outputLimit: 1000)
                guard case .outputTooLarge(limit: 1000) = much else { throw TestingError(.serverEnded, "\(much)") }
                let task = Task { await host.link.manage("sleep 100") }
                task.cancel()
                guard case .timeout = await task.value else { throw TestingError(.serverEnded, "not cancelled") }
            }
        }

        @Test(.enabled(if: SystemProgram.path("csh") != nil))
        func `csh is told by its name`() async throws {
            var options = ThrowawaySSHServer.Options()
            options.shell = SystemProgram.path("csh")
            try await SSHLab.with(options) { lab in
                let outcome = try await lab.host().link.manage("true")
                guard case .unsupportedShell(let shell) = outcome else {
                    throw TestingError(.serverEnded, "\(outcome)")
                }
                #expect(shell.path.hasSuffix("csh"))
            }
        }

        // MARK: Tools

        /// A host whose login shell prints before and beside everything.
        private static func withNoisyShell(_ body: (SSHHost) async throws -> Void) async throws {
            let path = "/tmp/riff-shell-\(UInt32.random(in: .min ... .max))"
            let script = "#!/bin/sh\necho noise; echo __RIFF_EOF__ 0; echo more >&2\nexec /bin/sh \"$@\"\n"
            // Written by a child: a file this process still has open for writing cannot be run by another.
            _ = try await SystemProgram.run("sh", ["-c", "printf %s \"$1\" >\"$0\" && chmod 755 \"$0\"", path, script])
            defer { try? FileManager.default.removeItem(atPath: path) }  // Cleanup.
            var options = ThrowawaySSHServer.Options()
            options.shell = path
            try await SSHLab.with(options) { try await body(try $0.host()) }
        }

        private static func text(_ outcome: ManagementOutcome) -> String {
            guard case .output(let bytes, let status) = outcome else { return "\(outcome)" }
            return "\(String(decoding: bytes, as: UTF8.self)) (\(status))"
        }
    }
}
