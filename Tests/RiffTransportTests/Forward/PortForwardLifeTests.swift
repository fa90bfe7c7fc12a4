// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffTesting
import RiffTransport
import TestSupport
import Testing

extension RealServers {
    /// The listener of a forward, its bounds and its end.
    @Suite struct PortForwardLifeTests {
        @Test func `a port that is taken is told, and nothing is left open`() async throws {
            try await ForwardLab.withEcho { echo in
                let host = LocalHostSession()
                let target = try ForwardLab.loopback(echo.port)
                let taken = await transportError { _ = try await host.forward(local: echo.port, to: target) }
                #expect(taken?.code == .portInUse)
                #expect(taken?.message.contains("\(echo.port)") == true)
                let none = await transportError { _ = try await host.forward(local: 70_000, to: target) }
                #expect(none?.code == .listenFailed)
                var options = PortForwardOptions()
                options.interface = .address("192.0.2.1")
                let foreign = await transportError {
                    _ = try await host.forward(local: 0, to: target, options: options)
                }
                #expect(foreign?.code == .listenFailed)
            }
        }

        @Test func `one more connection than allowed is reset and told, and there is room again after one ends`()
            async throws
        {
            try await ForwardLab.withEcho { echo in
                var options = PortForwardOptions()
                options.maximumConnections = 2
                let target = try ForwardLab.loopback(echo.port)
                try await LocalHostSession().withForward(to: target, options: options) { forward in
                    let clients = try (0..<2).map { _ in try LoopbackClient(port: forward.port) }
                    for client in clients { #expect(try await client.exchange([1]) == [1]) }
                    let third = try LoopbackClient(port: forward.port)
                    #expect(try await third.readToEnd().end == .reset)
                    #expect(forward.current.failures.map(\.problem.code) == ["transport.tooManyConnections"])
                    #expect(forward.current.failures.map(\.connection) == [3])
                    clients[0].finishWriting()
                    _ = try await clients[0].readToEnd()
                    _ = try await forward.state { $0.openConnections == 1 }
                    let fourth = try LoopbackClient(port: forward.port)
                    #expect(try await fourth.exchange([2]) == [2])
                }
            }
        }

        @Test func `the end of a forward closes its port and resets what is open`() async throws {
            try await ForwardLab.withEcho { echo in
                let target = try ForwardLab.loopback(echo.port)
                let forward = try await LocalHostSession().forward(to: target)
                let client = try LoopbackClient(port: forward.port)
                #expect(try await client.exchange([1]) == [1])
                await forward.shutdown()
                await forward.shutdown()
                #expect(try await client.readToEnd().end == .reset)
                #expect(throws: LoopbackClient.Refused.self) { _ = try LoopbackClient(port: forward.port) }
                #expect(!forward.current.isListening)
                #expect(forward.current.openConnections == 0)
                #expect(forward.current.failures == [])
                var last: PortForwardState?
                for await state in forward.updates() { last = state }
                #expect(last?.isListening == false)
            }
        }

        @Test func `a port is free again after its forward, and after a forward that could not have it`() async throws {
            try await ForwardLab.withEcho { echo in
                let (host, target) = (LocalHostSession(), try ForwardLab.loopback(echo.port))
                let first = try await host.forward(to: target)
                let taken = await transportError { _ = try await host.forward(local: first.port, to: target) }
                #expect(taken?.code == .portInUse)
                await first.shutdown()
                for _ in 0..<3 {
                    try await host.withForward(local: first.port, to: target) { forward in
                        #expect(forward.port == first.port)
                        let client = try LoopbackClient(port: forward.port)
                        #expect(try await client.exchange([1]) == [1])
                    }
                }
            }
        }

        @Test func `both names of this machine reach a forward, and no other address does`() async throws {
            try await ForwardLab.withEcho { echo in
                let host = LocalHostSession()
                try await host.withForward(to: ForwardLab.loopback(echo.port)) { forward in
                    #expect(forward.addresses == ["127.0.0.1", "::1"] || forward.addresses == ["127.0.0.1"])
                    for address in forward.addresses {
                        let channel = try await host.open(tcp: HostAddress(address, port: forward.port))
                        try await channel.write([1])
                        try await channel.finishWriting()
                        #expect(try await channel.output.collect(upTo: 8) == [1])
                        await channel.close()
                    }
                    #if os(Linux)
                    // All of 127.0.0.0/8 is this machine there: a listener on every interface would answer.
                    let other = await transportError {
                        _ = try await host.open(tcp: HostAddress("127.0.0.2", port: forward.port))
                    }
                    #expect(other?.code == .forwardingFailed)
                    #endif
                }
            }
        }

        @Test func `a forward that nobody holds ends`() async throws {
            try await ForwardLab.withEcho { echo in
                var forward: PortForward? = try await LocalHostSession().forward(to: ForwardLab.loopback(echo.port))
                let client = try LoopbackClient(port: try #require(forward?.port))
                #expect(try await client.exchange([1]) == [1])
                forward = nil
                #expect(try await client.readToEnd().end == .reset)
            }
        }

        @Test func `a cancelled scope ends its forward, and a cancelled opening leaves the sessions alone`()
            async throws
        {
            try await SSHLab.with { lab in
                let host = try lab.host()
                try await host.connect()
                try await LoopbackPort.withFullBacklog { port in
                    let target = try ForwardLab.loopback(port)
                    let isBegun = EventualValue<PortForward>()
                    let scope = Task {
                        try await host.withForward(to: target) { forward in
                            isBegun.resolve(forward)
                            try await EventualValue<Void>().cancellableValue()
                        }
                    }
                    let forward = await isBegun.value()
                    let client = try LoopbackClient(port: forward.port)
                    _ = try await forward.state { $0.openConnections == 1 }
                    scope.cancel()
                    await #expect(throws: CancellationError.self) { try await scope.value }
                    #expect(try await client.readToEnd().end == .reset)
                    #expect(forward.current.openConnections == 0)

                    let opening = Task { try await host.open(tcp: target) }
                    opening.cancel()
                    await #expect(throws: CancellationError.self) { _ = try await opening.value }
                    #expect(try await host.text(of: "echo still") == "still\n")
                }
            }
        }

        @Test func `a hundred failures are counted and the newest are kept`() async throws {
            try await LoopbackPort.withRefusing { port in
                try await LocalHostSession().withForward(to: ForwardLab.loopback(port)) { forward in
                    for number in 1...100 {
                        let client = try LoopbackClient(port: forward.port)
                        let end = try await client.readToEnd()
                        #expect(end == .init(bytes: [], end: .reset), "\(number): \(forward.current)")
                    }
                    let state = try await forward.state { $0.failedConnections == 100 }
                    #expect(state.failures.count == 32)
                    #expect(state.failures.last?.connection == 100)
                    #expect(Set(state.failures.map(\.problem.code)) == ["transport.forwardingFailed"])
                }
            }
        }

        @Test func `what cannot be done yet says so`() async throws {
            let host = try SSHHost(
                "127.0.0.1",
                user: "nobody",
                key: .makeEd25519(),
                trust: .onlyKnown(InMemoryHostKeyStore())
            )
            let target = try ForwardLab.loopback(1)
            let remote = await transportError { _ = try await host.forward(remote: 0, to: target) }
            #expect(remote?.code == .unsupported)
            #expect(remote?.message.hasPrefix("This version cannot") == true)
            let missing = await transportError { _ = try await LocalHostSession().open(unix: "/nowhere/socket") }
            #expect(missing?.code == .forwardingFailed)
        }
    }
}
