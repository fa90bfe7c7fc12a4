// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffSSH
import Testing

/// New keys at each point of a connection's life, asked for by either side, cut at any byte.
struct SSHRekeyTests {
    private typealias Step = (inout SSHConversation) throws -> Void

    /// A channel that opens, carries everything that a command has, and closes; another one that is refused.
    private static func steps() -> [(isClients: Bool, step: Step)] {
        let first = SSHChannelNumber(0)
        let status = SSHChannelRequestMessage(
            recipient: 0,
            type: "exit-status",
            wantsReply: true,
            fields: [0, 0, 0, 9]
        )
        return [
            (true, { _ = try $0.client.open(.session, window: 1_000) }),
            (false, { try $0.say(SSHChannelOpenConfirmation(recipient: 0, sender: 7, window: 500, packetBytes: 100)) }),
            (true, { _ = try $0.client.request(.exec("ls"), on: first) }),
            (false, { try $0.say(SSHChannelSuccess(recipient: 0)) }),
            (true, { _ = try $0.client.open(.tcp(host: "a", port: 1), window: 1_000) }),
            (false, { try $0.say(SSHChannelData(recipient: 0, data: Array(repeating: 1, count: 900)[...])) }),
            (true, { try $0.client.consume(900, of: first) }),
            (false, { try $0.say(SSHChannelOpenFailure(recipient: 1, reason: 2, description: "no")) }),
            (true, { _ = try $0.client.probe() }), (false, { try $0.say(SSHGlobalFailure()) }),
            (false, { try $0.say(SSHChannelExtendedData(recipient: 0, type: 1, data: [2])) }),
            (true, { try $0.client.sendEnd(of: first) }), (false, { try $0.say(status) }),
            (false, { try $0.say(SSHChannelEnd(recipient: 0)) }), (true, { try $0.client.close(first) }),
            (false, { try $0.say(SSHChannelClose(recipient: 0)) }),
        ]
    }

    private static let events = [
        "channelOpened", "requestAnswered", "data", "channelRefused", "probeAnswered", "diagnostics", "exited",
        "endOfData", "channelClosed",
    ]
    private static let messages: [UInt8] = [90, 98, 90, 93, 80, 96, 99, 97]

    private enum Side: CaseIterable { case client, server, both }

    @Test(arguments: [1, 13, Int.max], SSHCompression.allCases)
    func `they change nothing of it`(pieceBytes: Int, compression: SSHCompression) throws {
        for place in Self.steps().indices {
            for side in Side.allCases {
                var configuration = SSHClient.Configuration()
                configuration.algorithms.keyExchange = [.curve25519]
                configuration.algorithms.compression = [compression]
                var conversation = SSHConversation(configuration)
                conversation.server.algorithms = configuration.algorithms
                conversation.pieceBytes = pieceBytes
                try conversation.logIn()
                conversation.server.startCompression()
                for (index, item) in Self.steps().enumerated() {
                    if index == place {
                        if side != .server { try conversation.client.rekey() }
                        if side != .client { try conversation.server.offer() }
                        // Nobody may send anything else after an offer; what the client wants meanwhile waits.
                        if !item.isClients { try conversation.run() }
                    }
                    try item.step(&conversation)
                    try conversation.run()
                }
                let what = "\(side) at \(place)"
                #expect(conversation.client.failure == nil, "\(what)")
                #expect(conversation.server.exchanges == 2, "\(what)")
                #expect(conversation.names.filter { $0 != "rekeyed" } == Self.events, "\(what)")
                #expect(conversation.names.count { $0 == "rekeyed" } == 1, "\(what)")
                #expect(conversation.server.inbox.map { $0[0] } == Self.messages, "\(what)")
            }
        }
    }
}
