// Riff
// SPDX-License-Identifier: Apache-2.0

import Crypto
import CryptoExtras
import RiffCore
import RiffSSH
import Testing

struct SSHAuthenticationTests {
    private static func begun(_ login: SSHLogin, extensions: [String]? = nil) throws -> SSHConversation {
        var conversation = SSHConversation()
        if let extensions {
            let value = Array(extensions.joined(separator: ",").utf8)
            conversation.server.afterKeys = [SSHExtensionInfoMessage([("server-sig-algs", value)]).payload]
        }
        try conversation.exchangeKeys()
        try conversation.client.authenticate(user: "ada", with: login)
        try conversation.run()
        try conversation.say(SSHServiceAcceptMessage(service: "ssh-userauth"))
        conversation.events = []
        return conversation
    }

    private static func refusal(_ methods: [String], partly: Bool = false) -> SSHAuthenticationFailure {
        SSHAuthenticationFailure(methods: methods, isPartialSuccess: partly)
    }

    @Test func `a refusal has the methods, and the next credential lets the user in`() throws {
        var conversation = try Self.begun(.none)
        try conversation.say(Self.refusal(["publickey", "password"]))
        guard case .refused(let methods, false)? = conversation.events.last else { throw Missing() }
        #expect(methods == ["publickey", "password"])
        try conversation.client.authenticate(user: "ada", with: .password(Secret("geheim")))
        try conversation.run()
        let request = try #require(try conversation.server.take(SSHAuthenticationRequest.self).last)
        guard case .password(let password, nil) = request.method else { throw Missing() }
        #expect(password == Array("geheim".utf8))
        try conversation.say(SSHAuthenticationSuccess())
        #expect(conversation.client.isAuthenticated)
        #expect(conversation.names.last == "authenticated")
    }

    private static func keys() throws -> [SSHSigningKey] {
        [
            .ed25519(Curve25519.Signing.PrivateKey()), .p256(P256.Signing.PrivateKey()),
            .p384(P384.Signing.PrivateKey()), .p521(P521.Signing.PrivateKey()),
            .rsa(try _RSA.Signing.PrivateKey(keySize: .bits2048)),
        ]
    }

    @Test func `a key signs for its user and this connection, held here or by somebody else`() throws {
        for key in try Self.keys() {
            let publicKey = try key.publicKey()
            for isOutside in [false, true] {
                var conversation = try Self.begun(isOutside ? .outsideKey(publicKey, asksFirst: true) : .key(key))
                if isOutside {
                    let algorithm = try #require(key.algorithms.first)
                    _ = try conversation.server.take(SSHAuthenticationRequest.self)
                    try conversation.say(SSHKeyAcceptable(algorithm: algorithm.rawValue, blob: publicKey.blob))
                    guard case .signatureNeeded(let data, algorithm)? = conversation.events.last else {
                        throw Missing()
                    }
                    try conversation.client.provide(signature: key.signature(of: data, by: algorithm).bytes)
                    try conversation.run()
                }
                let request = try #require(try conversation.server.take(SSHAuthenticationRequest.self).last)
                guard case .publicKey(let name, let blob, let bytes?) = request.method else { throw Missing() }
                let algorithm = try #require(SSHSignatureAlgorithm(rawValue: name))
                let signed = SSHAuthenticationRequest.signedData(
                    user: "ada",
                    algorithm: algorithm,
                    blob: blob,
                    sessionID: try #require(conversation.server.sessionID)
                )
                #expect(publicKey.isValid(try SSHSignature(blob: bytes), by: algorithm, for: signed))
                try conversation.say(SSHAuthenticationSuccess())
                #expect(conversation.client.isAuthenticated)
            }
        }
    }

    @Test(arguments: [["ssh-ed25519", "rsa-sha2-256"], ["rsa-sha2-512", "rsa-sha2-256"]])
    func `RSA signs by what the server takes, and waits for its word`(taken: [String]) throws {
        let key = SSHSigningKey.rsa(try _RSA.Signing.PrivateKey(keySize: .bits2048))
        var conversation = try Self.begun(.key(key), extensions: taken)
        let request = try #require(try conversation.server.take(SSHAuthenticationRequest.self).last)
        guard case .publicKey(let name, _, _) = request.method else { throw Missing() }
        #expect(name == taken.first { $0.hasPrefix("rsa") })
    }

