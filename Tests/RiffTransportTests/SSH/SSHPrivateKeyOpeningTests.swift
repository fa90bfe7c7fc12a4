// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffTransport
import TestSupport
import Testing

@Suite(.enabled(if: KeyTool.hasKeygen), .timeLimit(.minutes(1)))
struct SSHPrivateKeyOpeningTests {
    private static func make(_ arguments: [String]) async throws -> (pem: Secret, line: String) {
        try await KeyTool.withFolder { folder in
            let made = try await KeyTool.run(
                KeyTool.keygen,
                ["-q", "-N", "geheim", "-C", "me", "-f", "id"] + arguments,
                in: folder
            )
            try #require(made.status == 0, "\(made.errors)")
            let line = try KeyTool.text("\(folder)/id.pub").split(separator: "\n")[0]
            return (Secret(try KeyTool.bytes("\(folder)/id")), String(line))
        }
    }

    @Test func `a key is opened, and kept it needs no passphrase`() async throws {
        let (pem, line) = try await Self.make(["-t", "ed25519"])
        let opened = try await SSHPrivateKey(pem: pem, passphrase: Secret("geheim")).opened()
        #expect(opened.publicKey?.line == line)
        #expect(opened.passphrase == nil)
        #expect(try await SSHPrivateKey(pem: opened.pem).opened().publicKey?.line == line)
        await #expect(throws: CoreError.self) { try await SSHPrivateKey(pem: pem, passphrase: Secret("x")).opened() }
    }

    @Test func `cancelling the task ends an opening that takes long`() async throws {
        // Many seconds of a debug build.
        let (pem, _) = try await Self.make(["-t", "ed25519", "-a", "200"])
        let key = try SSHPrivateKey(pem: pem, passphrase: Secret("geheim"))
        let task = Task { try await key.opened() }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }
}
