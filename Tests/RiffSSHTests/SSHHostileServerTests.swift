// Riff
// SPDX-License-Identifier: Apache-2.0

import Crypto
import RiffCore
import RiffSSH
import Testing

/// Servers that break the protocol on purpose: each ends in one error, and nothing grows.
struct SSHHostileServerTests {
    private static let ignore: [UInt8] = [2, 0, 0, 0, 0]

    // MARK: - Before the keys

    @Test(arguments: [
        ("SSH-1.5-Old\r\n", 1), ("SSH-2.0-", 40), ("SSH-2.0-a\u{0}b\r\n", 1), ("hello\r\n", 3_000), ("x", 20_000),
    ])
    func `what is no SSH 2 server is told, at any split`(part: String, count: Int) {
        let text = String(repeating: part, count: count) + "\r\n"
        for piece in [1, 1_000, Int.max] {
            var client = SSHClient()
            var rest = Array(text.utf8)[...]
            while !rest.isEmpty {
                client.receive(rest.prefix(piece))
                rest = rest.dropFirst(piece)
            }
            #expect(client.failure?.code == .notSSH)
        }
    }

    @Test(arguments: ["", "Welcome\r\nSSH\r\n"], ["\r\n", "\n"])
    func `lines before the identification, and a bare line feed, are taken`(before: String, end: String) throws {
        var client = SSHClient()
        client.receive(Array((before + "SSH-2.0-x" + end).utf8))
        #expect(client.failure == nil)
        #expect(client.serverIdentification == Array("SSH-2.0-x".utf8))
    }

    @Test(arguments: [0, 1, 4, 6, 13, 65_540, 0x7FFF_FFFF, 0xFFFF_FFFF] as [UInt32])
    func `an impossible length of a packet ends the connection before its bytes came`(length: UInt32) {
        var client = SSHClient()
        client.receive(Array("SSH-2.0-x\r\n".utf8))
        client.receive(withUnsafeBytes(of: length.bigEndian) { Array($0) })
        #expect(client.failure?.code == .damagedPacket)
    }

    @Test(arguments: [0, 3, 11, 12, 255] as [UInt8])
    func `padding that is too short or longer than the packet`(padding: UInt8) {
        var client = SSHClient()
        client.receive(Array("SSH-2.0-x\r\n".utf8))
        client.receive([0, 0, 0, 12, padding] + Array(repeating: 0, count: 11))
        #expect(client.failure?.code == .damagedPacket)
    }

    @Test func `with strict exchange nothing comes before the offer, and nothing within the exchange`() throws {
        for isStrict in [true, false] {
            var conversation = SSHConversation()
            conversation.server.isStrict = isStrict
            try conversation.server.start(offering: false)
            try conversation.server.send(Self.ignore)
            try conversation.server.offer()
            try conversation.run()
            #expect(conversation.failureCode == (isStrict ? .protocolViolation : nil))
        }
        for payload in [Self.ignore, [4, 1, 0, 0, 0, 0, 0, 0, 0, 0], [3, 0, 0, 0, 0], [7, 0, 0, 0, 0], [192], [99]] {
            var conversation = SSHConversation()
            conversation.server.exchangesKeys = false
            try conversation.server.start()
            try conversation.server.send(payload)
            try conversation.run()
            #expect(conversation.failureCode == .protocolViolation)
        }
    }

    @Test func `numbers begin again with each new keys, so that a packet taken away is noticed`() throws {
        var conversation = SSHConversation()
        try conversation.exchangeKeys()
        try conversation.client.authenticate(user: "ada", with: .none)
        try conversation.run()
        try conversation.server.send(Self.ignore)
        conversation.server.output = []
        try conversation.say(SSHServiceAcceptMessage(service: "ssh-userauth"))
        #expect(conversation.failureCode == .damagedPacket)
    }

