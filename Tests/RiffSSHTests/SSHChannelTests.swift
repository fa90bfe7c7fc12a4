// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffSSH
import Testing

struct SSHChannelTests {
    private static func data(_ channel: SSHChannelNumber, _ bytes: some Collection<UInt8>) -> SSHChannelData {
        SSHChannelData(recipient: channel.value, data: Array(bytes)[...])
    }

    @Test(arguments: [
        (SSHCipher.aes128GCM, SSHMAC.sha256), (.aes256GCM, .sha256), (.aes128CTR, .sha256ETM), (.aes128CTR, .sha512ETM),
        (.aes256CTR, .sha256), (.aes256CTR, .sha512),
    ])
    func `a command has output, errors and a status, in each protection`(cipher: SSHCipher, mac: SSHMAC) throws {
        var configuration = SSHClient.Configuration()
        configuration.algorithms.cipher = [cipher]
        configuration.algorithms.mac = [mac]
        var conversation = SSHConversation(configuration)
        conversation.pieceBytes = 11
        let channel = try conversation.openSession()
        let terminal = SSHSessionRequest.terminal(type: "xterm", columns: 80, rows: 24)
        let first = try #require(try conversation.client.request(terminal, on: channel))
        let second = try #require(try conversation.client.request(.exec("ls"), on: channel))
        #expect(try conversation.client.request(.resize(columns: 100, rows: 30), on: channel) == nil)
        #expect(try conversation.client.request(.signal("INT"), on: channel) == nil)
        try conversation.run()
        let requests = try conversation.server.take(SSHChannelRequestMessage.self)
        #expect(requests.map(\.type) == ["pty-req", "exec", "window-change", "signal"])
        #expect(requests.map(\.wantsReply) == [true, true, false, false])
        #expect(requests[1].fields == [0, 0, 0, 2] + Array("ls".utf8))
        try conversation.say(SSHChannelFailure(recipient: channel.value))
        try conversation.say(SSHChannelSuccess(recipient: channel.value))
        try conversation.say(Self.data(channel, "out".utf8))
        try conversation.say(
            SSHChannelExtendedData(recipient: channel.value, type: 1, data: Array("err".utf8)[...])
        )
        let status = SSHChannelRequestMessage(
            recipient: channel.value,
            type: "exit-status",
            wantsReply: false,
            fields: [0, 0, 0, 3]
        )
        try conversation.say(status)
        try conversation.say(SSHChannelEnd(recipient: channel.value))
        try conversation.say(SSHChannelClose(recipient: channel.value))
        #expect(
            conversation.names == [
                "requestAnswered", "requestAnswered", "data", "diagnostics", "exited", "endOfData", "channelClosed",
            ]
        )
        guard case .requestAnswered(channel, first, false) = conversation.events[0],
            case .requestAnswered(channel, second, true) = conversation.events[1],
            case .exited(channel, .status(3)) = conversation.events[4]
        else { return #expect(Bool(false)) }
        #expect(conversation.output == Array("out".utf8))
        #expect(try conversation.server.take(SSHChannelClose.self).map(\.recipient) == [7])
        #expect(conversation.client.failure == nil)
    }

    @Test func `a signal ended the command`() throws {
        var conversation = SSHConversation()
        let channel = try conversation.openSession()
        var fields = SSHWireWriter()
        fields.write(text: "KILL")
        fields.write(bool: true)
        fields.write(text: "killed")
        fields.write(text: "")
        try conversation.say(
            SSHChannelRequestMessage(
                recipient: channel.value,
                type: "exit-signal",
                wantsReply: false,
                fields: fields.bytes
            )
        )
        guard case .exited(_, .signal("KILL", true, "killed"))? = conversation.events.last else {
            return #expect(Bool(false))
        }
    }

    @Test func `the server's window stops us exactly, and opens again`() throws {
        var conversation = SSHConversation()
        let channel = try conversation.openSession(remoteWindow: 100, packetBytes: 30)
        let bytes = [UInt8](repeating: 9, count: 150)
        #expect(try conversation.client.write(bytes[...], to: channel) == 100)
        #expect(try conversation.client.write([1], to: channel) == 0)
        try conversation.run()
        #expect(try conversation.server.take(SSHChannelData.self).map(\.data.count) == [30, 30, 30, 10])
        try conversation.say(SSHWindowAdjust(recipient: channel.value, bytes: 20))
        #expect(conversation.names == ["writable"])
        #expect(try conversation.client.write(bytes[...], to: channel) == 20)
        try conversation.client.sendEnd(of: channel)
        #expect(throws: SSHError.self) { try conversation.client.write([1], to: channel) }
        #expect(conversation.client.failure == nil)
    }

