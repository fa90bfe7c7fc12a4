// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffTesting
import RiffTransport
import TestSupport
import Testing

extension RealServers {
    /// Real proxies, and what answers in the place of one.
    @Suite(.enabled(if: ThrowawayProxy.isInstalled, "needs ssh, microsocks, tinyproxy and nc"))
    struct ProxyDialerTests {
        enum Kind: CaseIterable {
            case microsocks, ssh5, ssh4a, tinyproxy
        }

        /// A proxy of a kind, on a machine with a server.
        static func with(
            _ kind: Kind,
            _ body: (SSHLab, any HostDialer, ThrowawayProxy) async throws -> Void
        ) async throws {
            try await SSHLab.with { lab in
                let proxy: ThrowawayProxy
                switch kind {
                case .microsocks: proxy = try await .socks(user: "me", password: "s3cret")
                case .ssh5, .ssh4a: proxy = try await .ssh(through: lab.server, key: lab.key)
                case .tinyproxy: proxy = try await .http(user: "me", password: "s3cret")
                }
                let login = ProxyLogin(user: "me", password: Secret("s3cret"))
                let dialer: any HostDialer =
                    switch kind {
                    case .microsocks: SOCKSDialer(proxy: proxy.address, login: login)
                    case .ssh5: SOCKSDialer(proxy: proxy.address)
                    case .ssh4a: SOCKSDialer(proxy: proxy.address, version: .socks4a)
                    case .tinyproxy: HTTPConnectDialer(proxy: proxy.address, login: login)
                    }
                let result: Result<Void, any Error>
                do { result = .success(try await body(lab, dialer, proxy)) } catch { result = .failure(error) }
                await proxy.stop()
                try result.get()
            }
        }

        @Test(arguments: Kind.allCases)
        func `real proxies keep the contract`(kind: Kind) async throws {
            try await Self.with(kind) { _, dialer, proxy in
                for check in HostDialerConformance.checks {
                    // tinyproxy and microsocks close both ways when one of them ends.
                    let isWhole = kind == .ssh5 || kind == .ssh4a
                    if !isWhole, check.name == "closesOneWay" { continue }
                    do {
                        try await check.run(HostDialerConformance(dialer))
                    } catch {
                        Issue.record("\(kind), \(check): \(error)\n\(proxy.log.suffix(1500))")
                    }
                }
            }
        }

        @Test(arguments: Kind.allCases)
        func `a host is reached through it by name, with commands, terminals and files`(kind: Kind) async throws {
            try await Self.with(kind) { lab, dialer, _ in
                var configuration = try lab.configuration()
                configuration.address = try HostAddress("localhost", port: lab.server.port)
                configuration.dialer = dialer
                try await SSHConformanceTests.runAll(
                    on: lab,
                    by: lab.host(configuration),
                    atOnce: 4,
                    only: [
                        "terminal: echoesBothWays", "terminal: carriesALargePaste", "terminal: losesNoOutput",
                        "channel: passesEveryByte", "channel: cancelsASuspendedWrite", "channel: tellsHowItEnded",
                    ]
                )
                let host = lab.host(configuration)
                let file = "\(try #require(lab.server as? ThrowawaySSHServer).folder)/dialed"
                try await host.write(Array("bytes".utf8), to: file, permissions: nil)
                #expect(try await host.read(file, from: 0, count: 10) == Array("bytes".utf8))
            }
        }

        @Test func `a proxy behind a proxy`() async throws {
            let first = try await ThrowawayProxy.http()
            try await Self.with(.microsocks) { lab, _, proxy in
                let dialer = SOCKSDialer(
                    proxy: proxy.address,
                    login: ProxyLogin(user: "me", password: Secret("s3cret")),
                    over: HTTPConnectDialer(proxy: first.address)
                )
                var configuration = try lab.configuration()
                configuration.dialer = dialer
                #expect(try await lab.host(configuration).run("echo there").text == "there\n")
                #expect(first.log.contains("CONNECT \(proxy.address.endpoint)"))
            }
            await first.stop()
        }

        @Test func `a wrong login is told, tried once, and shows no password`() async throws {
            for kind in [Kind.microsocks, .tinyproxy] {
                try await Self.with(kind) { lab, _, proxy in
                    let wrong = ProxyLogin(user: "me", password: Secret("wr0ng"))
                    for login in [wrong, nil] {
                        let dialer: any HostDialer =
                            kind == .microsocks
                            ? SOCKSDialer(proxy: proxy.address, login: login)
                            : HTTPConnectDialer(proxy: proxy.address, login: login)
                        var configuration = try lab.configuration()
                        configuration.dialer = dialer
                        let host = lab.host(configuration)
                        let error = await transportError { try await host.connect() }
                        #expect(error?.code == .proxyNotAuthorized, "\(kind): \(String(describing: error))")
                        #expect(error?.recovery?.setting == .proxy)
                        #expect(error?.message.contains("wr0ng") == false)
                        #expect(!"\(String(reflecting: dialer))".contains("wr0ng"))
                        // Nobody's waiting makes the password right.
                        #expect(host.current.connection == .disconnected(.failed))
                    }
                }
            }
        }

