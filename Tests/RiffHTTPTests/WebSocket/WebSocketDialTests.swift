// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffHTTP
import RiffTesting
import RiffTransport
import TestSupport
import Testing

extension InTurn {
    /// WebSockets over proxies, commands and SSH.
    @Suite(
        .enabled(if: ThrowawayProxy.isInstalled && ThrowawaySSHServer.isInstalled, "needs proxies and sshd"),
        .timeLimit(.minutes(3))
    )
    struct WebSocketDialTests {
        private static func echo(over dialer: any HostDialer) async throws {
            try await LoopbackWebServer.withServer { _ in
                .webSocket { socket in
                    while let message = try await socket.receive() { try await socket.send(message) }
                }
            } body: { server in
                let url = try WebSocketURL("ws://127.0.0.1:\(server.port)/")
                let socket = try await NIOWebSocketTransport(dialer: dialer).connect(WebSocketRequest(url))
                let large = [UInt8](repeating: 7, count: 1 << 20)
                try await socket.send(.text("hello"))
                #expect(try await socket.receive() == .text("hello"))
                try await socket.send(.binary(large))
                #expect(try await socket.receive() == .binary(large))
                try await socket.ping()
                await socket.close(.normal, reason: "done")
                #expect(try await socket.ending().code == .normal)
            }
        }

        @Test func `a WebSocket goes by SOCKS, CONNECT, a command and SSH`() async throws {
            let socks = try await ThrowawayProxy.socks(user: "me", password: "pw")
            try await Self.echo(
                over: SOCKSDialer(proxy: socks.address, login: ProxyLogin(user: "me", password: Secret("pw")))
            )
            await socks.stop()
            let http = try await ThrowawayProxy.http()
            try await Self.echo(over: HTTPConnectDialer(proxy: http.address))
            await http.stop()
            try await Self.echo(over: CommandDialer("nc %h %p"))
            try await SSHLab.with { try await Self.echo(over: $0.host().dialer) }
        }

        @Test func `who could not be reached is told, with the hop`() async throws {
            try await LoopbackPort.withRefusing { port in
                let request = WebSocketRequest(try WebSocketURL("ws://h.example:80/"))
                let proxied = SOCKSDialer(proxy: try HostAddress("127.0.0.1", port: port))
                let failed = try CommandDialer("sh -c 'echo no tailnet >&2; exit 4'")
                for (dialer, words) in [
                    (proxied as any HostDialer, "The SOCKS proxy 127.0.0.1:\(port), which was not reached"),
                    (failed, "ended with status 4: no tailnet"),
                ] {
                    let error = await transportError {
                        _ = try await NIOWebSocketTransport(dialer: dialer).connect(request)
                    }
                    #expect(error?.code == .webSocketNeverConnected)
                    #expect(error?.message.contains(words) == true, "\(String(describing: error))")
                }
            }
        }

        @Test func `a connect over a dialer keeps its deadline, and is cancelled`() async throws {
            try await GreetingServer.withServer([], closes: false) { server in
                let proxy = SOCKSDialer(proxy: try HostAddress("127.0.0.1", port: server.port))
                let transport = try NIOWebSocketTransport(dialer: proxy)
                var request = WebSocketRequest(try WebSocketURL("ws://h.example/"), connectDeadline: .milliseconds(300))
                let late = await transportError { _ = try await transport.connect(request) }
                #expect(late?.code == .webSocketNeverConnected)
                #expect(late?.message.contains("did not say within") == true, "\(String(describing: late))")
                request.connectDeadline = nil
                let silent = request
                let connecting = Task { try await transport.connect(silent).subprotocol }
                connecting.cancel()
                await #expect(throws: CancellationError.self) { try await connecting.value }
            }
        }

        @Test func `a zone is dialed and not told to the server`() throws {
            for text in ["ws://[FE80::1%25enP2p1s0]:3460/ws", "ws://[fe80::1%enP2p1s0]:3460/ws"] {
                let url = try WebSocketURL(text)
                #expect(url.endpoint.host == "fe80::1%enP2p1s0")
                #expect(url.endpoint.port == 3460)
                #expect(url.hostField == "[fe80::1]:3460")
                #expect(try HostAddress(url.endpoint.host, port: 1).name == "fe80::1%enP2p1s0")
            }
            #expect(try WebSocketURL("ws://[::1]/").hostField == "[::1]")
            #expect(try WebSocketURL("ws://H%25x:1/").hostField == "h%25x:1")
        }
    }
}
