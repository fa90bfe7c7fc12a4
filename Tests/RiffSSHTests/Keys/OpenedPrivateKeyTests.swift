// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffSSH
import Testing

struct OpenedPrivateKeyTests {
    @Test(arguments: PrivateKeyFixtures.all)
    func `an encrypted key is opened, signs, and is the same without its passphrase`(
        fixture: PrivateKeyFixtures
    ) throws {
        let opened = try OpenedPrivateKey(fixture.key())
        let published = try SSHPublicKey(line: fixture.publicLine)
        #expect(opened.plain.publicKey == published)
        #expect(opened.plain.publicKey?.comment == published.comment)
        #expect(opened.plain.passphrase == nil)
        let data = Array("data".utf8)
        let algorithm = try #require(opened.signingKey.algorithms.first)
        let signature = try opened.signingKey.signature(of: data, by: algorithm)
        #expect(published.isValid(signature, by: algorithm, for: data))
        let again = try OpenedPrivateKey(try SSHPrivateKey(pem: opened.plain.pem))
        #expect(again.plain.publicKey?.line == opened.plain.publicKey?.line)
        #expect(try again.signingKey.publicKey() == published)
    }

    @Test(arguments: PrivateKeyFixtures.all)
    func `a wrong passphrase is told as one`(fixture: PrivateKeyFixtures) throws {
        let error = #expect(throws: CoreError.self) { try OpenedPrivateKey(fixture.key(Secret("correct hors"))) }
        #expect(error?.code == .passphraseWrong)
        #expect(error?.recovery == .openSettings(.passphrase))
    }

    @Test(arguments: ["Correct horse", "correct horse ", " ", "\0", "zażółć"])
    func `a passphrase is compared byte by byte`(passphrase: String) throws {
        for fixture in [PrivateKeyFixtures.aes256CBC, .ed25519PKCS8, .p256PKCS8] {
            let error = #expect(throws: CoreError.self) { try OpenedPrivateKey(fixture.key(Secret(passphrase))) }
            #expect(error?.code == .passphraseWrong)
            #expect(passphrase == " " || error?.description.contains(passphrase) == false)
        }
    }