    @Test func `our window is what the server may send, and opens as bytes are consumed`() throws {
        var conversation = SSHConversation()
        let channel = try conversation.openSession(window: 1_000)
        try conversation.say(Self.data(channel, Array(repeating: 1, count: 1_000)))
        #expect(conversation.output.count == 1_000)
        #expect(try conversation.server.take(SSHWindowAdjust.self).isEmpty)
        try conversation.client.consume(499, of: channel)
        try conversation.run()
        #expect(try conversation.server.take(SSHWindowAdjust.self).isEmpty)
        try conversation.client.consume(1, of: channel)
        try conversation.run()
        #expect(try conversation.server.take(SSHWindowAdjust.self).map(\.bytes) == [500])
        try conversation.say(Self.data(channel, Array(repeating: 1, count: 500)))
        #expect(conversation.client.failure == nil)
        try conversation.say(Self.data(channel, [1]))
        #expect(conversation.failureCode == .protocolViolation)
    }

    @Test func `a narrower window takes effect as bytes come, and a wider one at once`() throws {
        var conversation = SSHConversation()
        let channel = try conversation.openSession(window: 1_000)
        try conversation.client.setWindow(100, of: channel)
        try conversation.say(Self.data(channel, Array(repeating: 1, count: 950)))
        try conversation.client.consume(950, of: channel)
        try conversation.run()
        #expect(try conversation.server.take(SSHWindowAdjust.self).map(\.bytes) == [50])
        try conversation.client.setWindow(1_000, of: channel)
        try conversation.run()
        #expect(try conversation.server.take(SSHWindowAdjust.self).map(\.bytes) == [900])
    }

    @Test func `new keys in the middle of a flood lose nothing, and data waits for them`() throws {
        var configuration = SSHClient.Configuration()
        configuration.rekeyBytes = 20_000
        var conversation = SSHConversation(configuration)
        let channel = try conversation.openSession(window: 4 << 20, remoteWindow: 4 << 20)
        var sent: [UInt8] = []
        for round in 0..<60 {
            let piece = (0..<3_000).map { UInt8(truncatingIfNeeded: $0 &+ round) }
            try conversation.server.send(Self.data(channel, piece).payload)
            sent += piece
            if round % 7 == 3 { try conversation.run() }
        }
        try conversation.run()
        #expect(conversation.output == sent)
        #expect(conversation.server.exchanges > 3)
        // Our way: what is not taken now is taken after the new keys.
        var rest = sent[...]
        var turns = 0
        while !rest.isEmpty, turns < 100 {
            rest = rest.dropFirst(try conversation.client.write(rest, to: channel))
            try conversation.run()
            turns += 1
        }
        #expect(turns > 2)
        #expect(try conversation.server.take(SSHChannelData.self).flatMap { Array($0.data) } == sent)
        #expect(conversation.client.failure == nil)
    }

    @Test func `requests that are made within an exchange of keys are sent after it`() throws {
        var conversation = SSHConversation()
        let channel = try conversation.openSession()
        try conversation.client.rekey()
        #expect(try conversation.client.write([1, 2], to: channel) == 0)
        try conversation.client.request(.exec("a"), on: channel)
        let other = try conversation.client.open(.streamLocal(path: "/run/a"), window: 1_000)
        #expect(other != channel)
        try conversation.run()
        #expect(conversation.server.exchanges == 2)
        #expect(conversation.server.inbox.map { $0[0] } == [98, 90])
        #expect(conversation.names.contains("writable"))
    }

    @Test func `what no packet carries is refused, and the connection stays`() throws {
        var conversation = SSHConversation()
        let channel = try conversation.openSession()
        let long = String(repeating: "x", count: 40_000)
        #expect(throws: SSHError.self) { try conversation.client.request(.exec(long), on: channel) }
        #expect(throws: SSHError.self) { try conversation.client.open(.streamLocal(path: long), window: 1) }
        #expect(throws: SSHError.self) { try conversation.client.forward(.streamLocal(path: long)) }
        try conversation.client.request(.exec("ls"), on: channel)
        try conversation.run()
        #expect(conversation.server.inbox.map { $0[0] } == [98])
        try conversation.say(SSHChannelSuccess(recipient: channel.value))
        #expect(conversation.names == ["requestAnswered"])
        #expect(conversation.client.failure == nil)
    }

