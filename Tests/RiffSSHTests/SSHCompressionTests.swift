// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffDeflate
import RiffSSH
import Testing

struct SSHCompressionTests {
    private static func begun() throws -> SSHConversation {
        var configuration = SSHClient.Configuration()
        configuration.algorithms.compression = [.delayedZlib, .none]
        var conversation = SSHConversation(configuration)
        conversation.server.algorithms = configuration.algorithms
        try conversation.exchangeKeys()
        try conversation.client.authenticate(user: "ada", with: .none)
        try conversation.run()
        try conversation.say(SSHServiceAcceptMessage(service: "ssh-userauth"))
        return conversation
    }

    private static func loggedIn() throws -> SSHConversation {
        var conversation = try begun()
        try conversation.say(SSHAuthenticationSuccess())
        try #require(conversation.client.isAuthenticated)
        conversation.events = []
        return conversation
    }

    @Test func `nothing is compressed before the user is in, and everything afterwards`() throws {
        var conversation = try Self.begun()
        // The scripted server reads what is not compressed only while that is so.
        #expect(try conversation.server.take(SSHAuthenticationRequest.self).count == 1)
        try conversation.say(SSHAuthenticationSuccess())
        #expect(conversation.client.agreement?.toClient.compression == .delayedZlib)
        conversation.server.startCompression()
        let channel = try conversation.openSession()
        let bytes = [UInt8](repeating: 1, count: 30_000)
        try conversation.say(SSHChannelData(recipient: channel.value, data: bytes[...]))
        #expect(conversation.output == bytes)
        #expect(try conversation.client.write(bytes[...], to: channel) == bytes.count)
        let sent = conversation.client.takeOutput()
        #expect(sent.count < 1_000)
        try conversation.server.receive(sent)
        #expect(try conversation.server.take(SSHChannelData.self).map(\.data.count) == [30_000])
    }

    @Test func `new keys begin a new stream on both sides`() throws {
        var conversation = try Self.loggedIn()
        conversation.server.startCompression()
        let channel = try conversation.openSession()
        for _ in 0..<3 {
            try conversation.say(SSHChannelData(recipient: channel.value, data: [1, 2, 3]))
            #expect(try conversation.client.write([4, 5, 6], to: channel) == 3)
            try conversation.run()
            try conversation.client.rekey()
            try conversation.run()
        }
        #expect(conversation.server.exchanges == 4)
        #expect(conversation.output == [1, 2, 3, 1, 2, 3, 1, 2, 3])
        #expect(
            try conversation.server.take(SSHChannelData.self).flatMap { Array($0.data) } == [4, 5, 6, 4, 5, 6, 4, 5, 6]
        )
        #expect(conversation.client.failure == nil)
    }

    /// A payload of the server's own making, as it is.
    private static func deflated(_ payload: [UInt8]) throws -> [UInt8] {
        try Deflater(.zlib).compress(payload, .sync)
    }

    @Test func `a bomb ends the connection, and the largest packet does not`() throws {
        var conversation = try Self.loggedIn()
        let ignored = [2] + [UInt8](repeating: 0, count: SSHPacketLimits.packetBytes - 1)
        try conversation.server.send(try Self.deflated(ignored))
        try conversation.run()
        #expect(conversation.client.failure == nil)

        var other = try Self.loggedIn()
        try other.server.send(try Self.deflated(ignored + [0]))
        try other.run()
        #expect(other.failureCode == .limitExceeded)

        // 64 MiB out of 64 KiB, as much as deflate can.
        var third = try Self.loggedIn()
        let bomb = try Self.deflated([2] + [UInt8](repeating: 0, count: 60 << 20))
        try #require(bomb.count < 63 << 10)
        try third.server.send(bomb)
        try third.run()
        #expect(third.failureCode == .limitExceeded)
    }

    @Test(arguments: [
        [0xFF, 0xFF, 0xFF], [0x78, 0x9C], [0x78, 0x9C, 0x07, 0, 0], [94, 0, 0, 0, 0, 0, 0, 0, 1, 65],
        // Whole data, and something behind its end.
        [0x78, 0x9C, 0x63, 0x02, 0, 0, 0x03, 0, 0x03, 65],
    ])
    func `what is not compressed data ends the connection`(payload: [UInt8]) throws {
        var conversation = try Self.loggedIn()
        try conversation.server.send(payload)
        try conversation.run()
        #expect(conversation.failureCode == .protocolViolation)
    }

    @Test func `a server without compression is taken as it is, and one that insists is not`() throws {
        var configuration = SSHClient.Configuration()
        configuration.algorithms.compression = [.delayedZlib, .none]
        var conversation = SSHConversation(configuration)
        let channel = try conversation.openSession()
        try conversation.say(SSHChannelData(recipient: channel.value, data: [1]))
        #expect(conversation.output == [1])
        #expect(conversation.client.agreement?.toServer.compression == SSHCompression.none)

        var server = ScriptedSSHServer()
        server.algorithms.compression = [.delayedZlib]
        var insisting = SSHConversation(server: server)
        try insisting.server.start()
        try insisting.run()
        #expect(insisting.failureCode == .noCommonAlgorithm)
    }
}