        @Test func `who could not be reached is told: the host, its port, its name, or the proxy`() async throws {
            try await LoopbackPort.withRefusing { closed in
                try await Self.with(.microsocks) { lab, dialer, proxy in
                    let refused = await transportError {
                        _ = try await dialer.dial(HostAddress("127.0.0.1", port: closed), within: .seconds(10))
                    }
                    #expect(refused?.code == .connectionRefused)
                    #expect(refused?.message.contains("reached 127.0.0.1") == true, "\(String(describing: refused))")
                    let unknown = await transportError {
                        _ = try await dialer.dial(HostAddress("riff.invalid"), within: .seconds(20))
                    }
                    // microsocks has one answer for whatever it did not foresee.
                    #expect(unknown?.code == .proxyRefused)
                    let words = "\(proxy.address.endpoint) does not connect to riff.invalid: it failed with code 1"
                    #expect(unknown?.message.contains(words) == true, "\(String(describing: unknown))")
                }
                try await Self.with(.tinyproxy) { _, dialer, proxy in
                    let refused = await transportError {
                        _ = try await dialer.dial(HostAddress("127.0.0.1", port: closed), within: .seconds(10))
                    }
                    #expect(refused?.code == .proxyRefused)
                    #expect(refused?.message.contains("500 (Unable to connect)") == true)
                }
                for over in [
                    SOCKSDialer(proxy: try HostAddress("127.0.0.1", port: closed)) as any HostDialer,
                    HTTPConnectDialer(proxy: try HostAddress("127.0.0.1", port: closed)),
                ] {
                    let error = await transportError { _ = try await over.dial(HostAddress("h"), within: .seconds(10)) }
                    #expect(error?.code == .proxyUnreachable)
                    #expect(error?.message.contains("proxy 127.0.0.1:\(closed), which was not reached") == true)
                }
            }
        }

        @Test func `a proxy that allows only some ports says so`() async throws {
            let proxy = try await ThrowawayProxy.http(onlyTo: [443])
            let error = await transportError {
                _ = try await HTTPConnectDialer(proxy: proxy.address)
                    .dial(HostAddress("127.0.0.1", port: 22), within: .seconds(10))
            }
            #expect(error?.code == .proxyRefused)
            #expect(error?.message.contains("403 (Access violation)") == true, "\(String(describing: error))")
            await proxy.stop()
        }

        // MARK: What is no proxy

        private static func dialers(_ port: Int) throws -> [any HostDialer] {
            let address = try HostAddress("127.0.0.1", port: port)
            return [
                SOCKSDialer(proxy: address), SOCKSDialer(proxy: address, version: .socks4a),
                HTTPConnectDialer(proxy: address),
            ]
        }

        @Test(arguments: [
            Array("SSH-2.0-OpenSSH_9.2\r\n".utf8), Array("220 mail ESMTP\r\n".utf8), [0xFF, 0xFE, 0, 1, 2, 3],
            [UInt8](repeating: 0x41, count: 100_000),
        ])
        func `what is no proxy is told`(greeting: [UInt8]) async throws {
            try await GreetingServer.with(greeting, closes: false) { port in
                for dialer in try Self.dialers(port) {
                    let error = await transportError {
                        await (try dialer.dial(HostAddress("h.example"), within: .seconds(10))).abort()
                    }
                    #expect(error?.code == .proxyFailed, "\(String(describing: error))")
                    #expect(error?.message.contains("127.0.0.1:\(port) is no ") == true)
                }
            }
        }

        @Test func `a proxy that hangs costs the limit, and one that hangs up is told at once`() async throws {
            try await GreetingServer.with([], closes: false) { port in
                for dialer in try Self.dialers(port) {
                    let took = await ContinuousClock().measure {
                        let error = await transportError {
                            _ = try await dialer.dial(HostAddress("h.example"), within: .milliseconds(300))
                        }
                        #expect(error?.code == .timeout)
                        #expect(error?.message.contains("took the connection") == true)
                    }
                    #expect(took >= .milliseconds(290) && took < .seconds(3).patient)
                }
            }
            try await GreetingServer.with([], closes: true) { port in
                for dialer in try Self.dialers(port) {
                    let error = await transportError {
                        _ = try await dialer.dial(HostAddress("h.example"), within: .seconds(30))
                    }
                    #expect(error?.code == .proxyFailed)
                    #expect(error?.message.contains("hung up") == true, "\(String(describing: error))")
                }
            }
        }

