// Riff
// SPDX-License-Identifier: Apache-2.0

import Crypto
import CryptoExtras
import RiffCore
import RiffSSH
import RiffTesting
import TestSupport
import Testing

@Suite(.enabled(if: ThrowawaySSHServer.isInstalled, "needs sshd"), .timeLimit(.minutes(2)))
struct OpenSSHInteropTests {
    private static func with(
        _ options: ThrowawaySSHServer.Options = ThrowawaySSHServer.Options(),
        _ body: (ThrowawaySSHServer) async throws -> Void
    ) async throws {
        let server = try await ThrowawaySSHServer.start(options)
        let result: Result<Void, any Error>
        do {
            try server.authorize(PrivateKeyFixtures.aes256CBC.publicLine)
            result = .success(try await body(server))
        } catch {
            result = .failure(error)
        }
        await server.stop()
        try result.get()
    }

    private static func check(_ cell: InteropCell, _ server: ThrowawaySSHServer) async throws {
        let user = server.user
        let lines = try server.hostPublicKeyLines()
        try await BlockingSSHClient.with(port: server.port, cell.configuration) { client in
            try client.logIn(user, with: .key(interopKey.get().signingKey), hostKey: lines.count == 1 ? lines[0] : nil)
            try cell.check(&client)
        }
    }

    // Post-quantum exchange came to OpenSSH with 9.9; asyncssh has it here.
    @Test(arguments: InteropCell.keyExchanges.dropFirst() + InteropCell.ciphers + InteropCell.macs)
    func `a connection with one algorithm alone`(cell: InteropCell) async throws {
        try await Self.with { try await Self.check(cell, $0) }
    }

    @Test(arguments: InteropCell.hostKeys)
    func `a host key of each type`(cell: InteropCell) async throws {
        try await KeyTool.withFolder { folder in
            let kinds = [
                "ssh-ed25519": ["-t", "ed25519"], "ecdsa-sha2-nistp256": ["-t", "ecdsa", "-b", "256"],
                "ecdsa-sha2-nistp384": ["-t", "ecdsa", "-b", "384"],
                "ecdsa-sha2-nistp521": ["-t", "ecdsa", "-b", "521"],
            ]
            let arguments = ["-q", "-N", "", "-f", "host"] + (kinds[cell.name] ?? ["-t", "rsa", "-b", "2048"])
            let made = try await KeyTool.run(KeyTool.keygen, arguments, in: folder)
            try #require(made.status == 0, "\(made.errors)")
            var options = ThrowawaySSHServer.Options()
            options.extraLines = ["HostKey \(folder)/host"]
            options.hostKeyTypes = []
            let line = try KeyTool.text("\(folder)/host.pub")
            try await Self.with(options) { server in
                let user = server.user
                try await BlockingSSHClient.with(port: server.port, cell.configuration) { client in
                    try client.logIn(user, with: .key(interopKey.get().signingKey), hostKey: line)
                    try cell.check(&client)
                }
            }
        }
    }

    static let userKeys: [(String, @Sendable () throws -> SSHSigningKey)] = [
        ("ed25519", { .ed25519(Curve25519.Signing.PrivateKey()) }), ("p256", { .p256(P256.Signing.PrivateKey()) }),
        ("p384", { .p384(P384.Signing.PrivateKey()) }), ("p521", { .p521(P521.Signing.PrivateKey()) }),
        ("rsa", { .rsa(try _RSA.Signing.PrivateKey(keySize: .bits2048)) }),
    ]

    @Test(arguments: userKeys.indices, [false, true])
    func `a user's key of each type, held here or by somebody else`(index: Int, isOutside: Bool) async throws {
        let key = try Self.userKeys[index].1()
        let published = try key.publicKey()
        try await Self.with { server in
            try server.authorize(published.line)
            let user = server.user
            try await BlockingSSHClient.with(port: server.port) { client in
                guard isOutside else {
                    try client.logIn(user, with: .key(key))
                    return #expect(try client.run("echo in").text == "in\n")
                }
                try client.next("host key") { if case .hostKey = $0 { () } else { nil } }
                try client.perform { try $0.acceptHostKey() }
                try client.perform { try $0.authenticate(user: user, with: .outsideKey(published, asksFirst: true)) }
                let (data, algorithm) = try client.next("question for a signature") {
                    if case .signatureNeeded(let data, let algorithm) = $0 { (data, algorithm) } else { nil }
                }
                let signature = try key.signature(of: data, by: algorithm)
                try client.perform { try $0.provide(signature: signature.bytes) }
                try client.next("success") { if case .authenticated = $0 { () } else { nil } }
            }
        }
    }

