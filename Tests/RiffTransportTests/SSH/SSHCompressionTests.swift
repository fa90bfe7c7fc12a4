// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffTesting
import RiffTransport
import TestSupport
import Testing

extension RealServers {
    @Suite(.enabled(if: ThrowawaySSHServer.isInstalled, "needs sshd"), .timeLimit(.minutes(3)))
    struct SSHCompressionTests {
        /// What a text of 2 MB puts on the wire, and what the server says of the compression.
        private static func measure(_ compresses: Bool, allowed: String = "yes") async throws -> (Int, String) {
            var options = ThrowawaySSHServer.Options()
            options.logLevel = "DEBUG"
            options.extraLines = ["Compression \(allowed)"]
            let server = try await ThrowawaySSHServer.start(options)
            var result = (0, "")
            try await SSHLab.with(server) { lab in
                let proxy = try await ChaosProxy.start(target: server.port)
                var configuration = try lab.configuration(port: proxy.port)
                configuration.compresses = compresses
                let host = lab.host(configuration)
                let text = try await host.files.run(
                    "i=0; while [ $i -lt 20000 ]; do echo \"line $i of a transcript that says the same again and again\"; "
                        + "i=$((i+1)); done",
                    input: [],
                    outputLimit: 4 << 20,
                    timeout: .seconds(60).patient
                ).text
                #expect(text.hasPrefix("line 0 of") && text.utf8.count > 1_200_000)
                #expect(text.hasSuffix("line 19999 of a transcript that says the same again and again\n"))
                // And the other way.
                let input = Array(text.utf8)
                let count = try await host.files.run(
                    "wc -c",
                    input: input,
                    outputLimit: 100,
                    timeout: .seconds(60).patient
                ).text
                #expect(Int(count.split(separator: "\n")[0].filter(\.isNumber)) == input.count)
                let counters = proxy.counters
                let log = server.log.split(separator: "\n").filter { $0.contains("kex:") }.joined(separator: "\n")
                result = (counters.bytesToClient + counters.bytesToTarget, log)
                await proxy.stop()
            }
            return result
        }

        @Test func `compression is agreed on where both want it, and less goes over the wire`() async throws {
            let plain = try await Self.measure(false)
            let packed = try await Self.measure(true)
            #expect(plain.1.contains("compression: none") && !plain.1.contains("compression: zlib@openssh.com"))
            #expect(packed.1.contains("compression: zlib@openssh.com"))
            #expect(!packed.1.contains("compression: none"))
            #expect(packed.0 * 4 < plain.0, "\(packed.0) bytes instead of \(plain.0)")
            print("SSH: \(plain.0) bytes on the wire without compression, \(packed.0) with it")
        }

        @Test func `a server that does not want it is used without`() async throws {
            let refused = try await Self.measure(true, allowed: "no")
            #expect(refused.1.contains("compression: none") && !refused.1.contains("compression: zlib@openssh.com"))
        }
    }
}
