// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffSSH
import Testing

/// A client and a scripted server in memory.
struct SSHConversation {
    var client: SSHClient
    var server: ScriptedSSHServer
    var events: [SSHClientEvent] = []
    /// The most bytes that the client is given at once.
    var pieceBytes = Int.max

    init(
        _ configuration: SSHClient.Configuration = SSHClient.Configuration(),
        server: ScriptedSSHServer = ScriptedSSHServer()
    ) {
        client = SSHClient(configuration)
        self.server = server
    }

    /// Carries bytes both ways until nobody has any.
    mutating func run() throws {
        while true {
            let toServer = client.takeOutput()
            if !toServer.isEmpty { try server.receive(toServer) }
            let toClient = server.output
            server.output = []
            var rest = toClient[...]
            while !rest.isEmpty {
                client.receive(rest.prefix(pieceBytes))
                rest = rest.dropFirst(pieceBytes)
            }
            events += client.takeEvents()
            if toServer.isEmpty, toClient.isEmpty { return }
        }
    }

    /// Up to the accepted host key and both new keys.
    mutating func exchangeKeys() throws {
        try server.start()
        try run()
        try client.acceptHostKey()
        try run()
    }

    /// Up to a user who is let in without a credential.
    mutating func logIn() throws {
        try exchangeKeys()
        try client.authenticate(user: "ada", with: .none)
        try run()
        _ = try server.take(SSHServiceRequestMessage.self)
        _ = try server.take(SSHAuthenticationRequest.self)
        try server.send(SSHServiceAcceptMessage(service: "ssh-userauth").payload)
        try server.send(SSHAuthenticationSuccess().payload)
        try run()
        try #require(client.isAuthenticated)
        events = []
    }

    /// Up to an open session; the server's number of it is 7.
    mutating func openSession(
        window: UInt32 = 1 << 20,
        remoteWindow: UInt32 = 1 << 20,
        packetBytes: UInt32 = 32_768
    ) throws -> SSHChannelNumber {
        if !client.isAuthenticated { try logIn() }
        let channel = try client.open(.session, window: window)
        try run()
        _ = try server.take(SSHChannelOpen.self)
        try server.send(
            SSHChannelOpenConfirmation(
                recipient: channel.value,
                sender: 7,
                window: remoteWindow,
                packetBytes: packetBytes
            ).payload
        )
        try run()
        events = []
        return channel
    }

    /// Sends a message of the server, and carries everything.
    mutating func say(_ message: some SSHMessage) throws {
        try server.send(message.payload)
        try run()
    }

    var failureCode: SSHErrorCode? { client.failure?.code }

    /// All output of the channels, put together.
    var output: [UInt8] {
        events.flatMap { event -> [UInt8] in
            if case .data(_, let bytes) = event { Array(bytes) } else { [] }
        }
    }

    var names: [String] { events.map { String(String(describing: $0).prefix { $0 != "(" }) } }
}
