// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import TestSupport
import Testing

extension InTurn {
    @Suite(.timeLimit(.minutes(5)))
    struct SSHPrivateKeyTests {
        /// How ssh-keygen is asked for a key, and what must be read from it.
        struct Kind: Sendable, CustomTestStringConvertible {
            var arguments: [String]
            var algorithm: SSHKeyAlgorithm
            var testDescription: String { arguments.joined(separator: " ") }

            static let all: [Kind] = [
                Kind(arguments: ["-t", "ed25519"], algorithm: .ed25519),
                Kind(arguments: ["-t", "ecdsa", "-b", "256"], algorithm: .ecdsaP256),
                Kind(arguments: ["-t", "ecdsa", "-b", "384"], algorithm: .ecdsaP384),
                Kind(arguments: ["-t", "ecdsa", "-b", "521"], algorithm: .ecdsaP521),
                Kind(arguments: ["-t", "rsa", "-b", "2048"], algorithm: .rsa),
                Kind(arguments: ["-t", "ecdsa", "-b", "256", "-m", "PKCS8"], algorithm: .ecdsaP256),
                Kind(arguments: ["-t", "ecdsa", "-b", "384", "-m", "PKCS8"], algorithm: .ecdsaP384),
                Kind(arguments: ["-t", "ecdsa", "-b", "521", "-m", "PKCS8"], algorithm: .ecdsaP521),
                Kind(arguments: ["-t", "rsa", "-b", "2048", "-m", "PKCS8"], algorithm: .rsa),
                Kind(arguments: ["-t", "ecdsa", "-b", "256", "-m", "PEM"], algorithm: .ecdsaP256),
                Kind(arguments: ["-t", "ecdsa", "-b", "384", "-m", "PEM"], algorithm: .ecdsaP384),
                Kind(arguments: ["-t", "ecdsa", "-b", "521", "-m", "PEM"], algorithm: .ecdsaP521),
                Kind(arguments: ["-t", "rsa", "-b", "2048", "-m", "PEM"], algorithm: .rsa),
            ]
        }

        @Test func `a made key comes back identical from its text`() throws {
            let key = SSHPrivateKey.makeEd25519(comment: "my phone")
            let again = try SSHPrivateKey(pem: key.pem)
            #expect(again == key)
            #expect(again.publicKey?.comment == "my phone")
            #expect(again.algorithm == .ed25519)
            #expect(!again.isEncrypted)
            #expect(key.publicKey?.blob.count == 51)
            #expect(SSHPrivateKey.makeEd25519() != SSHPrivateKey.makeEd25519())
        }

        @Test func `printing a key shows no secret`() throws {
            let key = SSHPrivateKey.makeEd25519(comment: "c")
            var shown = "\(key) \(String(reflecting: key))"
            dump(key, to: &shown)
            let secret = String(decoding: key.pem.bytes, as: UTF8.self).split(separator: "\n")[3]
            #expect(!shown.contains(secret))
            #expect(shown.contains("SHA256:"))
        }

        @Test(.enabled(if: KeyTool.hasKeygen), arguments: ["", "my phone", "zażółć 🗝"])
        func `ssh-keygen reads a made key`(comment: String) async throws {
            try await KeyTool.withFolder { folder in
                let key = SSHPrivateKey.makeEd25519(comment: comment)
                let path = "\(folder)/id"
                try KeyTool.write(String(decoding: key.pem.bytes, as: UTF8.self), to: path)
                let shown = try await KeyTool.run(KeyTool.keygen, ["-y", "-f", path], in: folder)
                #expect(shown.status == 0, "\(shown.errors)")
                #expect(shown.output == (try #require(key.publicKey)).line + "\n")
                let signed = try await KeyTool.run(
                    KeyTool.keygen,
                    ["-Y", "sign", "-f", path, "-n", "t", path],
                    in: folder
                )
                #expect(signed.status == 0, "\(signed.errors)")
            }
        }

        @Test(.enabled(if: KeyTool.hasKeygen), arguments: Kind.all)
        func `a key of ssh-keygen is read with the same public half`(kind: Kind) async throws {
            try await KeyTool.withFolder { folder in
                let key = try SSHPrivateKey(pem: try await Self.makeKey(kind, in: folder))
                #expect(key.algorithm == kind.algorithm)
                let published = try SSHPublicKey(line: try KeyTool.text("\(folder)/id.pub"))
                #expect(key.publicKey == published)
                let listed = try await KeyTool.run(KeyTool.keygen, ["-lf", "\(folder)/id.pub"], in: folder)
                #expect(listed.output.split(separator: " ").dropFirst().first.map(String.init) == published.fingerprint)
                #expect(published.line + "\n" == (try KeyTool.text("\(folder)/id.pub")))
                try KeyTool.write(String(decoding: key.pem.bytes, as: UTF8.self), to: "\(folder)/tidied")
                let tidied = try await KeyTool.run(KeyTool.keygen, ["-y", "-f", "\(folder)/tidied"], in: folder)
                #expect(try SSHPublicKey(line: tidied.output) == published)
            }
        }

