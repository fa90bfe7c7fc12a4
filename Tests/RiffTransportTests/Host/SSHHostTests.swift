// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffSessions
import RiffTesting
import RiffTransport
import TestSupport
import Testing

/// A host over a real sshd.
@Suite(.enabled(if: ThrowawaySSHServer.isInstalled, "sshd is not installed"), .timeLimit(.minutes(5)))
struct SSHHostTests {
    static func withHost(
        _ options: ThrowawaySSHServer.Options = ThrowawaySSHServer.Options(),
        _ body: (SSHHost, ThrowawaySSHServer) async throws -> Void
    ) async throws {
        let server = try await ThrowawaySSHServer.start(options)
        let key = SSHPrivateKey.makeEd25519(comment: "test")
        let host: SSHHost
        do {
            try server.authorize(try #require(key.publicKey).line)
            host = try SSHHost(
                server.host,
                port: server.port,
                user: server.user,
                key: key,
                trust: .firstUse(InMemoryHostKeyStore())
            )
            try await body(host, server)
        } catch {
            await server.stop()
            throw error
        }
        await host.shutdown()
        await server.stop()
    }

    @Test func `a command runs to its end`() async throws {
        try await Self.withHost { host, _ in
            let result = try await host.files.run(
                "echo hello; echo oops >&2; exit 3",
                input: [],
                outputLimit: 1 << 20,
                timeout: .seconds(10).patient
            )
            #expect(result.text == "hello\n")
            #expect(result.diagnosticText == "oops\n")
            #expect(result.exit == .exited(3))
        }
    }

    @Test func `a terminal draws and takes keys`() async throws {
        try await Self.withHost { host, _ in
            let session = try await host.terminal("stty raw -echo; echo ready; cat", name: "cat", size: .standard)
            var iterator = session.output.makeAsyncIterator()
            var text = ""
            while !text.contains("ready"), let bytes = await iterator.next() {
                text += String(decoding: bytes, as: UTF8.self)
            }
            try await session.write(Array("hello".utf8))
            while !text.contains("hello"), let bytes = await iterator.next() {
                text += String(decoding: bytes, as: UTF8.self)
            }
            #expect(text.contains("hello"))
            await session.close()
        }
    }
}
