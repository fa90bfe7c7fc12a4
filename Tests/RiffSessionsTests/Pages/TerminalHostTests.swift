// Riff
// SPDX-License-Identifier: Apache-2.0

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
    }
}
