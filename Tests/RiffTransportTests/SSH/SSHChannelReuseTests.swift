// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffTesting
import RiffTransport
import TestSupport
import Testing

extension RealServers {
    /// What a server still sends to a channel that was closed here never reaches the next one.
    @Suite struct SSHChannelReuseTests {
        @Test func `a command after one that was cut in its flood has its own output from sshd`() async throws {
            try await SSHLab.with { try await Self.cutAndRun(on: try $0.host().files) }
        }

        private static func cutAndRun(on session: SSHHostSession) async throws {
            for round in 0..<40 {
                let flood = round.isMultiple(of: 2) ? "exec cat /dev/zero" : "exec cat /dev/zero >&2"
                await #expect(throws: TransportError.self, "round \(round)") {
                    _ = try await session.run(flood, input: [], outputLimit: 64 * 1024, timeout: .seconds(60))
                }
                let result = try await session.run("printf %s \(round)", timeout: .seconds(60))
                #expect(result.text == "\(round)" && result.diagnostics.isEmpty && result.exit == .exited(0))
            }
        }
    }
}
