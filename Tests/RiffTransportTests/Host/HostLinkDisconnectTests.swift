// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffSessions
import RiffTesting
import RiffTransport
import TestSupport
import Testing

extension RealServers {
    /// When `disconnect()` has returned, nothing of the link is left, whatever was going on.
    @Suite struct HostLinkDisconnectTests {
        private static func with(
            _ options: ThrowawaySSHServer.Options = .init(),
            _ body: (SSHHost, ChaosProxy) async throws -> Void
        ) async throws {
            try await SSHLab.with(options) { lab in
                let proxy = try await ChaosProxy.start(target: lab.server.port)
                let result: Result<Void, any Error>
                do {
                    result = .success(try await body(try lab.host(port: proxy.port), proxy))
                } catch {
                    result = .failure(error)
                }
                await proxy.stop()
                try result.get()
            }
        }

        private static func expectNothing(of host: SSHHost) {
            #expect(host.link.current.connectionCount == 0)
            #expect(host.link.current.connection == .disconnected(.deliberate))
        }

        @Test func `what is under way has ended, each with its error`() async throws {
            try await Self.with { host, proxy in
                let quiet = "stty -echo; echo READY; exec cat"
                let session = try await host.terminal(quiet, name: "quiet", size: .standard)
                var text = TerminalText(session.output)
                try await text.read(through: "READY")
                let channel = try await host.files.openChannel("echo READY; exec cat")
                var output = channel.output.makeAsyncIterator()
                #expect(try await output.next() == Array("READY\n".utf8))
                _ = try await host.files.status(of: "/")
                let work: [@Sendable () async throws -> Void] = [
                    { _ = try await host.files.run("exec sleep 100", timeout: .seconds(100)) },
                    { while true { _ = try await host.files.read("/dev/zero", from: 0, count: 1 << 20) } },
                    { _ = try await channel.exitStatus() },
                    { while true { try await channel.write([UInt8](repeating: 0, count: 1 << 16)) } },
                ]
                let tasks = work.map { body in Task { await transportError(body) } }
                // All of them have sent something by now.
                let passed = proxy.counters.bytesToTarget
                try await proxy.waitUntil { $0.bytesToTarget > passed + 1 << 20 }
                await host.shutdown()
                Self.expectNothing(of: host)
                for (number, task) in tasks.enumerated() {
                    let code = await task.value?.code
                    #expect(code == .closed || code == .connectionLost, "\(number): \(String(describing: code))")
                }
                let closure = await session.closure()
                #expect(closure.reason == .lost && closure.error?.stableCode == "transport.closed")
                _ = await text.rest()
                try await proxy.waitUntil { $0.openConnections == 0 }
                #expect(proxy.counters.connections == 1)
            }
        }

        @Test func `a dial that waits for the server is given up`() async throws {
            try await Self.with { host, proxy in
                proxy.setRules(.fault(.stall, afterBytesToClient: 100))
                let dial = Task { await transportError { try await host.link.connect() } }
                try await proxy.waitUntil { $0.bytesToClient == 100 }
                await host.shutdown()
                Self.expectNothing(of: host)
                #expect(await dial.value?.code == .closed)
                try await proxy.resumeAll()
                try await proxy.waitUntil { $0.openConnections == 0 }
            }
        }

        @Test func `dials that overtook each other are all given up`() async throws {
            try await Self.with { host, proxy in
                try await host.link.connect()
                for _ in 0..<20 {
                    await host.link.background()
                    await host.link.foreground()
                }
                await host.shutdown()
                Self.expectNothing(of: host)
                try await proxy.waitUntil { $0.openConnections == 0 }
                // And none of them comes through later; it can be wanted again.
                #expect(try await host.text(of: "echo again") == "again\n")
                await host.shutdown()
                Self.expectNothing(of: host)
                try await proxy.waitUntil { $0.openConnections == 0 }
            }
        }

        @Test func `a link that is wanted again meanwhile is not torn down`() async throws {
            try await Self.with { host, _ in
                for number in 0..<20 {
                    try await host.link.connect()
                    async let ending: Void = host.shutdown()
                    // Before, while or after the other runs: it comes up in any case, unless it was ended after it.
                    let error = await transportError { try await host.link.connect() }
                    #expect(error == nil || error?.code == .closed)
                    await ending
                    #expect(try await host.text(of: "echo \(number)") == "\(number)\n")
                }
            }
        }

        @Test func `a file service that does not answer holds nobody who gave up, and ends with the link`() async throws
        {
            var options = ThrowawaySSHServer.Options()
            options.sftp = "/bin/sleep 100"
            try await Self.with(options) { host, proxy in
                let staying = Task { await transportError { _ = try await host.files.status(of: "/") } }
                let leaving = Task { try await host.files.status(of: "/") }
                // The greeting of SFTP has been sent when a later command has ended.
                for _ in 0..<3 { #expect(try await host.text(of: "echo up") == "up\n") }
                leaving.cancel()
                await #expect(throws: CancellationError.self) { _ = try await leaving.value }
                await host.shutdown()
                Self.expectNothing(of: host)
                let code = await staying.value?.code
                #expect(code == .closed || code == .connectionLost, "\(String(describing: code))")
                try await proxy.waitUntil { $0.openConnections == 0 }
            }
        }

        @Test func `a file service that never answers is told in time`() async throws {
            var options = ThrowawaySSHServer.Options()
            options.sftp = "/bin/sleep 100"
            try await SSHLab.with(options) { lab in
                var configuration = try lab.configuration()
                // The steps of the dial have it, too.
                configuration.operationTimeout = .seconds(10)
                let host = lab.host(configuration)
                let start = ContinuousClock.now
                let error = await transportError { _ = try await host.files.status(of: "/") }
                #expect(error?.code == .timeout)
                #expect(error?.message.contains("file service") == true)
                #expect(ContinuousClock.now - start < .seconds(60))
                // The connection itself is well.
                #expect(try await host.text(of: "echo up") == "up\n")
                #expect(host.link.current.connectionCount == 1)
            }
        }
    }
}
