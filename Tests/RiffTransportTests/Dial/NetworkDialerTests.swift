// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffTesting
import RiffTransport
import TestSupport
import Testing

extension InTurn {
    /// Sockets of the system, and addresses of which some are dead.
    @Suite(.timeLimit(.minutes(3)))
    struct NetworkDialerTests {
        @Test(arguments: HostDialerConformance.checks)
        func `sockets keep the contract`(check: ConformanceCheck<HostDialerConformance>) async throws {
            try await check.run(HostDialerConformance(.network))
        }

        @Test(arguments: HostDialerConformance.checks)
        func `a dialer in memory keeps the contract`(check: ConformanceCheck<HostDialerConformance>) async throws {
            let dialer = InMemoryDialer { try await NetworkDialer().dial($0, within: .seconds(600)) }
            try await check.run(HostDialerConformance(dialer))
            await dialer.shutdown()
        }

        /// A name with an IPv6 address that never answers, and an IPv4 address that does: RFC 8305.
        @Test(.enabled("needs ::1") { await hasIPv6() })
        func `an address that is dead on IPv6 and alive on IPv4 connects in under 400 ms`() async throws {
            let server = try EchoServer()
            try await LoopbackPort.withFullBacklog(on: "::1") { dead in
                var dialer = NetworkDialer()
                dialer.addresses = FixedAddresses(
                    ipv6: [try HostAddress("::1", port: dead)],
                    ipv4: [try HostAddress("127.0.0.1", port: server.port)]
                )
                var times: [Duration] = []
                for _ in 0..<5 {
                    let start = ContinuousClock.now
                    let channel = try await dialer.dial(HostAddress("both.example"), within: .seconds(10))
                    times.append(ContinuousClock.now - start)
                    try await channel.write([1, 2, 3])
                    try await channel.finishWriting()
                    #expect(try await channel.output.collect(upTo: 10) == [1, 2, 3])
                    await channel.close()
                }
                times.sort()
                #expect(times[2] < .milliseconds(400).patient, "\(times)")
                // It was tried first, or there was nothing to be eager about.
                #expect(times[0] >= .milliseconds(200), "\(times)")
            }
            await server.stop()
        }

        @Test(.enabled("needs ::1") { await hasIPv6() })
        func `an address that refuses on IPv6 costs nothing`() async throws {
            let server = try EchoServer()
            try await LoopbackPort.withRefusing { port in
                var dialer = NetworkDialer()
                dialer.addresses = FixedAddresses(
                    ipv6: [try HostAddress("::1", port: port)],
                    ipv4: [try HostAddress("127.0.0.1", port: server.port)]
                )
                let took = try await ContinuousClock().measure {
                    await (try dialer.dial(HostAddress("both.example"), within: .seconds(10))).close()
                }
                #expect(took < .milliseconds(200).patient, "\(took)")
            }
            await server.stop()
        }

        @Test func `where one address refuses and another has no way, the refusal is told`() async throws {
            try await LoopbackPort.withRefusing { port in
                for ipv6 in ["100::1", "::ffff:0.0.0.1", "fe80::1"] {
                    var dialer = NetworkDialer()
                    dialer.addresses = FixedAddresses(
                        ipv6: [try HostAddress(ipv6, port: port)],
                        ipv4: [try HostAddress("127.0.0.1", port: port)]
                    )
                    let error = await transportError {
                        _ = try await dialer.dial(HostAddress("both.example", port: port), within: .seconds(2))
                    }
                    // 100:: may be dropped on its way instead, and then time runs out.
                    #expect(error?.code == .connectionRefused || (ipv6 == "100::1" && error?.code == .unreachable))
                }
            }
        }

        @Test func `a name that means nothing is told`() async throws {
            let error = await transportError {
                _ = try await NetworkDialer().dial(HostAddress("riff.invalid"), within: .seconds(20))
            }
            #expect(error?.code == .hostNotFound)
        }

        @Test(.enabled(if: linkLocal != nil, "needs an interface with an address of its link"))
        func `an address with a zone is dialed on that interface, and only with it`() async throws {
            let address = try #require(Self.linkLocal)
            var options = ThrowawaySSHServer.Options()
            options.listenAddress = address
            try await SSHLab.with(options) { lab in
                let host = try lab.host()
                #expect(host.configuration.address.name == address)
                #expect(try await host.run("echo there").text == "there\n")
                let elsewhere = try HostAddress(address.replacing("%", with: "%riff"), port: lab.server.port)
                let error = await transportError { _ = try await NetworkDialer().dial(elsewhere, within: .seconds(5)) }
                #expect(error != nil)
            }
        }

        /// `fe80::1%eth0`, of the first interface that is up and has one.
        private static let linkLocal: String? = {
            // Address, index, prefix, scope, flags, name: one line each.
            guard let text = try? String(contentsOfFile: "/proc/net/if_inet6", encoding: .utf8) else { return nil }
            for line in text.split(separator: "\n") {
                let fields = line.split(separator: " ")
                guard fields.count == 6, fields[3] == "20", fields[4] == "80" else { continue }
                let digits = Array(fields[0])
                let groups = stride(from: 0, to: 32, by: 4).map { String(digits[$0..<($0 + 4)]) }
                return groups.joined(separator: ":") + "%" + fields[5]
            }
            return nil
        }()

        private static func hasIPv6() async -> Bool {
            (try? await LoopbackPort.withFullBacklog(on: "::1") { _ in true }) ?? false
        }
    }
}
