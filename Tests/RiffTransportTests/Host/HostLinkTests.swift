// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffSessions
import RiffTesting
import RiffTransport
import TestSupport
import Testing

extension RealServers {
    /// Losing and regaining connections, on a real sshd behind a proxy.
    @Suite struct HostLinkTests {
        /// A lab with a proxy before its server.
        private static func with(
            _ options: ThrowawaySSHServer.Options = .init(),
            _ body: (SSHLab, ChaosProxy) async throws -> Void
        ) async throws {
            try await SSHLab.with(options) { lab in
                let proxy = try await ChaosProxy.start(target: lab.server.port)
                let result: Result<Void, any Error>
                do { result = .success(try await body(lab, proxy)) } catch { result = .failure(error) }
                await proxy.stop()
                try result.get()
            }
        }

        @Test func `a lost connection is dialed after 1, 2, 4, 8, 15 and 15 seconds, and comes back`() async throws {
            try await Self.with { lab, proxy in
                let clock = ManualClock()
                let host = try lab.host(port: proxy.port, clock: clock)
                try await host.link.connect()
                var states = host.link.updates().makeAsyncIterator()
                #expect(await states.next()?.connection == .connected)
                try await proxy.refuseConnections()
                try await proxy.cutAll()
                for (attempt, seconds) in [1, 2, 4, 8, 15, 15].enumerated() {
                    await clock.sleepers(1)
                    let wait = try #require(clock.nextDeadline).offset - clock.now.offset
                    #expect(wait == .seconds(seconds), "attempt \(attempt + 1)")
                    if attempt == 5 { try await proxy.acceptConnections() }
                    clock.advance(by: .seconds(seconds))
                }
                var trace: [ConnectionState] = []
                while let state = await states.next() {
                    if trace.last != state.connection { trace.append(state.connection) }
                    #expect((state.problem == nil) == (state.connection == .connected))
                    if state.connection == .connected, trace.count > 1 { break }
                }
                #expect(host.link.current.problem == nil)
                #expect(proxy.counters.connections == 2)
                let expected: [ConnectionState] = [1, 2, 4, 8, 15, 15].enumerated().flatMap { index, seconds in
                    [
                        .reconnecting(attempt: index + 1, delay: .seconds(seconds)),
                        .reconnecting(attempt: index + 1, delay: nil),
                    ]
                }
                #expect(trace.filter { $0 != .connected } == expected)
            }
        }

        @Test func `a deliberate end is never dialed again`() async throws {
            try await Self.with { lab, proxy in
                let clock = ManualClock()
                let host = try lab.host(port: proxy.port, clock: clock)
                let session = try await host.terminal("exec sleep 100", name: "sleep", size: .standard)
                await host.shutdown()
                #expect(await session.closure().reason != .exited)
                for _ in 0..<60 { clock.advance(by: .seconds(1)) }
                await host.link.foreground()
                await host.link.pathChanged()
                for _ in 0..<60 { clock.advance(by: .seconds(1)) }
                #expect(clock.sleeperCount == 0)
                #expect(host.link.current.connection == .disconnected(.deliberate))
                #expect(proxy.counters.connections == 1)
                // Also while it waits for its turn to reconnect.
                try await host.link.connect()
                try await proxy.cutAll()
                await clock.sleepers(1)
                await host.shutdown()
                clock.advance(by: .seconds(60))
                #expect(clock.sleeperCount == 0)
                #expect(proxy.counters.connections == 2)
            }
        }

        @Test func `a suspended link comes back in the foreground, with its sessions`() async throws {
            try await Self.with { lab, proxy in
                let host = try lab.host(port: proxy.port)
                let session = try await host.terminal("stty -echo; echo ready; cat", name: "cat", size: .standard)
                var text = TerminalText(session.output)
                try await text.read(through: "ready")
                await host.link.background()
                try await proxy.waitUntil { $0.openConnections == 0 }
                #expect(host.link.current.connection == .disconnected(.suspended))
                await host.link.pathChanged()
                #expect(host.link.current.connection == .disconnected(.suspended))
                await host.link.foreground()
                try await text.read(through: "ready")
                try await session.waitUntilOpen()
                try await session.write(Array("hello\n".utf8))
                try await text.read(through: "hello")
                #expect(proxy.counters.connections == 2)
                await session.close()
            }
        }

