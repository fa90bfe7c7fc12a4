// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffSessions
import RiffTesting
import RiffTransport
import TestSupport
import Testing

extension InTurn {
    @Suite(.enabled(if: ThrowawaySSHServer.isInstalled), .timeLimit(.minutes(5)))
    struct TerminalHostTests {
        @Test(arguments: TerminalHostConformance.checks)
        func `this machine keeps every rule`(_ check: ConformanceCheck<TerminalHostConformance>) async throws {
            try await check.run(TerminalHostConformance(LocalHostSession(shell: "/bin/sh")))
        }

        @Test(arguments: TerminalHostConformance.checks)
        func `a front end's own host keeps every rule`(_ check: ConformanceCheck<TerminalHostConformance>) async throws
        {
            try await check.run(TerminalHostConformance(CuttableHost()))
        }

        @Test func `a host over SSH keeps every rule`() async throws {
            try await SSHLab.with { lab in try await TerminalHostConformance(try lab.host()).runAll() }
        }

        @Test(arguments: TerminalTransportConformance.checks)
        func `the terminals of this machine keep every rule`(
            _ check: ConformanceCheck<TerminalTransportConformance>
        ) async throws {
            let host = LocalHostSession(shell: "/bin/sh")
            try await check.run(TerminalTransportConformance { host.makeTerminal($0.commandLine) })
        }

        @Test func `a host of a front end's own is checked before the first session`() async throws {
            let host = CuttableHost()
            let server = TmuxServer(.path("/tmp/riff-none-\(UInt32.random(in: .min ... .max))/tmux"))
            let missing = Harness.custom("riff-no-such-program")
            let readiness = try await host.preflight(harness: missing, server: server, timeout: .seconds(30).patient)
            #expect(readiness.checks.map(\.kind) == [.loginShell, .tmux, .harness])
            #expect(readiness[.loginShell]?.isSatisfied == true)
            #expect(readiness[.tmux]?.isSatisfied == true)
            #expect(readiness.failures.map(\.stableCode) == ["core.harnessMissing"])
            let message = try #require(readiness.failure?.message)
            #expect(message.contains("riff-no-such-program was not found on me@cuttable"))

            await host.cut()
            let cutOff = try await host.preflight(server: server)
            #expect(cutOff[.loginShell]?.problem?.stableCode == "transport.notConnected")
            #expect(cutOff.failures.count == 1)
            #expect(cutOff[.tmux]?.isSatisfied == false)
        }
    }
}