        @Test(.enabled(if: KeyTool.hasKeygen), arguments: Kind.all)
        func `an encrypted key is classified and asks for its passphrase`(kind: Kind) async throws {
            try await KeyTool.withFolder { folder in
                let pem = try await Self.makeKey(kind, in: folder, passphrase: "open sesame")
                for missing in [nil, Secret("")] {
                    let error = #expect(throws: CoreError.self) { try SSHPrivateKey(pem: pem, passphrase: missing) }
                    #expect(error?.code == .passphraseNeeded)
                    #expect(error?.recovery == .openSettings(.passphrase))
                }
                let key = try SSHPrivateKey(pem: pem, passphrase: Secret("open sesame"))
                #expect(key.isEncrypted)
                let published = try SSHPublicKey(line: try KeyTool.text("\(folder)/id.pub"))
                if kind.arguments.contains("-m") {
                    #expect(key.publicKey == nil)
                    #expect(key.algorithm == nil || key.algorithm == kind.algorithm)
                } else {
                    #expect(key.publicKey == published)
                    #expect(key.algorithm == kind.algorithm)
                    #expect(try SSHPrivateKey.publicKey(inPEM: pem) == published)
                }
                try KeyTool.write(String(decoding: key.pem.bytes, as: UTF8.self), to: "\(folder)/tidied")
                let arguments = ["-y", "-P", "open sesame", "-f", "\(folder)/tidied"]
                let opened = try await KeyTool.run(KeyTool.keygen, arguments, in: folder)
                #expect(try SSHPublicKey(line: opened.output) == published)
            }
        }

        @Test(
            .enabled(if: KeyTool.hasKeygen),
            arguments: ["aes256-ctr", "aes256-gcm@openssh.com", "chacha20-poly1305@openssh.com"]
        )
        func `every cipher of encrypted keys is known`(cipher: String) async throws {
            try await KeyTool.withFolder { folder in
                let kind = Kind(arguments: ["-t", "ed25519", "-a", "1", "-Z", cipher], algorithm: .ed25519)
                let pem = try await Self.makeKey(kind, in: folder, passphrase: "open sesame")
                let published = try SSHPublicKey(line: try KeyTool.text("\(folder)/id.pub"))
                #expect(try SSHPrivateKey(pem: pem, passphrase: Secret("x")).publicKey == published)
            }
        }

        @Test(.enabled(if: KeyTool.hasOpenSSL && KeyTool.hasKeygen))
        func `Ed25519 in PKCS8 is read`() async throws {
            try await KeyTool.withFolder { folder in
                let arguments = ["genpkey", "-algorithm", "ed25519", "-out", "\(folder)/id"]
                #expect(try await KeyTool.run(KeyTool.openssl, arguments, in: folder).status == 0)
                let der = ["pkey", "-in", "\(folder)/id", "-pubout", "-outform", "DER", "-out", "\(folder)/pub"]
                #expect(try await KeyTool.run(KeyTool.openssl, der, in: folder).status == 0)
                let key = try SSHPrivateKey(pem: Secret(try KeyTool.bytes("\(folder)/id")))
                #expect(key.algorithm == .ed25519)
                #expect(key.publicKey?.blob.suffix(32) == (try KeyTool.bytes("\(folder)/pub")).suffix(32))
            }
        }

