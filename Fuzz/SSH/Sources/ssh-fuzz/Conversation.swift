// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffSSH

/// A client and a scripted server in memory.
struct Conversation {
    var client: SSHClient
    var server = ScriptedSSHServer()
    private(set) var outputBytes = 0

    /// Carries bytes both ways until nobody has any.
    mutating func run() throws {
        while true {
            let toServer = client.takeOutput()
            outputBytes += toServer.count
            precondition(outputBytes < 8 << 20, "A server makes us send too much.")
            if !toServer.isEmpty { try server.receive(toServer) }
            let toClient = server.output
            server.output = []
            if !toClient.isEmpty { client.receive(toClient) }
            _ = client.takeEvents()
            // The answers of a scripted server are not looked at.
            server.inbox = []
            if toServer.isEmpty, toClient.isEmpty { return }
        }
    }

    /// With keys, and a user that asked to be let in.
    static func waiting(compresses: Bool = false) throws -> Conversation {
        var configuration = SSHClient.Configuration()
        if compresses { configuration.algorithms.compression = [.delayedZlib] }
        var conversation = Conversation(client: SSHClient(configuration))
        // The server sends what it is told to as it is: what the client inflates are the input's own bytes.
        conversation.server.algorithms = configuration.algorithms
        try conversation.server.start()
        try conversation.run()
        try conversation.client.acceptHostKey()
        try conversation.run()
        try conversation.client.authenticate(user: "ada", with: .questions)
        try conversation.run()
        try conversation.server.send(SSHServiceAcceptMessage(service: "ssh-userauth").payload)
        try conversation.run()
        return conversation
    }

    /// Let in, with an open session that has a request, a forwarding and a probe.
    static func loggedIn(compresses: Bool = false) throws -> Conversation {
        var conversation = try waiting(compresses: compresses)
        try conversation.server.send(SSHAuthenticationSuccess().payload)
        try conversation.run()
        if compresses { return conversation }
        let channel = try conversation.client.open(.session, window: 1 << 20)
        try conversation.run()
        try conversation.server.send(
            SSHChannelOpenConfirmation(recipient: channel.value, sender: 7, window: 1 << 20, packetBytes: 32_768)
                .payload
        )
        try conversation.run()
        try conversation.client.request(.exec("x"), on: channel)
        _ = try conversation.client.forward(.tcp(address: "", port: 0))
        try conversation.client.probe()
        try conversation.run()
        return conversation
    }
}

/// A point that a conversation reached; made once, and copied for each input.
struct Stage {
    let conversation: Conversation

    static let waiting = made { try Conversation.waiting() }
    static let loggedIn = made { try Conversation.loggedIn() }

    private static func made(_ make: () throws -> Conversation) -> Stage {
        do { return Stage(conversation: try make()) } catch { preconditionFailure("\(error)") }
    }
}
