// Riff
// SPDX-License-Identifier: Apache-2.0

import Crypto
import CryptoExtras
import RiffCore
import RiffSSH
import Testing

struct SSHHandshakeTests {
    @Test(arguments: SSHKeyExchangeMethod.allCases.filter(\.isAvailable), [1, 13, Int.max])
    func `each key exchange works, at any split`(method: SSHKeyExchangeMethod, pieceBytes: Int) throws {
        var configuration = SSHClient.Configuration()
        configuration.algorithms.keyExchange = [method]
        var conversation = SSHConversation(configuration)
        conversation.pieceBytes = pieceBytes
        try conversation.exchangeKeys()
        #expect(conversation.client.failure == nil)
        #expect(conversation.client.agreement?.keyExchange == method)
        #expect(conversation.client.sessionID == conversation.server.sessionID)
        #expect(conversation.client.isKeyExchangeStrict)
    }

    private static func keys() throws -> [SSHSigningKey] {
        [
            .ed25519(Curve25519.Signing.PrivateKey()), .p256(P256.Signing.PrivateKey()),
            .p384(P384.Signing.PrivateKey()), .p521(P521.Signing.PrivateKey()),
            .rsa(try _RSA.Signing.PrivateKey(keySize: .bits2048)),
        ]
    }

    @Test func `host keys of each kind are proved, by each of their algorithms`() throws {
        for key in try Self.keys() {
            for algorithm in key.algorithms {
                var configuration = SSHClient.Configuration()
                configuration.algorithms.hostKey = [algorithm]
                var conversation = SSHConversation(configuration, server: ScriptedSSHServer(key: key))
                try conversation.exchangeKeys()
                #expect(conversation.client.agreement?.hostKey == algorithm)
                #expect(conversation.client.hostKey == (try key.publicKey()))
            }
        }
    }

    @Test func `a signature is of its key, its algorithm and its bytes alone`() throws {
        for key in try Self.keys() {
            let publicKey = try key.publicKey()
            for algorithm in key.algorithms {
                let signature = try key.signature(of: [1, 2, 3], by: algorithm)
                #expect(publicKey.isValid(signature, by: algorithm, for: [1, 2, 3]))
                #expect(!publicKey.isValid(signature, by: algorithm, for: [1, 2, 4]))
                for other in SSHSignatureAlgorithm.allCases where other != algorithm {
                    #expect(!publicKey.isValid(signature, by: other, for: [1, 2, 3]))
                }
                for index in signature.bytes.indices.dropFirst(5) {
                    var bytes = signature.bytes
                    bytes[index] ^= 1
                    let changed = SSHSignature(algorithm: algorithm, bytes: bytes)
                    #expect(!publicKey.isValid(changed, by: algorithm, for: [1, 2, 3]))
                }
                for count in 0..<signature.bytes.count {
                    let cut = SSHSignature(algorithm: algorithm, bytes: Array(signature.bytes.prefix(count)))
                    #expect(!publicKey.isValid(cut, by: algorithm, for: [1, 2, 3]))
                }
            }
        }
    }

    @Test func `numbers of ECDSA that are longer than the curve's are no signature`() throws {
        let key = SSHSigningKey.p256(P256.Signing.PrivateKey())
        for count in [0, 33, 100, 60_000] {
            var writer = SSHWireWriter()
            writer.write(mpint: Array(repeating: 1, count: count))
            writer.write(mpint: Array(repeating: 1, count: 32))
            let signature = SSHSignature(algorithm: .ecdsaP256, bytes: writer.bytes)
            #expect(try !key.publicKey().isValid(signature, by: .ecdsaP256, for: [1]))
        }
        var negative = SSHWireWriter()
        for _ in 0..<2 { negative.write(string: [0x80] + Array(repeating: 1, count: 31)) }
        let signature = SSHSignature(algorithm: .ecdsaP256, bytes: negative.bytes)
        #expect(try !key.publicKey().isValid(signature, by: .ecdsaP256, for: [1]))
    }

    @Test func `nothing is sent before the host key was accepted, and a refused one ends the connection`() throws {
        var conversation = SSHConversation()
        try conversation.server.start()
        try conversation.run()
        #expect(conversation.names == ["hostKey"])
        #expect(throws: SSHError.self) { try conversation.client.authenticate(user: "ada", with: .none) }
        #expect(conversation.client.failure == nil)
        conversation.client.refuseHostKey()
        try conversation.run()
        #expect(conversation.failureCode == .hostKeyRefused)
        #expect(try conversation.server.take(SSHDisconnectMessage.self).count == 1)
    }

