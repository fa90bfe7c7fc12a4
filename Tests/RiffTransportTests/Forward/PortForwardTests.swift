// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffTesting
import RiffTransport
import TestSupport
import Testing

extension RealServers {
    /// Forwarded ports against a real sshd, with real sockets at both ends.
    @Suite struct PortForwardTests {
        @Test func `64 MB go each way at once, byte for byte`() async throws {
            try await SSHLab.with { lab in
                try await ForwardLab.withEcho { echo in
                    try await lab.host().withForward(to: ForwardLab.loopback(echo.port)) { forward in
                        #expect(forward.addresses.first == "127.0.0.1")
                        let client = try LoopbackClient(port: forward.port)
                        let count = 64 << 20
                        async let sent: Void = ForwardLab.send(count, through: client)
                        try await ForwardLab.expect(count, from: client)
                        try await sent
                        #expect(forward.current.openConnections == 1)
                        client.finishWriting()
                        #expect(try await client.readToEnd() == .init(bytes: [], end: .closed))
                        _ = try await forward.state { $0.openConnections == 0 }
                        #expect(forward.current.failures == [])
                    }
                }
            }
        }

        @Test func `a hundred connections at once each get their own bytes`() async throws {
            try await SSHLab.with { lab in
                try await ForwardLab.withEcho { echo in
                    try await lab.host().withForward(to: ForwardLab.loopback(echo.port)) { forward in
                        let clients = try (0..<100).map { _ in try LoopbackClient(port: forward.port) }
                        try await withThrowingTaskGroup(of: Void.self) { group in
                            for (number, client) in clients.enumerated() {
                                group.addTask {
                                    let bytes = [UInt8](repeating: UInt8(number), count: 40_000 + number)
                                    let echoed = try await client.exchange(bytes)
                                    #expect(echoed == bytes)
                                }
                            }
                            try await group.waitForAll()
                        }
                        #expect(forward.current.openConnections == 100)
                        for client in clients { client.finishWriting() }
                        let state = try await forward.state { $0.openConnections == 0 }
                        #expect(state.acceptedConnections == 100)
                        #expect(state.failedConnections == 0)
                    }
                }
            }
        }

        @Test(arguments: [
            ["PermitOpen 127.0.0.1:1"], ["AllowTcpForwarding no"], ["AllowTcpForwarding remote"],
            ["DisableForwarding yes"],
        ])
        func `what the host forbids is reset, and told as forbidden`(lines: [String]) async throws {
            var options = ThrowawaySSHServer.Options()
            options.extraLines = lines
            try await SSHLab.with(options) { lab in
                try await ForwardLab.withEcho { echo in
                    let host = try lab.host()
                    let target = try ForwardLab.loopback(echo.port)
                    let error = await transportError { _ = try await host.open(tcp: target) }
                    #expect(error?.code == .forwardingProhibited, "\(String(describing: error))")
                    try await host.withForward(to: target) { forward in
                        let client = try LoopbackClient(port: forward.port)
                        #expect(try await client.readToEnd().end == .reset)
                        let state = try await forward.state { $0.failedConnections == 1 }
                        #expect(state.failures.map(\.problem.code) == ["transport.forwardingProhibited"])
                        #expect(state.failures.first?.wasOpen == false)
                        #expect(state.failures.first?.problem.message.contains("AllowTcpForwarding") == true)
                    }
                    #expect(echo.accepted == 0)
                    #expect(try await host.text(of: "echo still") == "still\n")
                }
            }
        }

        @Test func `a target that refuses, and a name that the host does not know, are told as the host's failure`()
            async throws
        {
            try await SSHLab.with { lab in
                let host = try lab.host()
                try await LoopbackPort.withRefusing { port in
                    for target in [try ForwardLab.loopback(port), try HostAddress("no-such-host.invalid", port: 80)] {
                        let error = await transportError { _ = try await host.open(tcp: target) }
                        #expect(error?.code == .forwardingFailed, "\(String(describing: error))")
                        #expect(error?.message.contains(target.name) == true)
                    }
                }
                #expect(try await host.text(of: "echo still") == "still\n")
            }
        }

        @Test func `a target that never answers holds up no session, and ends in time`() async throws {
            try await SSHLab.with { lab in
                let host = try lab.host()
                try await host.connect()
                try await LoopbackPort.withFullBacklog { port in
                    var options = PortForwardOptions()
                    options.openTimeout = .seconds(3)
                    let target = try ForwardLab.loopback(port)
                    try await host.withForward(to: target, options: options) { forward in
                        let client = try LoopbackClient(port: forward.port)
                        _ = try await forward.state { $0.openConnections == 1 }
                        // Sessions have a connection of their own.
                        #expect(try await host.text(of: "echo meanwhile") == "meanwhile\n")
                        #expect(forward.current.failures == [])
                        #expect(try await client.readToEnd().end == .reset)
                        let state = try await forward.state { $0.failedConnections == 1 }
                        #expect(state.failures.map(\.problem.code) == ["transport.timeout"])
                    }
                }
                #expect(host.current.connection == .connected)
            }
        }

