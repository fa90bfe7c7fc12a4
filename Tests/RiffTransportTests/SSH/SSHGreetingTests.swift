// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffTesting
import RiffTransport
import TestSupport
import Testing

extension InTurn {
    /// What a dial says about servers that do not speak SSH, or not to us.
    @Suite(.timeLimit(.minutes(5))) struct SSHGreetingTests {
        struct Case: Sendable, CustomTestStringConvertible {
            let testDescription: String
            let greeting: [UInt8]
            let closes: Bool
            let code: TransportError.Code

            init(_ name: String, _ greeting: [UInt8], closes: Bool = true, _ code: TransportError.Code) {
                testDescription = name
                self.greeting = greeting
                self.closes = closes
                self.code = code
            }
        }

        static let cases = [
            Case("closes at once", [], .droppedBeforeBanner),
            Case("has too many new connections", Array("Exceeded MaxStartups\r\n".utf8), .droppedBeforeBanner),
            Case("penalises this address", Array("Not allowed at this time\r\n".utf8), .droppedBeforeBanner),
            Case("never speaks", [], closes: false, .timeout),
            Case("speaks HTTP", Array("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n".utf8), .notSSHServer),
            Case("speaks something binary", (0..<4096).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ 3) }, .notSSHServer),
            Case("sends nothing but zeros", [UInt8](repeating: 0, count: 4096), .notSSHServer),
            Case(
                "talks without end",
                Array(String(repeating: "welcome\r\n", count: 4000).utf8),
                closes: false,
                .timeout
            ),
            Case("identifies itself and closes", Array("SSH-2.0-Test\r\n".utf8), .connectionLost),
            Case("identifies itself and waits", Array("SSH-2.0-Test\r\n".utf8), closes: false, .timeout),
            Case(
                "identifies itself and sends garbage",
                Array("SSH-2.0-Test\r\n".utf8) + (0..<4096).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ 200) },
                closes: false,
                .sshProtocol
            ),
            Case(
                "sends a packet of two gigabytes",
                Array("SSH-2.0-Test\r\n".utf8) + [0x7F, 0xFF, 0xFF, 0xFF, 4, 20] + [UInt8](repeating: 1, count: 4096),
                closes: false,
                .sshProtocol
            ),
        ]

        @Test(arguments: cases)
        func `a server that`(case: Case) async throws {
            try await GreetingServer.with(`case`.greeting, closes: `case`.closes) { port in
                var configuration = SSHHost.Configuration(
                    address: try HostAddress("127.0.0.1", port: port),
                    user: "nobody",
                    credentials: [.key(.makeEd25519())],
                    trust: .firstUse(InMemoryHostKeyStore())
                )
                configuration.connectTimeout = `case`.code == .timeout ? .seconds(1) : .seconds(30)
                let host = SSHHost(configuration)
                let start = ContinuousClock.now
                let error = await transportError { try await host.link.connect() }
                // The engine in Swift gives a server up that says so much before it says what it is; libssh2 waits for
                // more.
                let isGivenUp = error?.code == .notSSHServer && `case`.greeting.count > 16 * 1024
                #expect(isGivenUp || error?.code == `case`.code, "\(String(describing: error))")
                #expect(ContinuousClock.now - start < .seconds(20))
                await host.shutdown()
            }
        }

        /// Else the system would go on sending what is on its way, past the connection that comes next.
        @Test func `a connection that is taken for dead is reset`() async throws {
            try await GreetingServer.withServer([], closes: false) { server in
                var configuration = try GreetingServer.configuration(port: server.port)
                configuration.connectTimeout = .seconds(2)
                let error = await transportError { try await SSHHost(configuration).link.connect() }
                #expect(error?.code == .timeout)
                #expect(server.readToEnd() == ECONNRESET)
            }
        }

        @Test func `a port on which nothing listens`() async throws {
            try await LoopbackPort.withRefusing { port in
                let host = SSHHost(try GreetingServer.configuration(port: port))
                let error = await transportError { try await host.link.connect() }
                #expect(error?.code == .connectionRefused)
                #expect(host.link.current.connection == .disconnected(.failed))
                #expect(host.link.current.problem?.stableCode == "transport.connectionRefused")
            }
        }

        @Test func `a host that does not answer at all`() async throws {
            try await LoopbackPort.withFullBacklog { port in
                var configuration = try GreetingServer.configuration(port: port)
                configuration.connectTimeout = .milliseconds(300)
                let error = await transportError { try await SSHHost(configuration).link.connect() }
                #expect(error?.code == .unreachable)
                #expect(error?.recovery?.kind == .checkNetwork)
            }
        }

        @Test func `a name that does not exist`() async throws {
            var configuration = try GreetingServer.configuration(port: 22)
            configuration.address = try HostAddress("riff-no-such-host.invalid")
            let error = await transportError { try await SSHHost(configuration).link.connect() }
            #expect(error?.code == .hostNotFound)
        }

        @Test func `a dial that is cancelled ends at once and leaves nothing`() async throws {
            try await GreetingServer.with([], closes: false) { port in
                let host = SSHHost(try GreetingServer.configuration(port: port))
                let dial = Task { try await host.link.connect() }
                for await state in host.link.updates() where state.connection == .connecting { break }
                dial.cancel()
                await #expect(throws: CancellationError.self) { try await dial.value }
                await host.shutdown()
                #expect(host.link.current.connectionCount == 0)
            }
        }
    }
}