        /// A web server that answers CONNECT with a page is taken for a tunnel, and then for what it is.
        @Test func `a server that says 200 to everything is no SSH server`() async throws {
            let page = Array("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<html>hello</html>\n".utf8)
            try await GreetingServer.with(page, closes: true) { port in
                try await SSHLab.with { lab in
                    var configuration = try lab.configuration()
                    configuration.dialer = HTTPConnectDialer(proxy: try HostAddress("127.0.0.1", port: port))
                    let host = lab.host(configuration)
                    let error = await transportError { try await host.connect() }
                    #expect(error?.message.contains("is not an SSH server") == true, "\(String(describing: error))")
                }
            }
        }

        /// A proxy whose answer lacks its last byte, and waits.
        @Test func `an answer that never ends is a timeout that names the proxy`() async throws {
            try await GreetingServer.with(Array("HTTP/1.1 200 Connection Established\r\n\r".utf8), closes: false) {
                port in
                let dialer = HTTPConnectDialer(proxy: try HostAddress("127.0.0.1", port: port))
                let error = await transportError {
                    _ = try await dialer.dial(HostAddress("h.example"), within: .milliseconds(300))
                }
                #expect(error?.code == .timeout)
                #expect(error?.message.contains("The HTTP proxy 127.0.0.1:\(port) took the connection") == true)
            }
        }

        /// The server greets at once, so that its banner follows the proxy's answer in one piece.
        @Test(arguments: Kind.allCases)
        func `a banner right behind the proxy's answer is not lost`(kind: Kind) async throws {
            try await GreetingServer.with(Array("SSH-2.0-early\r\n".utf8), closes: true) { port in
                try await Self.with(kind) { _, dialer, _ in
                    for _ in 0..<20 {
                        let channel = try await dialer.dial(HostAddress("127.0.0.1", port: port), within: .seconds(10))
                        #expect(try await channel.output.collect(upTo: 100) == Array("SSH-2.0-early\r\n".utf8))
                        await channel.close()
                    }
                }
            }
        }

        @Test func `a dial is cancelled in each of its stages, and nothing of it stays`() async throws {
            // The proxy does not answer the connection; does not answer the handshake.
            try await LoopbackPort.withFullBacklog { port in
                for dialer in try Self.dialers(port) { try await Self.cancel(dialer) }
            }
            try await GreetingServer.withServer([], closes: false) { server in
                for dialer in try Self.dialers(server.port) { try await Self.cancel(dialer) }
                // The proxy sees the end of what was cancelled: an end or a reset.
                #expect([0, ECONNRESET].contains(server.readToEnd()))
            }
            // The host behind the proxy says nothing.
            try await GreetingServer.with([], closes: false) { silent in
                try await Self.with(.microsocks) { lab, dialer, _ in
                    var configuration = try lab.configuration(port: silent)
                    configuration.dialer = dialer
                    let host = lab.host(configuration)
                    let connecting = Task { try await host.connect() }
                    try await waitUntil { host.current.connection == .connecting }
                    connecting.cancel()
                    await #expect(throws: CancellationError.self) { try await connecting.value }
                    await host.shutdown()
                }
            }
        }

        private static func cancel(_ dialer: any HostDialer) async throws {
            let dialing = Task {
                await (try dialer.dial(HostAddress("h.example"), within: .seconds(600))).abort()
            }
            // Soon enough for each stage; an earlier one passes too.
            for _ in 0..<20 { try await waitUntil { true } }
            dialing.cancel()
            await #expect(throws: CancellationError.self) { try await dialing.value }
        }

        @Test func `a login that the protocol cannot carry is refused before anything is dialed`() async throws {
            try await LoopbackPort.withRefusing { port in
                let proxy = try HostAddress("127.0.0.1", port: port)
                let long = String(repeating: "a", count: 256)
                let dialers: [any HostDialer] = [
                    SOCKSDialer(proxy: proxy, login: ProxyLogin(user: "", password: Secret(""))),
                    SOCKSDialer(proxy: proxy, login: ProxyLogin(user: long, password: Secret(""))),
                    SOCKSDialer(proxy: proxy, login: ProxyLogin(user: "me", password: Secret(long))),
                    SOCKSDialer(
                        proxy: proxy,
                        version: .socks4a,
                        login: ProxyLogin(user: "me", password: Secret("pw"))
                    ),
                    SOCKSDialer(
                        proxy: proxy,
                        version: .socks4a,
                        login: ProxyLogin(user: "a\u{0}b", password: Secret(""))
                    ),
                    HTTPConnectDialer(proxy: proxy, login: ProxyLogin(user: "a:b", password: Secret("pw"))),
                ]
                for dialer in dialers {
                    let error = await transportError {
                        _ = try await dialer.dial(HostAddress("h"), within: .seconds(5))
                    }
                    #expect(error?.code == .dialerUnusable)
                }
                let zone = await transportError {
                    _ = try await SOCKSDialer(proxy: proxy).dial(HostAddress("fe80::1%en0"), within: .seconds(5))
                }
                #expect(zone?.code == .proxyRefused)
            }
        }
    }
}