    @Test func `the halves of an exchange that give the secret away or are malformed are refused`() throws {
        let zero = [UInt8](repeating: 0, count: 32)
        var one = zero
        one[0] = 1
        // A point of order 8 (RFC 7748's curve has it in every implementation's list).
        let eight: [UInt8] = [
            0xE0, 0xEB, 0x7A, 0x7C, 0x3B, 0x41, 0xB8, 0xAE, 0x16, 0x56, 0xE3, 0xFA, 0xF1, 0x9F, 0xC4, 0x6A, 0xDA, 0x09,
            0x8D, 0xEB, 0x9C, 0x32, 0xB1, 0xFD, 0x86, 0x62, 0x05, 0x16, 0x5F, 0x49, 0xB8, 0x00,
        ]
        for share in [zero, one, eight, [], Array(repeating: 9, count: 31), Array(repeating: 9, count: 33)] {
            #expect(throws: SSHError.self) { try SSHExchangeShare(.curve25519).secret(with: share) }
        }
        for (method, count) in [(SSHKeyExchangeMethod.p256, 65), (.p384, 97), (.p521, 133)] {
            let offCurve = [4] + [UInt8](repeating: 1, count: count - 1)
            let compressed = [2] + [UInt8](repeating: 1, count: (count - 1) / 2)
            for share in [offCurve, compressed, [0], [], Array(offCurve.dropLast())] {
                #expect(throws: SSHError.self) { try SSHExchangeShare(method).secret(with: share) }
            }
        }
        guard SSHKeyExchangeMethod.mlkem768x25519.isAvailable else { return }
        let hybrid = try SSHExchangeShare(.mlkem768x25519)
        #expect(hybrid.bytes.count == 1_216)
        let reply = try SSHExchangeShare.reply(.mlkem768x25519, to: hybrid.bytes).share
        #expect(reply.count == 1_120)
        for share in [Array(reply.dropLast()), reply + [0], reply.dropLast(32) + zero, []] {
            #expect(throws: SSHError.self) { try hybrid.secret(with: share) }
        }
    }