    @Test func `a cancelled opening ends`() throws {
        #expect(throws: CancellationError.self) {
            try OpenedPrivateKey(PrivateKeyFixtures.aes256CTR.key(), isCancelled: { true })
        }
    }

    @Test func `a made key is opened`() throws {
        let key = SSHPrivateKey.makeEd25519(comment: "phone")
        let opened = try OpenedPrivateKey(key)
        #expect(opened.plain.publicKey?.line == key.publicKey?.line)
    }

    /// Offsets in an encrypted key of Ed25519 of OpenSSH: behind magic, cipher, derivation, and the length of options,
    /// a salt of 16 bytes, and the rounds.
    private static let roundsOffset = 15 + (4 + 10) + (4 + 6) + 4 + (4 + 16)

    @Test(arguments: [0, 1_025, UInt32.max])
    func `a file that asks for too many rounds is refused at once`(rounds: UInt32) throws {
        var block = try PEMBlock(Secret(PrivateKeyFixtures.aes256CTR.pem)).body
        let bytes = withUnsafeBytes(of: rounds.bigEndian) { Array($0) }
        #expect(Array(block[Self.roundsOffset..<Self.roundsOffset + 4]) == [0, 0, 0, 16])
        block.replaceSubrange(Self.roundsOffset..<Self.roundsOffset + 4, with: bytes)
        let pem = PEMBlock(label: PEMBlock.openSSH, body: block).text
        let error = #expect(throws: CoreError.self) {
            try OpenedPrivateKey(SSHPrivateKey(pem: pem, passphrase: PrivateKeyFixtures.passphrase)) {
                Issue.record("It began.")
                return true
            }
        }
        #expect(error?.code == (rounds == 0 ? .invalidKey : .keyUnsupported))
    }

    @Test(arguments: [
        ("chacha20-poly1305@openssh.com", "bcrypt", "chacha20-poly1305@openssh.com"),
        ("3des-cbc", "bcrypt", "3des-cbc"),
        ("aes256-ctr", "argon2", "argon2"), ("\u{7F}", "bcrypt", "damaged"),
    ])
    func `what it is encrypted with is named`(cipher: String, derivation: String, word: String) throws {
        let whole = try PEMBlock(Secret(PrivateKeyFixtures.aes256CTR.pem)).body
        var writer = SSHWireWriter()
        writer.write(raw: whole.prefix(15))
        writer.write(text: cipher)
        writer.write(text: derivation)
        writer.write(raw: whole.dropFirst(15 + 14 + 10))
        let pem = PEMBlock(label: PEMBlock.openSSH, body: writer.bytes).text
        let error = #expect(throws: CoreError.self) {
            try OpenedPrivateKey(SSHPrivateKey(pem: pem, passphrase: PrivateKeyFixtures.passphrase))
        }
        #expect(error?.code == (word == "damaged" ? .invalidKey : .keyUnsupported))
        #expect(error?.message.contains(word) == true, "\(error?.message ?? "")")
    }

    /// Every byte of an encrypted file counts, or does not change the key; none can make opening trap or hang.
    @Test func `changed files are refused with a code, or are the same key`() throws {
        var random = SeededBits(7)
        for fixture in PrivateKeyFixtures.all {
            let whole = try PEMBlock(Secret(fixture.pem))
            // A derivation of many rounds is given up: what matters is in front of it, and behind a short one.
            let isShort = [PrivateKeyFixtures.aes256CBC, .ed25519PKCS8, .p256PKCS8].contains { $0.pem == fixture.pem }
            // PKCS#8 encrypts without an integrity check, and of an Ed25519 key it holds nothing to compare with: a
            // change in the last blocks can be another key. OpenSSL reads that one too.
            let isChecked = fixture.pem != PrivateKeyFixtures.ed25519PKCS8.pem
            for _ in 0..<(isShort ? 60 : 10) {
                var body = whole.body
                for _ in 0..<Int.random(in: 1...3, using: &random) {
                    let place = Int.random(in: 0..<body.count, using: &random)
                    switch Int.random(in: 0..<4, using: &random) {
                    case 0: body[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
                    case 1: body[place] = [0, 1, 0x7F, 0x80, 0xFF].randomElement(using: &random) ?? 0
                    case 2: body.remove(at: place)
                    default: body.insert(UInt8.random(in: .min ... .max, using: &random), at: place)
                    }
                }
                let pem = PEMBlock(label: whole.label, body: body).text
                do {
                    let key = try SSHPrivateKey(pem: pem, passphrase: PrivateKeyFixtures.passphrase)
                    let opened = try OpenedPrivateKey(key, isCancelled: { true })
                    if isChecked { #expect(opened.plain.publicKey == (try SSHPublicKey(line: fixture.publicLine))) }
                } catch let error as CoreError {
                    #expect([.invalidKey, .keyUnsupported, .passphraseWrong].contains(error.code), "\(error)")
                } catch is CancellationError {}
            }
        }
    }

    @Test func `changed private sections are refused with a code, or are the same key`() throws {
        var random = SeededBits(11)
        for fixture in PrivateKeyFixtures.all {
            let plain = try OpenedPrivateKey(fixture.key()).plain
            let whole = try PEMBlock(plain.pem)
            for _ in 0..<100 {
                var body = whole.body
                let place = Int.random(in: 0..<body.count, using: &random)
                body[place] ^= UInt8.random(in: 1...255, using: &random)
                do {
                    let pem = PEMBlock(label: whole.label, body: body).text
                    #expect(try OpenedPrivateKey(SSHPrivateKey(pem: pem)).plain.publicKey == plain.publicKey)
                } catch let error as CoreError {
                    #expect([.invalidKey, .keyUnsupported, .passphraseNeeded].contains(error.code), "\(error)")
                }
            }
        }
    }
}

/// SplitMix64: the same bits at each run.
private struct SeededBits: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ bits >> 30) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
        return bits ^ bits >> 31
    }
}