        @Test func `a changed path dials at once what waits for its turn`() async throws {
            try await Self.with { lab, proxy in
                let clock = ManualClock()
                let host = try lab.host(port: proxy.port, clock: clock)
                try await host.link.connect()
                try await proxy.cutAll()
                await clock.sleepers(1)
                await host.link.pathChanged()
                try await host.link.connect()
                #expect(clock.now.offset == .zero)
                #expect(proxy.counters.connections == 2)
            }
        }

        @Test(arguments: [true, false])
        func `a first dial that failed is made again when the app comes back or the network changes`(
            _ isForeground: Bool
        ) async throws {
            try await Self.with { lab, proxy in
                try await proxy.refuseConnections()
                let host = try lab.host(port: proxy.port, clock: ManualClock())
                #expect(await transportError { try await host.link.connect() }?.code == .connectionRefused)
                #expect(host.link.current.connection == .disconnected(.failed))
                try await proxy.acceptConnections()
                if isForeground { await host.link.foreground() } else { await host.link.pathChanged() }
                for await state in host.link.updates() where state.connection == .connected { break }
                #expect(host.link.current.problem == nil)
                #expect(proxy.counters.connections == 1)
            }
        }

        @Test func `a link that is kept comes by its schedule, and who waits is told of each failure`() async throws {
            try await Self.with { lab, proxy in
                try await proxy.refuseConnections()
                let clock = ManualClock()
                let host = try lab.host(port: proxy.port, clock: clock)
                await host.link.keep()
                #expect(await transportError { try await host.link.connect() }?.code == .connectionRefused)
                #expect(host.link.current.connection == .reconnecting(attempt: 1, delay: .seconds(1)))
                #expect(host.link.current.problem?.stableCode == "transport.connectionRefused")
                try await proxy.acceptConnections()
                await clock.sleepers(1)
                clock.advance(by: .seconds(1))
                for await state in host.link.updates() where state.connection == .connected { break }
                #expect(proxy.counters.connections == 1)
            }
        }

        @Test func `a connection that nobody answers on is found out in the foreground`() async throws {
            try await Self.with { lab, proxy in
                var configuration = try lab.configuration(port: proxy.port)
                configuration.probeTimeout = .seconds(3).patient
                let host = lab.host(configuration, clock: ManualClock())
                try await host.link.connect()
                // A living one passes the probe, with a channel open and without one.
                for command in [nil, "exec sleep 100"] {
                    let channel =
                        if let command { try await host.files.openChannel(command) } else { nil as (any ByteChannel)? }
                    await host.link.foreground()
                    await host.link.probeEnded()
                    #expect(host.link.current.connection == .connected)
                    await channel?.close()
                }
                try await proxy.vanishAll()
                let start = ContinuousClock.now
                await host.link.foreground()
                for await state in host.link.updates() where state.connection != .connected { break }
                #expect(ContinuousClock.now - start < .seconds(10).patient)
                #expect(host.link.current.problem?.stableCode == "transport.timeout")
            }
        }

