// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffSSH
import RiffTesting
import Testing

/// Dropbear has neither GCM nor codes of the encrypted packet (2022.83).
@Suite(.timeLimit(.minutes(2)))
struct DropbearInteropTests {
    private static let cells =
        InteropCell.named(
            ["curve25519-sha256", "ecdh-sha2-nistp256", "ecdh-sha2-nistp384", "ecdh-sha2-nistp521"],
            in: InteropCell.keyExchanges
        ) + InteropCell.named(["aes128-ctr", "aes256-ctr"], in: InteropCell.ciphers)
        + InteropCell.named(["hmac-sha2-256"], in: InteropCell.macs) + [InteropCell.compression]

    @Test(.enabled("needs dropbear and mount namespaces") { await ThrowawayDropbear.isAvailable() }, arguments: cells)
    func `a connection with one algorithm alone`(cell: InteropCell) async throws {
        try await Self.check(cell, hostKeyType: "ed25519")
    }

    @Test(
        .enabled("needs dropbear and mount namespaces") { await ThrowawayDropbear.isAvailable() },
        arguments: [("ed25519", "ssh-ed25519"), ("ecdsa", "ecdsa-sha2-nistp256"), ("rsa", "rsa-sha2-256")]
    )
    func `a host key of each type`(type: String, algorithm: String) async throws {
        let cell = try #require(InteropCell.hostKeys.first { $0.name == algorithm })
        try await Self.check(cell, hostKeyType: type)
    }

    private static func check(_ cell: InteropCell, hostKeyType: String) async throws {
        var options = ThrowawayDropbear.Options()
        options.hostKeyType = hostKeyType
        let server = try await ThrowawayDropbear.start(options)
        let result: Result<Void, any Error>
        do {
            try server.authorize(PrivateKeyFixtures.aes256CBC.publicLine)
            let user = server.user
            let line = try server.hostPublicKeyLine
            result = .success(
                try await BlockingSSHClient.with(port: server.port, cell.configuration) { client in
                    try client.logIn(user, with: .key(interopKey.get().signingKey), hostKey: line)
                    try cell.check(&client)
                }
            )
        } catch {
            result = .failure(error)
        }
        await server.stop()
        try result.get()
    }
}
