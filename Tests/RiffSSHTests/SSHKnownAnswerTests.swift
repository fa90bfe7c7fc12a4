// Riff
// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import RiffCore
import RiffSSH
import Testing

/// Answers that another implementation gave (Python's hashlib, hmac and cryptography).
struct SSHKnownAnswerTests {
    private static let number: [UInt8] = Array(0x80..<0xA0)
    private static let source = SSHKeySource(
        hash: .sha256,
        secret: SSHSharedSecret(knownNumber: number),
        exchangeHash: Array(0..<32),
        sessionID: Array(64..<96)
    )

    private static func bytes(_ hex: String) -> [UInt8] {
        stride(from: 0, to: hex.utf8.count, by: 2).compactMap { UInt8(hex.dropFirst($0).prefix(2), radix: 16) }
    }

    private static func agreement(_ cipher: SSHCipher, _ mac: SSHMAC?) throws -> SSHAgreement {
        var list = SSHAlgorithmList()
        list.cipher = [cipher]
        if let mac { list.mac = [mac] }
        let offer = SSHOffer(cookie: Array(repeating: 0, count: 16), algorithms: list, extensions: [])
        return try SSHAgreement(client: offer, server: offer)
    }

    private static func transcript() -> SSHTranscript {
        SSHTranscript(
            versions: (Array("SSH-2.0-client".utf8), Array("SSH-2.0-server".utf8)),
            offers: ([0x14, 0x63], [0x14, 0x73, 0x73]),
            hostKey: Array("key".utf8),
            shares: (Array(repeating: 0x71, count: 32), Array(repeating: 0x72, count: 32))
        )
    }

    /// Two packets of each form, with keys that were derived there as well.
    @Test(arguments: SSHKnownPackets.all)
    func `packets of another implementation are read`(_ known: SSHKnownPackets) throws {
        let bytes = Self.bytes(known.hex.joined())
        for piece in [1, 7, bytes.count] {
            var opener = SSHPacketOpener()
            opener.use(Self.source.toClient(try Self.agreement(known.cipher, known.mac)), resettingSequence: true)
            var messages: [[UInt8]] = []
            for start in stride(from: 0, to: bytes.count, by: piece) {
                opener.receive(bytes[start..<min(start + piece, bytes.count)])
                while let message = try opener.next() { messages.append(message) }
            }
            try #require(messages.count == 2)
            #expect(messages[0] == [2, 0, 0, 0, 5] + Array("first".utf8))
            #expect(messages[1] == [2, 0, 0, 0, 32] + Array(repeating: 0x78, count: 32))
        }
    }

    @Test(arguments: [
        (SSHHash.sha256, "63345cf722f829d970f258406f1ef78a89ac129a3f5831afa8ff842ab25df67f"),
        (
            .sha384,
            "d7662958e4b595ba09e4457573b2e4b69553e911fe0c006d4bda36a1231ba729" + "6e0d78e2769d6d603490fd68785d0ced"
        ),
        (
            .sha512,
            "080182abb45b84da9919503afc245e7e0cd4296ab5d242a075bdb4bb2d6e32f7"
                + "5efbcdda005cdf8266d73f22706cc2b8e49b29d1289b89653832f0b923b27606"
        ),
    ])
    func `the exchange hash over a secret of curve25519`(hash: SSHHash, hex: String) throws {
        let own = try Curve25519.KeyAgreement.PrivateKey(rawRepresentation: Array(0..<32))
        let peer = Self.bytes("358072d6365880d1aeea329adf9121383851ed21a28e3b75e965d0d2cd166254")
        let secret = try SSHExchangeShare(curve25519: own).secret(with: peer)
        #expect(hash.exchangeHash(of: Self.transcript(), secret: secret) == Self.bytes(hex))
    }

    /// A first bit that is set takes a zero before it, and zeros at the front are left out.
    @Test(arguments: [
        (Self.number, "f74b0c455bfe05047c7100bc078e57a69885203a37a20a368a48366da01f7462"),
        (
            [0, 0, 1] + Array(repeating: 0xFF, count: 29),
            "f08da5aac7d31680ef42a4b8f66366ad7e4b92cf5e7d343594c82dc1fd9211e8"
        ),
    ])
    func `a secret is hashed in the form of a number`(number: [UInt8], hex: String) {
        let secret = SSHSharedSecret(knownNumber: number)
        #expect(SSHHash.sha256.exchangeHash(of: Self.transcript(), secret: secret) == Self.bytes(hex))
    }
}
