// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffTesting
import RiffTransport
import TestSupport
import Testing

extension RealServers {
    /// A person takes a key's line out of `authorized_keys`.
    @Suite struct RevocationTests {
        @Test func `a key whose line was deleted gets in no more, and the key beside it does`() async throws {
            let server = try await ThrowawaySSHServer.start()
            try await SSHLab.with(server) { lab in
                let other = SSHPrivateKey.makeEd25519(comment: "tablet")
                let line = try #require(lab.key.publicKey).line
                try server.authorize(try #require(other.publicKey).line)
                let before = try lab.host()
                #expect(try await before.text(of: "echo in") == "in\n")

                let file = "\(server.folder)/authorized_keys"
                let lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").map(String.init)
                #expect(lines.contains(line))
                let kept = lines.filter { $0 != line }.map { "\($0)\n" }.joined()
                try kept.write(toFile: file, atomically: true, encoding: .utf8)

                // Another connection, and then the one that stood, once it is made anew.
                let error = await transportError { try await lab.host().connect() }
                #expect(error?.code == .notAuthorized)
                #expect(error?.recovery?.kind == .authorizeKey)
                #expect(try await before.text(of: "echo still") == "still\n")
                await before.shutdown()
                #expect(await transportError { try await before.connect() }?.code == .notAuthorized)
                #expect(before.current.connection == .disconnected(.failed))
                // The network and the app come back as often as they like: no other try is made.
                await before.pathChanged()
                await before.foreground()
                #expect(before.current.connection == .disconnected(.failed))

                let tablet = lab.host(try lab.configuration(credentials: [.key(other)]))
                #expect(try await tablet.text(of: "echo in") == "in\n")
                try server.authorize(line)
                try await before.connect()
            }
        }
    }
}