    @Test func `channels of other types name where they go`() throws {
        var conversation = SSHConversation()
        try conversation.logIn()
        _ = try conversation.client.open(.tcp(host: "db", port: 5_432), window: 1)
        let refused = try conversation.client.open(.streamLocal(path: "/run/x"), window: 1)
        try conversation.run()
        let opens = try conversation.server.take(SSHChannelOpen.self)
        #expect(opens.map(\.type) == ["direct-tcpip", "direct-streamlocal@openssh.com"])
        #expect(opens[0].fields.starts(with: [0, 0, 0, 2, 0x64, 0x62, 0, 0, 0x15, 0x38]))
        try conversation.say(SSHChannelOpenFailure(recipient: refused.value, reason: 2, description: "no"))
        guard case .channelRefused(refused, 2, "no")? = conversation.events.last else { return #expect(Bool(false)) }
        #expect(throws: SSHError.self) { try conversation.client.write([1], to: refused) }
    }

    @Test func `a channel that was closed while it opened is closed`() throws {
        var conversation = SSHConversation()
        try conversation.logIn()
        let channel = try conversation.client.open(.session, window: 100)
        try conversation.client.close(channel)
        try conversation.run()
        try conversation.say(
            SSHChannelOpenConfirmation(recipient: channel.value, sender: 3, window: 10, packetBytes: 10)
        )
        #expect(try conversation.server.take(SSHChannelClose.self).map(\.recipient) == [3])
        // What is on its way is dropped, and counted.
        try conversation.say(Self.data(channel, [1, 2, 3]))
        try conversation.say(SSHChannelClose(recipient: channel.value))
        #expect(conversation.names == ["channelClosed"])
        #expect(conversation.client.failure == nil)
    }

    @Test func `connections are forwarded where it was asked for, and nowhere else`() throws {
        var conversation = SSHConversation()
        try conversation.logIn()
        _ = try conversation.client.forward(.tcp(address: "localhost", port: 0))
        try conversation.run()
        try conversation.say(SSHGlobalSuccess(fields: [0, 0, 0x1F, 0x90]))
        var fields = SSHWireWriter()
        fields.write(text: "localhost")
        fields.write(uint32: 8_080)
        fields.write(text: "10.0.0.1")
        fields.write(uint32: 4_711)
        func offer(_ type: String, _ fields: [UInt8], sender: UInt32) -> SSHChannelOpen {
            SSHChannelOpen(type: type, sender: sender, window: 100, packetBytes: 100, fields: fields)
        }
        try conversation.say(offer("forwarded-tcpip", fields.bytes, sender: 5))
        guard case .channelOffered(let channel, .tcp("localhost", 8_080, "10.0.0.1", 4_711))? = conversation.events.last
        else { return #expect(Bool(false)) }
        try conversation.client.accept(channel)
        #expect(try conversation.client.write([1], to: channel) == 1)
        try conversation.run()
        #expect(try conversation.server.take(SSHChannelOpenConfirmation.self).map(\.recipient) == [5])
        var path = SSHWireWriter()
        path.write(text: "/run/other")
        path.write(text: "")
        for (type, bytes) in [("forwarded-streamlocal@openssh.com", path.bytes), ("x11", []), ("session", [])] {
            try conversation.say(offer(type, bytes, sender: 9))
        }
        #expect(try conversation.server.take(SSHChannelOpenFailure.self).map(\.reason) == [1, 3, 3])
        #expect(conversation.client.failure == nil)
    }

    @Test func `host keys are learned with proof alone`() throws {
        var conversation = SSHConversation()
        try conversation.logIn()
        let own = conversation.server.key
        let foreign = ScriptedSSHServer().key
        var list = SSHWireWriter()
        for key in [own, foreign] { list.write(string: try key.publicKey().blob) }
        list.write(string: [1, 2, 3])
        try conversation.say(
            SSHGlobalRequestMessage(type: "hostkeys-00@openssh.com", wantsReply: false, fields: list.bytes)
        )
        guard case .hostKeysAnnounced(let keys)? = conversation.events.last else { return #expect(Bool(false)) }
        #expect(keys == [try own.publicKey(), try foreign.publicKey()])
        _ = try conversation.client.proveHostKeys(keys)
        try conversation.run()
        var proofs = SSHWireWriter()
        for key in keys {
            var data = SSHWireWriter()
            data.write(text: "hostkeys-prove-00@openssh.com")
            data.write(string: try #require(conversation.server.sessionID))
            data.write(string: key.blob)
            proofs.write(string: try own.signature(of: data.bytes, by: .ed25519).blob)
        }
        try conversation.say(SSHGlobalSuccess(fields: proofs.bytes))
        guard case .hostKeysProved(_, let proved)? = conversation.events.last else { return #expect(Bool(false)) }
        #expect(proved == [try own.publicKey()])
    }

    @Test func `a probe is answered by a refusal too, and unknown requests are`() throws {
        var conversation = SSHConversation()
        let channel = try conversation.openSession()
        let probe = try conversation.client.probe()
        try conversation.run()
        try conversation.say(SSHGlobalFailure())
        guard case .probeAnswered(probe)? = conversation.events.last else { return #expect(Bool(false)) }
        conversation.server.inbox = []
        try conversation.say(SSHGlobalRequestMessage(type: "keepalive@openssh.com", wantsReply: true))
        try conversation.say(
            SSHChannelRequestMessage(recipient: channel.value, type: "odd", wantsReply: true, fields: [1])
        )
        try conversation.say(SSHPingMessage(data: [1]))
        #expect(conversation.server.inbox.map { $0[0] } == [82, 100, 3])
        #expect(conversation.client.failure == nil)
    }
}