    @Test func `a terminal has its size, and a new one`() async throws {
        try await Self.with { server in
            let user = server.user
            try await BlockingSSHClient.with(port: server.port) { client in
                try client.logIn(user, with: .key(interopKey.get().signingKey))
                let terminal = SSHSessionRequest.terminal(type: "xterm-256color", columns: 101, rows: 37)
                let outcome = try client.run(
                    "stty size; echo $TERM",
                    before: [terminal, .resize(columns: 99, rows: 11)]
                )
                #expect(outcome.text == "11 99\r\nxterm-256color\r\n")
                #expect(outcome.refusedRequests == 0)
            }
        }
    }

    @Test(arguments: [false, true])
    func `new keys again and again, in the midst of output and input`(compresses: Bool) async throws {
        var options = ThrowawaySSHServer.Options()
        options.rekeyLimit = "16K"
        let cell = compresses ? InteropCell.compression : InteropCell("none") { _ in }
        try await Self.with(options) { server in
            let user = server.user
            try await BlockingSSHClient.with(port: server.port, cell.configuration) { client in
                try client.logIn(user, with: .key(interopKey.get().signingKey))
                // Bytes that zlib cannot make smaller, so that the limit is reached either way.
                var random = SystemRandomNumberGenerator()
                let input = (0..<(1 << 17)).flatMap { _ in withUnsafeBytes(of: random.next()) { Array($0) } }
                let outcome = try client.run("cat", input: input, window: 1 << 17)
                #expect(outcome.output == input)
                #expect(outcome.exit == .status(0))
                #expect(client.rekeys >= 8, "\(client.rekeys)")
                try cell.check(&client)
            }
        }
    }

    @Test func `compression makes what both send smaller`() async throws {
        try await Self.with { server in
            let user = server.user
            try await BlockingSSHClient.with(port: server.port, InteropCell.compression.configuration) { client in
                try client.logIn(user, with: .key(interopKey.get().signingKey))
                let before = (client.receivedBytes, client.sentBytes)
                let input = Array(String(repeating: "the same line again\n", count: 50_000).utf8)
                #expect(try client.run("cat", input: input).output == input)
                #expect(client.receivedBytes - before.0 < input.count / 20)
                #expect(client.sentBytes - before.1 < input.count / 20)
            }
        }
    }

    @Test func `connections are forwarded both ways`() async throws {
        try await Self.with { server in
            let user = server.user
            let port = server.port
            try await BlockingSSHClient.with(port: port) { client in
                try client.logIn(user, with: .key(interopKey.get().signingKey))
                // To somewhere: the server itself, which says its name.
                let away = try client.open(.tcp(host: "127.0.0.1", port: UInt16(port)))
                let greeting = try client.next("greeting") { event -> [UInt8]? in
                    if case .data(away, let bytes) = event { Array(bytes) } else { nil }
                }
                #expect(greeting.starts(with: Array("SSH-2.0-".utf8)))
                try client.perform { try $0.close(away) }
                try client.next("end") { if case .channelClosed(away) = $0 { () } else { nil } }

                // From somewhere to here, on a port of the server's choice.
                let request = try client.perform { try $0.forward(.tcp(address: "127.0.0.1", port: 0)) }
                let fields = try client.next("port") { event -> [UInt8]? in
                    if case .serverAnswered(request, let fields?) = event { fields } else { nil }
                }
                var reader = SSHWireReader(fields)
                let chosen = try reader.readUInt32()
                let visitor = try BlockingSSHClient(port: Int(chosen))
                defer { visitor.close() }
                let (channel, offer) = try client.next("offered channel") {
                    if case .channelOffered(let channel, let offer) = $0 { (channel, offer) } else { nil }
                }
                guard case .tcp(_, chosen, _, _) = offer else { return #expect(Bool(false), "\(offer)") }
                try client.perform { try $0.accept(channel) }
                // The visitor is a client of SSH's: it says its name, once it is driven.
                var moved = visitor
                _ = try moved.perform { $0.agreement == nil }
                let said = try client.next("what the visitor says") { event -> [UInt8]? in
                    if case .data(channel, let bytes) = event { Array(bytes) } else { nil }
                }
                #expect(said.starts(with: Array("SSH-2.0-Riff".utf8)))
            }
        }
    }

    @Test func `host keys that are announced are proved`() async throws {
        var options = ThrowawaySSHServer.Options()
        options.hostKeyTypes = ["ed25519", "ecdsa"]
        try await Self.with(options) { server in
            let user = server.user
            let lines = try server.hostPublicKeyLines()
            try await BlockingSSHClient.with(port: server.port) { client in
                try client.logIn(user, with: .key(interopKey.get().signingKey))
                let announced = try client.next("host keys") { event -> [SSHPublicKey]? in
                    if case .hostKeysAnnounced(let keys) = event { keys } else { nil }
                }
                #expect(Set(announced) == Set(try lines.map { try SSHPublicKey(line: $0) }))
                let number = try client.perform { try $0.proveHostKeys(announced) }
                let proved = try client.next("proof") { event -> [SSHPublicKey]? in
                    if case .hostKeysProved(number, let keys) = event { keys } else { nil }
                }
                #expect(proved == announced)
            }
        }
    }
}