    @Test func `a small-order half ends the connection`() throws {
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
                share: Array(repeating: 0, count: 32),
                signature: try key.signature(of: [], by: .ed25519).blob
            )
        )
        #expect(conversation.failureCode == .keyExchangeFailed)
        #expect(conversation.names == ["ended"])
    }

    // MARK: - After the keys

    @Test(arguments: [
        (SSHCipher.aes128GCM, SSHMAC.sha256), (.aes128CTR, .sha256ETM), (.aes128CTR, .sha512), (.aes256CTR, .sha256),
    ])
    func `a changed byte anywhere in a packet ends the connection with one error`(
        cipher: SSHCipher,
        mac: SSHMAC
    ) throws {
        var configuration = SSHClient.Configuration()
        configuration.algorithms.cipher = [cipher]
        configuration.algorithms.mac = [mac]
        var conversation = SSHConversation(configuration)
        let channel = try conversation.openSession()
        try conversation.server.send(SSHChannelData(recipient: channel.value, data: [1, 2, 3]).payload)
        let packet = conversation.server.output
        for index in packet.indices {
            var changed = packet
            changed[index] ^= 1
            var client = conversation.client
            client.receive(changed)
            // A length that was made longer waits for its bytes, and a form with a hidden length for the longest
            // packet.
            if client.failure == nil { client.receive([UInt8](repeating: 0, count: 70_000)) }
            #expect(client.failure?.code == .damagedPacket)
            #expect(
                client.takeEvents().allSatisfy {
                    if case .data = $0 { false } else { true }
                }
            )
        }
    }

    @Test func `a hidden length that cannot be tells nothing by when the connection ends`() throws {
        var configuration = SSHClient.Configuration()
        configuration.algorithms.cipher = [.aes128CTR]
        configuration.algorithms.mac = [.sha256]
        var conversation = SSHConversation(configuration)
        _ = try conversation.openSession(window: 1_000)
        var client = conversation.client
        client.receive([UInt8](repeating: 0xA5, count: 65_000))
        #expect(client.failure == nil)
        client.receive([UInt8](repeating: 0xA5, count: 2_000))
        #expect(client.failure?.code == .damagedPacket)
    }

    private static func begun() throws -> SSHConversation {
        var conversation = SSHConversation()
        try conversation.exchangeKeys()
        return conversation
    }

    @Test(
        arguments: [
            [5, 0, 0, 0, 1, 0x61], [6, 0, 0, 0, 12] + Array("ssh-userauth".utf8), [21], [30, 0, 0, 0, 0],
            [31, 0, 0, 0, 0],
            [22], [49], [50], [51, 0, 0, 0, 0, 0], [52], [53, 0, 0, 0, 0, 0, 0, 0, 0], [60], [80, 0, 0, 0, 1, 0x61, 1],
            [81], [82], [90], [91], [94, 0, 0, 0, 0, 0, 0, 0, 1, 1], [97, 0, 0, 0, 0], [98], [193, 0, 0, 0, 0],
        ] as [[UInt8]]
    )
    func `before authentication was asked for, this is not legal`(payload: [UInt8]) throws {
        var conversation = try Self.begun()
        try conversation.server.send(payload)
        try conversation.run()
        if payload[0] == 5 {
            // A request for a service is the client's alone; it is answered as unknown.
            #expect(conversation.server.inbox.map { $0[0] } == [3])
        } else {
            #expect(conversation.failureCode == .protocolViolation)
        }
    }

    @Test(
        arguments: [
            [6, 0, 0, 0, 12] + Array("ssh-userauth".utf8), [7, 0, 0, 0, 0], [21], [31, 0, 0, 0, 0],
            [51, 0, 0, 0, 0, 0], [52],
            [53, 0, 0, 0, 0, 0, 0, 0, 0], [60], [81], [82], [91, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1],
            [92, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0], [93, 0, 0, 0, 5, 0, 0, 0, 1],
            [93, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF], [94, 0, 0, 0, 5, 0, 0, 0, 0],
            [95, 0, 0, 0, 5, 0, 0, 0, 1, 0, 0, 0, 0],
            [96, 0, 0, 0, 5], [97, 0, 0, 0, 5], [98, 0, 0, 0, 5, 0, 0, 0, 1, 0x61, 1], [99, 0, 0, 0, 0],
            [100, 0, 0, 0, 0],
            [193, 0, 0, 0, 0], [94, 0, 0, 0, 0, 0, 0, 0, 9, 1],
            [98, 0, 0, 0, 0, 0, 0, 0, 11] + Array("exit-status".utf8) + [0, 0],
            [90] + [0, 0, 0, 1, 0x61] + [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0],
        ] as [[UInt8]]
    )
    func `with a session open, this is not legal`(payload: [UInt8]) throws {
        var conversation = SSHConversation()
        let channel = try conversation.openSession()
        try #require(channel.value == 0)
        try conversation.server.send(payload)
        try conversation.run()
        #expect(conversation.failureCode == .protocolViolation)
        #expect(conversation.names.filter { $0 == "ended" }.count == 1)
        // Nothing follows, whatever else comes.
        conversation.client.receive([1, 2, 3])
        #expect(conversation.client.takeEvents().isEmpty)
        #expect(throws: SSHError.self) { try conversation.client.open(.session, window: 1) }
    }

    @Test func `nothing comes after a channel's end, and nothing after its close`() throws {
        let after: [[UInt8]] = [
            SSHChannelData(recipient: 0, data: [1]).payload, SSHChannelEnd(recipient: 0).payload,
            SSHChannelExtendedData(recipient: 0, type: 1, data: [1]).payload,
        ]
        for payload in after {
            var conversation = SSHConversation()
            let channel = try conversation.openSession()
            try conversation.say(SSHChannelEnd(recipient: channel.value))
            try conversation.server.send(payload)
            try conversation.run()
            #expect(conversation.failureCode == .protocolViolation)
        }
        for payload in after + [SSHChannelClose(recipient: 0).payload] {
            var conversation = SSHConversation()
            let channel = try conversation.openSession()
            try conversation.say(SSHChannelClose(recipient: channel.value))
            try conversation.server.send(payload)
            try conversation.run()
            #expect(conversation.failureCode == .protocolViolation)
        }
    }

    /// paramiko's server does so when a command ends before its request is answered.
    @Test func `an answer or a wider window for a channel that was closed meets nobody`() throws {
        var conversation = SSHConversation()
        let channel = try conversation.openSession()
        try conversation.client.request(.exec("ls"), on: channel)
        try conversation.say(SSHChannelClose(recipient: channel.value))
        try conversation.say(SSHChannelSuccess(recipient: channel.value))
        try conversation.say(SSHChannelFailure(recipient: channel.value))
        try conversation.say(SSHWindowAdjust(recipient: channel.value, bytes: 1))
        #expect(conversation.names == ["channelClosed"])
        #expect(conversation.client.failure == nil)
    }

    @Test func `within an exchange of new keys nothing else comes`() throws {
        for payload in [SSHChannelData(recipient: 0, data: [1]).payload, [80, 0, 0, 0, 1, 0x61, 0], [20], [52]] {
            var conversation = SSHConversation()
            _ = try conversation.openSession()
            conversation.server.exchangesKeys = false
            try conversation.server.offer()
            try conversation.server.send(payload)
            try conversation.run()
            #expect(conversation.failureCode == .protocolViolation)
        }
    }

    // MARK: - Floods

    @Test func `floods before authentication end`() throws {
        let banner = SSHAuthenticationBanner(text: String(repeating: "x", count: 30_000)).payload
        for payload in [Self.ignore, banner, [4, 1, 0, 0, 0, 0, 0, 0, 0, 0], [2] + Array(repeating: 0, count: 30_000)] {
            var conversation = try Self.begun()
            try conversation.client.authenticate(user: "ada", with: .none)
            try conversation.run()
            try conversation.say(SSHServiceAcceptMessage(service: "ssh-userauth"))
            var count = 0
            while conversation.client.failure == nil, count < 6_000 {
                try conversation.server.send(payload)
                try conversation.run()
                count += 1
            }
            #expect(conversation.failureCode == (payload == banner ? .endlessBanners : .limitExceeded))
        }
    }

    @Test func `extensions come at most twice, and exchanges before authentication are counted`() throws {
        var conversation = SSHConversation()
        let message = SSHExtensionInfoMessage([("server-sig-algs", Array("ssh-ed25519".utf8))])
        conversation.server.afterKeys = [message.payload, message.payload]
        try conversation.exchangeKeys()
        #expect(conversation.client.failure == nil)
        try conversation.say(message)
        #expect(conversation.failureCode == .protocolViolation)

        var other = try Self.begun()
        for _ in 0..<20 where other.client.failure == nil {
            try other.server.offer()
            try other.run()
        }
        #expect(other.failureCode == .limitExceeded)
    }

    @Test func `questions that a server asks while keys are exchanged are bounded`() throws {
        var conversation = SSHConversation()
        _ = try conversation.openSession()
        conversation.server.exchangesKeys = false
        try conversation.client.rekey()
        try conversation.run()
        var count = 0
        while conversation.client.failure == nil, count < 10_000 {
            try conversation.say(SSHGlobalRequestMessage(type: "x", wantsReply: true))
            count += 1
        }
        #expect(conversation.failureCode == .limitExceeded)
        #expect(count <= SSHClient.Limits.heldMessages + 1)
    }

    @Test func `rounds of questions, announced keys and offered channels are bounded`() throws {
        var conversation = try Self.begun()
        try conversation.client.authenticate(user: "ada", with: .questions)
        try conversation.run()
        try conversation.say(SSHServiceAcceptMessage(service: "ssh-userauth"))
        var rounds = 0
        while conversation.client.failure == nil, rounds < 1_000 {
            try conversation.say(SSHQuestions(name: "", instruction: "", prompts: []))
            if conversation.client.failure == nil { try conversation.client.answer([]) }
            rounds += 1
        }
        #expect(conversation.failureCode == .endlessQuestions)

        var keys = SSHConversation()
        try keys.logIn()
        let empty = [UInt8](repeating: 0, count: 4 * 65)
        try keys.say(SSHGlobalRequestMessage(type: "hostkeys-00@openssh.com", wantsReply: false, fields: empty))
        #expect(keys.failureCode == .limitExceeded)

        var channels = SSHConversation()
        try channels.logIn()
        _ = try channels.client.forward(.streamLocal(path: "/a"))
        try channels.run()
        try channels.say(SSHGlobalSuccess())
        var fields = SSHWireWriter()
        fields.write(text: "/a")
        fields.write(text: "")
        for sender in 0..<UInt32(70) {
            let type = "forwarded-streamlocal@openssh.com"
            try channels.say(
                SSHChannelOpen(type: type, sender: sender, window: 1, packetBytes: 1, fields: fields.bytes)
            )
        }
        #expect(channels.names.filter { $0 == "channelOffered" }.count == SSHClient.Limits.offeredChannels)
        #expect(try channels.server.take(SSHChannelOpenFailure.self).map(\.reason) == Array(repeating: 4, count: 6))
        #expect(channels.client.failure == nil)
    }

    @Test func `a server's last words are made harmless`() throws {
        var conversation = SSHConversation()
        try conversation.logIn()
        try conversation.say(SSHDisconnectMessage(reason: 2, description: "bye\u{1B}]52;c;eA==\u{7}\r\nmore"))
        let failure = try #require(conversation.client.failure)
        #expect(failure.code == .disconnected)
        #expect(failure.message.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F })
        #expect(failure.message.contains("bye"))
    }

    @Test func `an end in the middle is a lost connection`() throws {
        var conversation = SSHConversation()
        _ = try conversation.openSession()
        conversation.client.receiveEnd()
        #expect(conversation.failureCode == .connectionLost)
        #expect(conversation.client.takeOutput().isEmpty)
    }
}
