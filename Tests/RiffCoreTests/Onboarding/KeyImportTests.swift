// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import TestSupport
import Testing

extension InTurn {
    @Suite(.enabled(if: KeyTool.hasKeygen, "needs ssh-keygen"), .timeLimit(.minutes(5)))
    struct KeyImportTests {
        /// A key file's text, as the real program writes it.
        static func pem(_ arguments: [String], passphrase: String = "") async throws -> String {
            try await KeyTool.withFolder { folder in
                let line = ["-q", "-N", passphrase, "-C", "me", "-f", "\(folder)/key"] + arguments
                let outcome = try await KeyTool.run(KeyTool.keygen, line, in: folder)
                #expect(outcome.status == 0, "\(outcome.errors)")
                return try KeyTool.text("\(folder)/key")
            }
        }

        @Test(arguments: [
            ["-t", "ed25519"], ["-t", "ecdsa"], ["-t", "ecdsa", "-m", "PEM"], ["-t", "ecdsa", "-m", "PKCS8"],
        ])
        func `keys that servers take are read`(arguments: [String]) async throws {
            let pem = try await Self.pem(arguments)
            #expect(KeyImport.isLikelyKey(pem))
            #expect(KeyImport.isLikelyKey("  \r\n" + pem.replacing("\n", with: "\r\n") + "and more"))
            #expect(try KeyImport.read(Secret(pem)).publicKey != nil)
        }

        @Test func `an encrypted key wants its passphrase`() async throws {
            let pem = try await Self.pem(["-t", "ed25519"], passphrase: "correct horse")
            #expect(KeyImport.isLikelyKey(pem))
            let error = #expect(throws: CoreError.self) { try KeyImport.read(Secret(pem)) }
            #expect(error?.code == .passphraseNeeded)
            #expect(try KeyImport.read(Secret(pem), passphrase: Secret("correct horse")).isEncrypted)
        }

        @Test(arguments: [[], ["-m", "PEM"], ["-m", "PKCS8"]], ["", "correct horse"])
        func `RSA keys are refused with the way out, in every form`(form: [String], passphrase: String) async throws {
            let pem = try await Self.pem(["-t", "rsa", "-b", "2048"] + form, passphrase: passphrase)
            // Of an encrypted PKCS#8 key nothing shows but that it is encrypted.
            if form.last == "PKCS8", !passphrase.isEmpty { return }
            let secret = passphrase.isEmpty ? nil : Secret(passphrase)
            for passphrase in [nil, secret] {
                let error = #expect(throws: CoreError.self) { try KeyImport.read(Secret(pem), passphrase: passphrase) }
                #expect(error?.code == .rsaKeyRefused)
                #expect(error?.message.contains("ssh-keygen -t ed25519") == true)
            }
            #expect(!KeyImport.isLikelyKey(pem))
        }

        @Test func `what is no private key is told, and its button stays off`() async throws {
            let pem = try await Self.pem(["-t", "ed25519"])
            let cut = String(pem.prefix(pem.count / 2))
            let damaged = pem.replacing("b3BlbnNzaC1rZXk", with: "b3BlbnNzaC1rZXl")
            for text in ["", "hello", cut, damaged, "-----BEGIN OPENSSH PRIVATE KEY-----", "ssh-ed25519 AAAA me"] {
                #expect(!KeyImport.isLikelyKey(text))
                let error = #expect(throws: CoreError.self) { try KeyImport.read(Secret(text)) }
                #expect(error?.code == .invalidKey)
                #expect(error?.recovery == .openSettings(.key))
            }
        }
    }
}