        @Test func `a reader that stops holds up the sender, and nobody else`() async throws {
            try await SSHLab.with { lab in
                try await ForwardLab.withEcho { echo in
                    try await lab.host().withForward(to: ForwardLab.loopback(echo.port)) { forward in
                        let (slow, other) = (
                            try LoopbackClient(port: forward.port), try LoopbackClient(port: forward.port)
                        )
                        let count = 96 << 20
                        let progress = Progress()
                        async let sent: Void = ForwardLab.send(count, through: slow, progress)
                        // Until the sender made no way during fifty exchanges of another connection.
                        var before = -1
                        while progress.value != before, progress.value < count {
                            before = progress.value
                            for _ in 0..<50 { #expect(try await other.exchange([1, 2, 3]) == [1, 2, 3]) }
                        }
                        #expect(progress.value < count, "everything was taken from a sender whose echo nobody reads")
                        try await ForwardLab.expect(count, from: slow)
                        try await sent
                    }
                }
            }
        }

        @Test func `either end may close its way first`() async throws {
            try await SSHLab.with { lab in
                let target = try LoopbackListener()
                try await lab.host().withForward(to: ForwardLab.loopback(target.port)) { forward in
                    for localFirst in [true, false] {
                        let client = try LoopbackClient(port: forward.port)
                        let peer = try await target.accept()
                        let (first, second) = localFirst ? (client, peer) : (peer, client)
                        try await first.write(Array("question".utf8))
                        first.finishWriting()
                        #expect(try await second.readToEnd().bytes == Array("question".utf8))
                        try await second.write(Array("answer".utf8))
                        second.finishWriting()
                        #expect(try await first.readToEnd().bytes == Array("answer".utf8))
                    }
                    let state = try await forward.state { $0.openConnections == 0 }
                    #expect(state.failures == [])
                }
            }
        }

        @Test func `a reset of either end reaches the other one, as an end of what it sends`() async throws {
            try await SSHLab.with { lab in
                let target = try LoopbackListener()
                try await lab.host().withForward(to: ForwardLab.loopback(target.port)) { forward in
                    for localFirst in [true, false] {
                        let client = try LoopbackClient(port: forward.port)
                        let peer = try await target.accept()
                        #expect(try await ForwardLab.passes(from: client, to: peer))
                        (localFirst ? client : peer).reset()
                        // SSH tells of an end and not of what kind it was: the other way stays open.
                        let other = localFirst ? peer : client
                        #expect(try await other.readToEnd().bytes == [])
                        other.finishWriting()
                        _ = try await forward.state { $0.openConnections == 0 }
                    }
                    #expect(forward.current.failures == [])
                }
            }
        }

        @Test func `a cut host resets what was open and tells it, and the port goes on over the next connection`()
            async throws
        {
            try await SSHLab.with { lab in
                let proxy = try await ChaosProxy.start(target: lab.server.port)
                try await ForwardLab.withEcho { echo in
                    let host = try lab.host(port: proxy.port)
                    try await host.withForward(to: ForwardLab.loopback(echo.port)) { forward in
                        let client = try LoopbackClient(port: forward.port)
                        #expect(try await client.exchange([1, 2, 3]) == [1, 2, 3])
                        try await proxy.resetAll()
                        // Never an end that looks like a proper one.
                        #expect(try await client.readToEnd() == .init(bytes: [], end: .reset))
                        let state = try await forward.state { $0.failedConnections == 1 }
                        #expect(state.failures.map(\.wasOpen) == [true])
                        #expect(state.failures.map(\.problem.code) == ["transport.connectionLost"])
                        #expect(state.isListening)
                        let next = try LoopbackClient(port: forward.port)
                        #expect(try await next.exchange([4, 5]) == [4, 5])
                        #expect(forward.current.failedConnections == 1)
                    }
                    await host.shutdown()
                }
                await proxy.stop()
            }
        }

        @Test func `a host that was shut down is not dialed for a forward`() async throws {
            try await SSHLab.with { lab in
                try await ForwardLab.withEcho { echo in
                    let host = try lab.host()
                    try await host.withForward(to: ForwardLab.loopback(echo.port)) { forward in
                        let client = try LoopbackClient(port: forward.port)
                        #expect(try await client.exchange([1]) == [1])
                        await host.shutdown()
                        #expect(try await client.readToEnd().end == .reset)
                        let late = try LoopbackClient(port: forward.port)
                        #expect(try await late.readToEnd().end == .reset)
                        let state = try await forward.state { $0.failedConnections == 2 }
                        #expect(state.failures.map(\.wasOpen) == [true, false])
                        #expect(host.current.connection == .disconnected(.deliberate))
                        try await host.connect()
                        let again = try LoopbackClient(port: forward.port)
                        #expect(try await again.exchange([2]) == [2])
                    }
                }
            }
        }
    }
}
