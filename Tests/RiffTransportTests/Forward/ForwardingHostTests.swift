// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffTesting
import RiffTransport
import TestSupport
import Testing

extension RealServers {
    /// The seam's rules on its implementations, and forwards over a scripted one.
    @Suite struct ForwardingHostTests {
        @Test func `a host over SSH keeps the rules`() async throws {
            try await SSHLab.with { lab in try await ForwardingHostConformance(lab.host()).runAll() }
        }

        @Test(.enabled("needs dropbear and root") { await ThrowawayDropbear.isAvailable() })
        func `a dropbear keeps the rules`() async throws {
            try await SSHLab.with(try await ThrowawayDropbear.start()) { lab in
                try await ForwardingHostConformance(lab.host()).runAll()
            }
        }

        @Test func `a host behind another keeps the rules`() async throws {
            try await SSHLab.with { lab in
                let jump = try lab.host()
                let inner = lab.host(try lab.configuration(jump: jump))
                try await ForwardingHostConformance(inner).runAll()
            }
        }

        @Test func `this machine keeps the rules`() async throws {
            try await ForwardingHostConformance(LocalHostSession()).runAll()
        }

        @Test func `a connection that is cut in memory is reset and told, one that ends is not`() async throws {
            let (ours, theirs) = InMemoryByteChannel.makePair()
            let ends = [theirs]
            let host = ScriptedForwardingHost { _ in ours }
            let target = try HostAddress("service.internal", port: 80)
            try await host.withForward(to: target) { forward in
                let client = try LoopbackClient(port: forward.port)
                try await client.write([1, 2])
                var arrived = ends[0].output.makeAsyncIterator()
                #expect(try await arrived.next() == [1, 2])
                ends[0].cut()
                #expect(try await client.readToEnd().end == .reset)
                let state = try await forward.state { $0.openConnections == 0 }
                #expect(state.failures.map(\.problem.code) == ["transport.connectionLost"])
                #expect(state.failures.map(\.wasOpen) == [true])
            }
            #expect(host.addresses == [target])
        }
    }
}