        @Test func `five sessions on a server that allows two share three connections`() async throws {
            var options = ThrowawaySSHServer.Options()
            options.maxSessions = 2
            try await SSHLab.with(options) { lab in
                let host = try lab.host()
                let sessions = try await withThrowingTaskGroup(of: TerminalSession.self) { group in
                    for number in 0..<5 {
                        group.addTask {
                            try await host.terminal("stty -echo; echo ready; cat", name: "\(number)", size: .standard)
                        }
                    }
                    return try await group.reduce(into: []) { $0.append($1) }
                }
                for (number, session) in sessions.enumerated() {
                    var text = TerminalText(session.output)
                    try await text.read(through: "ready")
                    try await session.write(Array("hello \(number)\n".utf8))
                    try await text.read(through: "hello \(number)")
                }
                #expect(host.link.current.connectionCount == 3)
                #expect(host.link.current.channelsPerConnection == 2)
                #expect(host.link.current.problem == nil)
            }
        }

        @Test func `a hundred commands share one connection, and one after a reset finds another`() async throws {
            try await Self.with { lab, proxy in
                var configuration = try lab.configuration(port: proxy.port)
                configuration.reconnect = ReconnectPolicy(delays: [.milliseconds(10)])
                let host = lab.host(configuration)
                for number in 0..<100 { #expect(try await host.text(of: "echo \(number)") == "\(number)\n") }
                #expect(proxy.counters.connections == 1)
                for number in 0..<5 {
                    try await proxy.resetAll()
                    #expect(try await host.text(of: "echo again \(number)") == "again \(number)\n")
                }
                #expect(proxy.counters.connections == 6)
            }
        }

        @Test func `a link that is let go closes its connection`() async throws {
            try await Self.with { lab, proxy in
                func connect() async throws {
                    try await SSHHost(try lab.configuration(port: proxy.port)).link.connect()
                }
                try await connect()
                try await proxy.waitUntil { $0.connections == 1 && $0.openConnections == 0 }
            }
        }

        // MARK: Jump hosts

        @Test func `a host behind another one has its own pin, and comes back when the outer one was cut`() async throws
        {
            try await Self.with { outerLab, proxy in
                try await SSHLab.with { innerLab in
                    var outerConfiguration = try outerLab.configuration(port: proxy.port)
                    outerConfiguration.reconnect = ReconnectPolicy(delays: [.milliseconds(10)])
                    let outer = outerLab.host(outerConfiguration)
                    var configuration = try innerLab.configuration(jump: outer)
                    configuration.reconnect = ReconnectPolicy(delays: [.milliseconds(10)])
                    let inner = innerLab.host(configuration)
                    let session = try await inner.terminal("stty -echo; echo ready; cat", name: "cat", size: .standard)
                    var text = TerminalText(session.output)
                    try await text.read(through: "ready")

                    let pin = configuration.pin
                    #expect(pin.id == "[127.0.0.1]:\(proxy.port)/[127.0.0.1]:\(innerLab.server.port)")
                    #expect(
                        try await innerLab.pins.pinnedKeys(for: pin).map(\.line) == [innerLab.server.hostPublicKeyLine]
                    )

                    // Much passes both ways.
                    let bytes = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 13) }
                    let echo = try await inner.files.run(
                        "cat",
                        input: bytes,
                        outputLimit: 1 << 20,
                        timeout: .seconds(30).patient
                    )
                    #expect(echo.output == bytes)

                    var states = inner.link.updates().makeAsyncIterator()
                    #expect(await states.next()?.connection == .connected)
                    try await proxy.cutAll()
                    while let state = await states.next(), state.connection == .connected {}
                    try await text.read(through: "ready")
                    try await session.waitUntilOpen()
                    try await session.write(Array("back\n".utf8))
                    try await text.read(through: "back")
                    await session.close()

                    // Its own server's end is told as its own, and the outer one stands. It is up again before: of the
                    // many dials while the server goes down only the newest states are kept.
                    while let state = await states.next(), state.connection != .connected {}
                    try await innerLab.server.halt()
                    while let state = await states.next(), state.connection == .connected {}
                    let error = await transportError { _ = try await inner.text(of: "true", within: .seconds(1)) }
                    #expect(error?.code == .timeout)
                    #expect(outer.link.current.connection == .connected)
                    await inner.shutdown()
                }
            }
        }
    }
}
