// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffSSH
import TestSupport
import Testing

/// Key files that ssh-keygen and openssl write now, in each form.
@Suite(.enabled(if: KeyTool.hasKeygen && KeyTool.hasOpenSSL), .timeLimit(.minutes(2)))
struct KeyFilesOfProgramsTests {
    static let types = [
        ["-t", "ed25519"], ["-t", "ecdsa", "-b", "256"], ["-t", "ecdsa", "-b", "384"], ["-t", "ecdsa", "-b", "521"],
        ["-t", "rsa", "-b", "2048"],
    ]
    static let ciphers = [
        "aes128-ctr", "aes192-ctr", "aes256-ctr", "aes128-cbc", "aes192-cbc", "aes256-cbc", "aes128-gcm@openssh.com",
        "aes256-gcm@openssh.com",
    ]

    private static func keygen(_ folder: String, _ arguments: String...) async throws -> KeyTool.Outcome {
        try await KeyTool.run(KeyTool.keygen, ["-q"] + arguments, in: folder)
    }

    private static func make(_ type: [String], in folder: String) async throws -> SSHPublicKey {
        let arguments = ["-q", "-a", "1", "-N", "", "-C", "me@example", "-f", "id"] + type
        let made = try await KeyTool.run(KeyTool.keygen, arguments, in: folder)
        try #require(made.status == 0, "\(made.errors)")
        return try SSHPublicKey(line: KeyTool.text("\(folder)/id.pub"))
    }

    private static func expect(
        _ published: SSHPublicKey,
        in path: String,
        passphrase: String?,
        hasComment: Bool = true,
        checksWriting: Bool = true
    ) async throws {
        let pem = Secret(try KeyTool.bytes(path))
        let opened = try OpenedPrivateKey(SSHPrivateKey(pem: pem, passphrase: passphrase.map { Secret($0) }))
        #expect(opened.plain.publicKey == published)
        if hasComment { #expect(opened.plain.publicKey?.comment == "me@example") }
        for algorithm in opened.signingKey.algorithms {
            let signature = try opened.signingKey.signature(of: [1, 2, 3], by: algorithm)
            #expect(published.isValid(signature, by: algorithm, for: [1, 2, 3]))
        }
        guard checksWriting else { return }
        // What we write is what ssh-keygen reads.
        let folder = String(path.dropLast(path.split(separator: "/").last?.count ?? 0))
        try KeyTool.write(String(decoding: opened.plain.pem.bytes, as: UTF8.self), to: "\(folder)/written")
        let shown = try await keygen(folder, "-y", "-f", "written")
        #expect(shown.status == 0, "\(shown.errors)")
        #expect(try SSHPublicKey(line: shown.output) == published)
    }

    @Test(arguments: types)
    func `every cipher of ssh-keygen is opened, and a wrong passphrase told`(type: [String]) async throws {
        try await KeyTool.withFolder { folder in
            let published = try await Self.make(type, in: folder)
            try await Self.expect(published, in: "\(folder)/id", passphrase: nil)
            var passphrase = ""
            for (number, cipher) in Self.ciphers.enumerated() {
                let next = "geheim \(number)"
                let changed = try await Self.keygen(
                    folder,
                    "-p",
                    "-a",
                    "1",
                    "-P",
                    passphrase,
                    "-N",
                    next,
                    "-Z",
                    cipher,
                    "-f",
                    "id"
                )
                try #require(changed.status == 0, "\(changed.errors)")
                passphrase = next
                try await Self.expect(published, in: "\(folder)/id", passphrase: passphrase, checksWriting: false)
                let pem = Secret(try KeyTool.bytes("\(folder)/id"))
                let error = #expect(throws: CoreError.self) {
                    try OpenedPrivateKey(SSHPrivateKey(pem: pem, passphrase: Secret("geheim")))
                }
                #expect(error?.code == .passphraseWrong, "\(cipher)")
            }
        }
    }