        @Test func `a key is read from what Windows and JSON make of its text`() throws {
            let key = SSHPrivateKey.makeEd25519(comment: "c")
            let text = String(decoding: key.pem.bytes, as: UTF8.self)
            let units = Array(text.replacing("\n", with: "\r\n").utf16)
            let forms: [[UInt8]] = [
                [0xEF, 0xBB, 0xBF] + Array(text.utf8),
                [0xFF, 0xFE] + units.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] },
                [0xFE, 0xFF] + units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] },
                Array("{\"key\": \"\(text.replacing("\n", with: "\\n"))\"}".utf8),
                Array(text.replacing("\n", with: "\\r\\n").utf8), Array(text.replacing("\n", with: " \t\n\n").utf8),
            ]
            for form in forms { #expect(try SSHPrivateKey(pem: Secret(form)) == key) }
        }

        @Test(arguments: ["\n", "\r\n", " ", "\n    ", "\r"])
        func `a pasted key is read whatever became of its line breaks`(separator: String) throws {
            let key = SSHPrivateKey.makeEd25519(comment: "c")
            let lines = String(decoding: key.pem.bytes, as: UTF8.self).split(separator: "\n")
            let pasted =
                "My key:" + separator + lines.joined(separator: separator) + separator + "-- \nsent from a phone"
            #expect(try SSHPrivateKey(pem: Secret(pasted)) == key)
        }

        @Test(.enabled(if: KeyTool.hasKeygen), arguments: Kind.all.filter { $0.algorithm != .rsa })
        func `a key cut off or changed anywhere is refused, or is still the same key`(kind: Kind) async throws {
            try await KeyTool.withFolder { folder in
                let pem = try await Self.makeKey(kind, in: folder)
                let key = try SSHPrivateKey(pem: pem)
                for length in pem.bytes.indices.dropLast() {
                    Self.expectRefusedOrSame(Secret(Array(pem.bytes[..<length])), key)
                }
                for index in pem.bytes.indices {
                    var bytes = pem.bytes
                    bytes[index] ^= 1 << UInt8(index % 8)
                    Self.expectRefusedOrSame(Secret(bytes), key)
                }
                // Inside the base64, where PEM's own frame cannot catch it.
                let text = String(decoding: pem.bytes, as: UTF8.self).split(separator: "\n")
                let body = Array(try #require(Data(base64Encoded: text.dropFirst().dropLast().joined())))
                for length in body.indices {
                    let cut = Self.pem(body[..<length], first: text[0], last: text[text.count - 1])
                    let error = #expect(throws: CoreError.self) { try SSHPrivateKey(pem: cut) }
                    #expect(error?.code == .invalidKey)
                }
                for index in body.indices {
                    var bytes = body
                    bytes[index] ^= 0xFF
                    Self.expectRefusedOrSame(Self.pem(bytes[...], first: text[0], last: text[text.count - 1]), key)
                }
            }
        }

        @Test(arguments: [
            ("", "is not a private key"),
            ("PuTTY-User-Key-File-3: ssh-ed25519\n", "PuTTY"),
            ("\u{FEFF} PuTTY-User-Key-File-2: ssh-rsa\r\n", "PuTTYgen"),
            ("---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----", "ssh.com"),
            ("ssh-ed25519 AAAA me", "public key"),
            ("-----BEGIN DSA PRIVATE KEY-----\nAAAA\n-----END DSA PRIVATE KEY-----", "ssh-dss"),
            ("-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n", "END line"),
            ("-----BEGIN OPENSSH PRIVATE KEY-----\n\n-----END OPENSSH PRIVATE KEY-----", "base64"),
            ("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----", "is not a private key"),
        ])
        func `what is no key is refused with the reason`(text: String, reason: String) {
            let error = #expect(throws: CoreError.self) { try SSHPrivateKey(pem: Secret(text)) }
            let isKnown = ["PuTTY", "PuTTYgen", "ssh.com", "ssh-dss"].contains(reason)
            #expect(error?.code == (isKnown ? .keyUnsupported : .invalidKey))
            #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
            #expect(error?.recovery == .openSettings(.key))
        }

        private static func expectRefusedOrSame(_ pem: Secret, _ key: SSHPrivateKey) {
            do throws(CoreError) {
                let read = try SSHPrivateKey(pem: pem)
                #expect(read.publicKey == key.publicKey)
            } catch {
                #expect([.invalidKey, .keyUnsupported, .passphraseNeeded].contains(error.code), "\(error)")
            }
        }

        private static func pem(_ body: ArraySlice<UInt8>, first: Substring, last: Substring) -> Secret {
            Secret("\(first)\n\(Data(body).base64EncodedString())\n\(last)\n")
        }

        static func makeKey(_ kind: Kind, in folder: String, passphrase: String = "") async throws -> Secret {
            // One round of bcrypt: these tests are about the format.
            let arguments = ["-q", "-a", "1", "-N", passphrase, "-C", "someone@example", "-f", "\(folder)/id"]
            let made = try await KeyTool.run(KeyTool.keygen, arguments + kind.arguments, in: folder)
            #expect(made.status == 0, "\(made.errors)")
            return Secret(try KeyTool.bytes("\(folder)/id"))
        }
    }
}