    @Test func `the offer goes out with the identification, and authentication with the new keys`() throws {
        var conversation = SSHConversation()
        let first = conversation.client.takeOutput()
        #expect(first.starts(with: Array("SSH-2.0-Riff\r\n".utf8)))
        #expect(first.count > 300)
        try conversation.server.start()
        try conversation.server.receive(first)
        try conversation.run()
        try conversation.client.acceptHostKey()
        try conversation.client.authenticate(user: "ada", with: .password(Secret("secret")))
        try conversation.run()
        #expect(conversation.server.inbox.map { $0[0] } == [5, 50])
    }

    @Test func `new keys are made at the client's wish and at the server's`() throws {
        for isStrict in [true, false] {
            var server = ScriptedSSHServer()
            server.isStrict = isStrict
            var conversation = SSHConversation(server: server)
            try conversation.logIn()
            try conversation.client.rekey()
            try conversation.run()
            try conversation.server.offer()
            try conversation.run()
            #expect(conversation.server.exchanges == 3)
            #expect(conversation.names == ["rekeyed", "rekeyed"])
            // Both at once are one exchange.
            try conversation.server.offer()
            try conversation.client.rekey()
            try conversation.run()
            #expect(conversation.server.exchanges == 4)
            #expect(conversation.client.sessionID == conversation.server.sessionID)
            #expect(conversation.client.failure == nil)
        }
    }

    @Test func `another host key for new keys ends the connection`() throws {
        var conversation = SSHConversation()
        try conversation.logIn()
        conversation.server.key = .ed25519(Curve25519.Signing.PrivateKey())
        try conversation.server.offer()
        try conversation.run()
        #expect(conversation.failureCode == .keyExchangeFailed)
    }

    @Test func `a signature over another exchange ends the connection`() throws {
        var configuration = SSHClient.Configuration()
        configuration.algorithms.keyExchange = [.curve25519]
        var conversation = SSHConversation(configuration)
        conversation.server.exchangesKeys = false
        try conversation.server.start()
        try conversation.run()
        let key = SSHSigningKey.ed25519(Curve25519.Signing.PrivateKey())
        try conversation.say(
            SSHExchangeReplyMessage(
                hostKey: try key.publicKey().blob,
                share: try SSHExchangeShare(.curve25519).bytes,
                signature: try key.signature(of: [1], by: .ed25519).blob
            )
        )
        #expect(conversation.failureCode == .keyExchangeFailed)
        #expect(conversation.names == ["ended"])
    }

    @Test func `a guess of the server's that is wrong is not looked at`() throws {
        var conversation = SSHConversation()
        conversation.server.algorithms.hostKey = [.ed25519]
        try conversation.server.start(offering: false)
        var offer = SSHOffer(
            cookie: Array(repeating: 1, count: 16),
            algorithms: conversation.server.algorithms,
            extensions: []
        )
        offer.keyExchange = ["sntrup761x25519-sha512@openssh.com", "curve25519-sha256"]
        offer.isFollowedByGuess = true
        conversation.server.exchangesKeys = false
        try conversation.server.send(offer.payload)
        try conversation.server.send([31, 1, 2, 3])
        try conversation.run()
        #expect(conversation.client.failure == nil)
        try conversation.server.send([31, 1, 2, 3])
        try conversation.run()
        #expect(conversation.failureCode == .protocolViolation)
    }

    @Test func `no algorithm in common names both lists`() throws {
        var configuration = SSHClient.Configuration()
        configuration.algorithms.cipher = [.aes128GCM]
        var conversation = SSHConversation(configuration)
        conversation.server.algorithms.cipher = [.aes256CTR]
        conversation.server.exchangesKeys = false
        try conversation.server.start()
        try conversation.run()
        let failure = try #require(conversation.client.failure)
        #expect(failure.code == .noCommonAlgorithm)
        #expect(failure.message.contains("aes128-gcm@openssh.com"))
        #expect(failure.message.contains("aes256-ctr"))
    }

    @Test func `MACs do not count beside a cipher with its own`() throws {
        var configuration = SSHClient.Configuration()
        configuration.algorithms.cipher = [.aes128GCM]
        configuration.algorithms.mac = [.sha256]
        var conversation = SSHConversation(configuration)
        conversation.server.algorithms.mac = [.sha512]
        try conversation.exchangeKeys()
        #expect(conversation.client.agreement?.toClient.mac == nil)
        #expect(conversation.client.failure == nil)
    }
}
