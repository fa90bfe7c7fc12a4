// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffSSH
import Testing

/// Each message, cut at each byte and with each of its counts and lengths changed.
struct SSHMessageTests {
    private struct Case: Sendable {
        let payload: [UInt8]
        let read: @Sendable ([UInt8]) throws -> [UInt8]
        /// Messages that end in fields of their type are whole at more than one length.
        let isOpenEnded: Bool

        init<Message: SSHMessage>(_ message: Message, isOpenEnded: Bool = false) {
            payload = message.payload
            read = { try Message(payload: $0).payload }
            self.isOpenEnded = isOpenEnded
        }
    }

    private static let cases: [Case] = {
        let offer = SSHOffer(cookie: Array(0..<16), algorithms: SSHAlgorithmList(), extensions: ["ext-info-c"])
        let prompt = SSHQuestions.Prompt(text: "Code:", isEchoed: true)
        let key = SSHAuthenticationRequest.Method.publicKey(algorithm: "ssh-ed25519", blob: [1, 2], signature: [3])
        return [
            Case(offer), Case(SSHExchangeInitMessage(share: [1, 2, 3])),
            Case(SSHExchangeReplyMessage(hostKey: [1], share: [2, 3], signature: [4, 5, 6])), Case(SSHNewKeysMessage()),
            Case(SSHDisconnectMessage(reason: 2, description: "bye"), isOpenEnded: true),
            Case(SSHUnimplementedMessage(sequence: 9)), Case(SSHServiceRequestMessage(service: "ssh-userauth")),
            Case(SSHServiceAcceptMessage(service: "ssh-userauth")),
            Case(SSHExtensionInfoMessage([("a", [1]), ("b", [])])), Case(SSHPingMessage(data: [1, 2])),
            Case(SSHAuthenticationRequest(user: "a", method: .none)),
            Case(SSHAuthenticationRequest(user: "a", method: .password([1], replacement: [2]))),
            Case(SSHAuthenticationRequest(user: "a", method: key)),
            Case(SSHAuthenticationRequest(user: "a", method: .keyboardInteractive)),
            Case(SSHAuthenticationFailure(methods: ["a", "b"], isPartialSuccess: true)),
            Case(SSHAuthenticationSuccess()), Case(SSHAuthenticationBanner(text: "hello"), isOpenEnded: true),
            Case(SSHKeyAcceptable(algorithm: "x", blob: [1])),
            Case(SSHPasswordChangeRequest(prompt: "p"), isOpenEnded: true),
            Case(SSHQuestions(name: "n", instruction: "i", prompts: [prompt, prompt])),
            Case(SSHAnswers(answers: [[1], [2, 3]])),
            Case(
                SSHChannelOpen(type: "session", sender: 1, window: 2, packetBytes: 3, fields: [4]),
                isOpenEnded: true
            ),
            Case(
                SSHChannelOpenConfirmation(recipient: 1, sender: 2, window: 3, packetBytes: 4),
                isOpenEnded: true
            ),
            Case(SSHChannelOpenFailure(recipient: 1, reason: 2, description: "no"), isOpenEnded: true),
            Case(SSHWindowAdjust(recipient: 1, bytes: 2)), Case(SSHChannelData(recipient: 1, data: [1, 2])),
            Case(SSHChannelExtendedData(recipient: 1, type: 1, data: [1, 2])), Case(SSHChannelEnd(recipient: 1)),
            Case(SSHChannelClose(recipient: 1)), Case(SSHChannelSuccess(recipient: 1)),
            Case(SSHChannelFailure(recipient: 1)),
            Case(
                SSHChannelRequestMessage(recipient: 1, type: "x", wantsReply: true, fields: [1]),
                isOpenEnded: true
            ),
            Case(SSHGlobalRequestMessage(type: "x", wantsReply: true, fields: [1]), isOpenEnded: true),
            Case(SSHGlobalSuccess(fields: [1, 2]), isOpenEnded: true), Case(SSHGlobalFailure()),
        ]
    }()

    @Test func `what was written is read back`() throws {
        for item in Self.cases { #expect(try item.read(item.payload) == item.payload) }
    }

    @Test func `a cut message is malformed, at each byte, and so is one with more`() {
        for item in Self.cases {
            for count in 0..<item.payload.count {
                let cut = Array(item.payload.prefix(count))
                if item.isOpenEnded {
                    _ = try? item.read(cut)
                } else {
                    #expect(throws: SSHError.self) { try item.read(cut) }
                }
            }
            if !item.isOpenEnded { #expect(throws: SSHError.self) { try item.read(item.payload + [0]) } }
        }
    }

    @Test func `no byte of a message can make reading trap`() {
        for item in Self.cases {
            for index in item.payload.indices {
                for value: UInt8 in [0, 1, 0x7F, 0x80, 0xFF] {
                    var changed = item.payload
                    changed[index] = value
                    _ = try? item.read(changed)
                }
            }
        }
    }

    @Test func `lists and counts are bounded`() {
        var offer = SSHOffer(cookie: Array(0..<16), algorithms: SSHAlgorithmList(), extensions: [])
        offer.cipherToClient = Array(repeating: "x", count: 65_536)
        #expect(throws: SSHError.self) { try SSHOffer(payload: offer.payload) }
        offer.cipherToClient = [String(repeating: "x", count: 257)]
        #expect(throws: SSHError.self) { try SSHOffer(payload: offer.payload) }
        offer.cipherToClient = ["a\u{1B}[2J"]
        #expect(throws: SSHError.self) { try SSHOffer(payload: offer.payload) }
        let extensions = SSHExtensionInfoMessage(Array(repeating: ("a", []), count: 65))
        #expect(throws: SSHError.self) { try SSHExtensionInfoMessage(payload: extensions.payload) }
        let prompts = Array(repeating: SSHQuestions.Prompt(text: "", isEchoed: false), count: 65)
        let questions = SSHQuestions(name: "", instruction: "", prompts: prompts)
        #expect(throws: SSHError.self) { try SSHQuestions(payload: questions.payload) }
        for count: [UInt8] in [[0xFF, 0xFF, 0xFF, 0xFF], [0x7F, 0xFF, 0xFF, 0xFF], [0, 1, 0, 0]] {
            #expect(throws: SSHError.self) { try SSHExtensionInfoMessage(payload: [7] + count) }
            #expect(throws: SSHError.self) { try SSHChannelData(payload: [94, 0, 0, 0, 0] + count) }
        }
    }
}
