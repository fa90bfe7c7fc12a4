// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffTransport
import Testing

struct SSHAlgorithmsTests {
    @Test(arguments: [0x01_0A_00, 0x01_0B_00, 0x01_0B_01, 0x01_0C_00])
    func `an algorithm whose code has a known hole in the library's version is not offered`(version: Int) {
        let offer = SSHAlgorithms(libssh2: version)
        let isSound = version >= 0x01_0C_00
        #expect(offer.cipher.contains("chacha20-poly1305@openssh.com") == isSound)
        #expect(offer.cipher.contains("aes128-gcm@openssh.com") == isSound)
        #expect(offer.mac.contains("hmac-sha2-256-etm@openssh.com") == isSound)
        #expect(offer.hostKey.contains("rsa-sha2-512") == (version >= 0x01_0B_00))
        #expect(offer.hostKey.first == "ssh-ed25519")
        // What every server has, in each version.
        #expect(offer.cipher.contains("aes128-ctr") && offer.mac.contains("hmac-sha2-256"))
        #expect(offer.keyExchange.first == "curve25519-sha256")
        let all = offer.cipher + offer.mac + offer.keyExchange + offer.hostKey
        for weak in ["cbc", "sha1", "md5", "arcfour", "blowfish", "3des", "ripemd"] {
            #expect(!all.contains { $0.contains(weak) }, "\(weak)")
        }
        #expect(!all.contains("ssh-rsa") && !all.contains("ssh-dss"))
    }

    @Test func `pinned types come first, and only those that there are`() {
        let ecdsa = SSHAlgorithms(libssh2: 0x01_0A_00).adapted(to: [.ecdsaP384, .ed25519])
        #expect(ecdsa.hostKey.prefix(2) == ["ecdsa-sha2-nistp384", "ssh-ed25519"])
        #expect(Set(ecdsa.hostKey) == Set(SSHAlgorithms(libssh2: 0x01_0A_00).hostKey))
        #expect(!SSHAlgorithms(libssh2: 0x01_0A_00).adapted(to: [.rsa]).hostKey.contains { $0.contains("rsa") })
        let rsa = SSHAlgorithms(libssh2: 0x01_0B_00).adapted(to: [.rsa])
        #expect(rsa.hostKey.prefix(2) == ["rsa-sha2-512", "rsa-sha2-256"])
    }

    @Test func `a result that was not offered is refused, by the kind that it is`() throws {
        let offer = SSHAlgorithms(libssh2: 0x01_0A_00)
        #expect(offer.weakness(of: try Self.handshake()) == nil)
        for (what, weak) in [
            ("key exchange", try Self.handshake(keyExchange: "diffie-hellman-group1-sha1")),
            ("host key", try Self.handshake(hostKey: "ssh-rsa")), ("cipher", try Self.handshake(cipher: "3des-cbc")),
            ("MAC", try Self.handshake(mac: "hmac-md5")),
        ] {
            let error = offer.weakness(of: weak)
            #expect(error?.code == .weakAlgorithm)
            #expect(error?.message.contains(what) == true)
        }
        // An AEAD cipher has no MAC of its own to name.
        let modern = SSHAlgorithms(libssh2: 0x01_0C_00)
        #expect(modern.weakness(of: try Self.handshake(cipher: "aes128-gcm@openssh.com", mac: "")) == nil)
        #expect(modern.weakness(of: try Self.handshake(cipher: "chacha20-poly1305@openssh.com", mac: "")) == nil)
        #expect(modern.weakness(of: try Self.handshake(mac: "")) != nil)
    }

    @Test func `a mismatch names both lists, and a match none`() {
        let offer = SSHAlgorithms(libssh2: 0x01_0A_00)
        var server = SSHKexInit()
        server.keyExchange = ["sntrup761x25519-sha512@openssh.com", "curve25519-sha256"]
        server.hostKey = ["ssh-ed25519"]
        (server.cipherToServer, server.cipherToClient) = (["aes128-ctr"], ["aes256-gcm@openssh.com"])
        (server.macToServer, server.macToClient) = (["hmac-sha2-256"], ["hmac-sha2-256"])
        let error = offer.mismatch(with: server, on: "box")
        #expect(error?.code == .noCommonAlgorithm)
        let expected =
            "No cipher algorithm in common with box: we offer aes128-ctr, aes256-ctr, aes192-ctr; it offers "
            + "aes256-gcm@openssh.com."
        #expect(error?.message == expected)
        server.cipherToClient.append("aes192-ctr")
        #expect(offer.mismatch(with: server, on: "box") == nil)
    }

    private static func handshake(
        keyExchange: String = "curve25519-sha256",
        hostKey: String = "ssh-ed25519",
        cipher: String = "aes128-ctr",
        mac: String = "hmac-sha2-256"
    ) throws -> SSHHandshake {
        SSHHandshake(
            hostKey: try #require(SSHPrivateKey.makeEd25519().publicKey),
            serverVersion: "SSH-2.0-Test",
            keyExchange: keyExchange,
            hostKeyAlgorithm: hostKey,
            cipher: cipher,
            mac: mac
        )
    }
}