    @Test func `questions are asked in rounds, also one without questions, and more can follow a partial success`()
        throws
    {
        var conversation = try Self.begun(.questions)
        let prompt = SSHQuestions.Prompt(text: "Code:", isEchoed: false)
        try conversation.say(SSHQuestions(name: "n", instruction: "i", prompts: [prompt, prompt]))
        guard case .questions(let questions)? = conversation.events.last else { throw Missing() }
        #expect(questions.prompts == [prompt, prompt])
        #expect(questions.instruction == "i")
        #expect(throws: SSHError.self) { try conversation.client.answer([Secret("1")]) }
        try conversation.client.answer([Secret("1"), Secret("2")])
        try conversation.run()
        #expect(try conversation.server.take(SSHAnswers.self).map(\.answers) == [[[0x31], [0x32]]])
        try conversation.say(SSHQuestions(name: "", instruction: "", prompts: []))
        try conversation.client.answer([])
        try conversation.run()
        try conversation.say(Self.refusal(["password"], partly: true))
        guard case .refused(["password"], true)? = conversation.events.last else { throw Missing() }
        try conversation.client.authenticate(user: "ada", with: .password(Secret("x")))
        try conversation.run()
        try conversation.say(SSHAuthenticationSuccess())
        #expect(conversation.client.isAuthenticated)
    }

    @Test func `an expired password is replaced, and a banner is told`() throws {
        var conversation = try Self.begun(.password(Secret("old")))
        try conversation.say(SSHAuthenticationBanner(text: "See https://example.org"))
        guard case .banner("See https://example.org")? = conversation.events.last else { throw Missing() }
        try conversation.say(SSHPasswordChangeRequest(prompt: "Another one"))
        guard case .passwordExpired("Another one")? = conversation.events.last else { throw Missing() }
        _ = try conversation.server.take(SSHAuthenticationRequest.self)
        try conversation.client.changePassword(to: Secret("new"))
        try conversation.run()
        let request = try #require(try conversation.server.take(SSHAuthenticationRequest.self).last)
        guard case .password(let old, let new?) = request.method else { throw Missing() }
        #expect((old, new) == (Array("old".utf8), Array("new".utf8)))
        try conversation.say(SSHAuthenticationSuccess())
        #expect(conversation.client.isAuthenticated)
    }

    @Test(arguments: [
        SSHAuthenticationSuccess().payload, [60, 0, 0, 0, 0], [61, 0, 0, 0, 0], [63],
        SSHAuthenticationFailure(methods: [], isPartialSuccess: false).payload,
    ])
    func `an answer to nothing ends the connection`(payload: [UInt8]) throws {
        var conversation = try Self.begun(.none)
        try conversation.say(Self.refusal(["password"]))
        try conversation.server.send(payload)
        try conversation.run()
        #expect(conversation.failureCode == .protocolViolation)
        #expect(!conversation.client.isAuthenticated)
    }

    @Test func `a success while an outside key signs is none`() throws {
        let key = try SSHSigningKey.ed25519(Curve25519.Signing.PrivateKey()).publicKey()
        var conversation = try Self.begun(.outsideKey(key, asksFirst: false))
        try conversation.say(SSHAuthenticationSuccess())
        #expect(conversation.failureCode == .protocolViolation)
    }

    @Test func `another key than the one that was asked about is not signed for`() throws {
        let key = try SSHSigningKey.ed25519(Curve25519.Signing.PrivateKey()).publicKey()
        let other = try SSHSigningKey.ed25519(Curve25519.Signing.PrivateKey()).publicKey()
        var conversation = try Self.begun(.outsideKey(key, asksFirst: true))
        try conversation.say(SSHKeyAcceptable(algorithm: "ssh-ed25519", blob: other.blob))
        #expect(conversation.failureCode == .protocolViolation)
    }

    private struct Missing: Error {}
}
