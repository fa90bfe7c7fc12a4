// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffTesting
import RiffTransport
import TestSupport
import Testing

extension RealServers {
    /// The words of OpenSSH's server.
    @Suite struct SSHBannerTests {
        @Test func `OpenSSH's banner is shown, and whoever comes with a key is let in all the same`() async throws {
            let path = "/tmp/riff-banner-\(UInt32.random(in: .min ... .max))"
            let text =
                String(repeating: "Authorized use only. \u{E9}\n", count: 40) + "See <https://example.org/terms>.\n"
            try text.write(toFile: path, atomically: true, encoding: .utf8)
            defer { try? FileManager.default.removeItem(atPath: path) }  // Cleanup.
            var options = ThrowawaySSHServer.Options()
            options.extraLines = ["Banner \(path)"]
            try await SSHLab.with(options) { lab in
                let person = TestPerson()
                var configuration = try lab.configuration()
                configuration.conversation = person
                try await lab.host(configuration).connect()
                try await waitUntil { !person.seen.isEmpty }
                #expect(person.seen == ["shown: \(text)"])
                #expect(person.shownWords.first?.links == ["https://example.org/terms"])
                #expect(person.shownWords.first?.isVerified == true)

                // Words of a host whose key is not trusted are not shown.
                configuration.trust = .onlyKnown(InMemoryHostKeyStore())
                let stranger = TestPerson()
                configuration.conversation = stranger
                let strange = lab.host(configuration)
                await #expect(throws: CoreError.self) { try await strange.connect() }
                #expect(stranger.seen.isEmpty)
            }
        }

        @Test(.enabled("needs Linux, root and openssl") { await ThrowawaySSHServer.canHavePassword() })
        func `a password gets in where OpenSSH takes prompts alone, and a key before it`() async throws {
            var options = ThrowawaySSHServer.Options()
            options.password = "open sesame"
            options.allowsKeyboardInteractive = true
            options.extraLines = ["AuthenticationMethods publickey,keyboard-interactive"]
            try await SSHLab.with(options) { lab in
                let password = SSHCredential.password(Secret("open sesame"))
                let key = try lab.configuration().credentials
                #expect(
                    try await lab.host(lab.configuration(credentials: key + [password])).text(of: "echo in") == "in\n"
                )
                let error = await transportError {
                    try await lab.host(lab.configuration(credentials: key)).connect()
                }
                #expect(error?.code == .noUsableCredential)
                #expect(error?.message.contains("accepted what was given") == true)
            }
        }
    }
}