    @Test(arguments: types.dropFirst(), ["PKCS8", "PEM"])
    func `PKCS8, SEC1 and PKCS1 of ssh-keygen are opened`(type: [String], form: String) async throws {
        try await KeyTool.withFolder { folder in
            let published = try await Self.make(type + ["-m", form], in: folder)
            try await Self.expect(published, in: "\(folder)/id", passphrase: nil, hasComment: false)
            let changed = try await Self.keygen(folder, "-p", "-P", "", "-N", "geheim", "-m", form, "-f", "id")
            try #require(changed.status == 0, "\(changed.errors)")
            let pem = Secret(try KeyTool.bytes("\(folder)/id"))
            let key = try SSHPrivateKey(pem: pem, passphrase: Secret("geheim"))
            guard form == "PKCS8" else {
                let error = #expect(throws: CoreError.self) { try OpenedPrivateKey(key) }
                #expect(error?.code == .keyUnsupported)
                #expect(error?.message.contains("DEK-Info") == true)
                #expect(key.hasPEMEncryption)
                return
            }
            try await Self.expect(published, in: "\(folder)/id", passphrase: "geheim", hasComment: false)
            let error = #expect(throws: CoreError.self) {
                try OpenedPrivateKey(SSHPrivateKey(pem: pem, passphrase: Secret("falsch")))
            }
            #expect(error?.code == .passphraseWrong)
        }
    }

    /// The options of `openssl pkcs8`, and the word of the refusal where it is one.
    static let schemes: [(options: [String], refusal: String?)] = [
        (["-v2", "aes-128-cbc"], nil), (["-v2", "aes-192-cbc", "-v2prf", "hmacWithSHA224"], nil),
        (["-v2", "aes-256-cbc", "-v2prf", "hmacWithSHA1"], nil), (["-v2prf", "hmacWithSHA384"], nil),
        (["-v2prf", "hmacWithSHA512", "-iter", "100000"], nil), (["-scrypt"], "scrypt"), (["-v2", "des3"], "AES"),
        (["-iter", "4000001"], "rounds"),
    ]

    @Test(arguments: schemes.indices)
    func `PBES2 of OpenSSL is opened, and another scheme named`(index: Int) async throws {
        let scheme = Self.schemes[index]
        try await KeyTool.withFolder { folder in
            let made = try await KeyTool.run(
                KeyTool.openssl,
                ["genpkey", "-algorithm", "ed25519", "-out", "plain"],
                in: folder
            )
            try #require(made.status == 0, "\(made.errors)")
            let plain = try SSHPrivateKey(pem: Secret(try KeyTool.bytes("\(folder)/plain")))
            let encrypted = try await KeyTool.run(
                KeyTool.openssl,
                ["pkcs8", "-topk8", "-in", "plain", "-passout", "pass:geheim", "-out", "id"] + scheme.options,
                in: folder
            )
            try #require(encrypted.status == 0, "\(encrypted.errors)")
            let pem = Secret(try KeyTool.bytes("\(folder)/id"))
            let key = try SSHPrivateKey(pem: pem, passphrase: Secret("geheim"))
            guard let word = scheme.refusal else {
                #expect(try OpenedPrivateKey(key).plain.publicKey == plain.publicKey)
                return
            }
            let error = #expect(throws: CoreError.self) { try OpenedPrivateKey(key) }
            #expect(error?.code == .keyUnsupported)
            #expect(error?.message.contains(word) == true, "\(error?.message ?? "")")
        }
    }

    @Test func `DSA and keys of security keys are refused by their names`() async throws {
        try await KeyTool.withFolder { folder in
            let made = try await KeyTool.run(
                KeyTool.openssl,
                [
                    "genpkey", "-genparam", "-algorithm", "DSA", "-pkeyopt", "dsa_paramgen_bits:1024", "-out",
                    "parameters",
                ],
                in: folder
            )
            try #require(made.status == 0, "\(made.errors)")
            let key = try await KeyTool.run(
                KeyTool.openssl,
                ["genpkey", "-paramfile", "parameters", "-out", "id"],
                in: folder
            )
            try #require(key.status == 0, "\(key.errors)")
            let pem = Secret(try KeyTool.bytes("\(folder)/id"))
            let error = #expect(throws: CoreError.self) { try SSHPrivateKey(pem: pem) }
            #expect(error?.code == .keyUnsupported)
        }
        var blob = SSHWireWriter()
        blob.write(text: "sk-ssh-ed25519@openssh.com")
        blob.write(string: Array(repeating: 1, count: 32))
        blob.write(text: "ssh:")
        var file = SSHWireWriter()
        file.write(raw: Array("openssh-key-v1\0".utf8))
        for text in ["none", "none", ""] { file.write(text: text) }
        file.write(uint32: 1)
        file.write(string: blob.bytes)
        file.write(string: [0, 0, 0, 1, 0, 0, 0, 1] + blob.bytes)
        let pem = PEMBlock(label: PEMBlock.openSSH, body: file.bytes).text
        let error = #expect(throws: CoreError.self) { try SSHPrivateKey(pem: pem) }
        #expect(error?.code == .keyUnsupported)
        #expect(error?.message.contains("security key") == true)
        // Its public half is what an agent's key is found by.
        #expect(try SSHPrivateKey.publicKey(inPEM: pem)?.blob == blob.bytes)
    }
}
