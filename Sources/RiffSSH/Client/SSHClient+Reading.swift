// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

extension SSHClient {
    mutating func read(_ bytes: some Collection<UInt8>) throws(SSHError) {
        if serverIdentification == nil {
            guard let found = try identification.receive(Array(bytes)[...]) else { return }
            serverIdentification = found.line
            opener.receive(found.rest)
        } else {
            opener.receive(bytes)
        }
        while failure == nil, let payload = try opener.next() {
            try handle(payload)
            try watchAmounts()
        }
    }

    /// Handles a message; its meaning depends on the state first, and then on its kind.
    private mutating func handle(_ payload: [UInt8]) throws(SSHError) {
        // A packet without a message is refused when it is opened.
        let number = payload.first ?? 0
        let isFirstAfterKeys = exchange.isFirstMessageAfterKeys
        exchange.isFirstMessageAfterKeys = false
        if exchange.isStrictlyInside, !Self.isOfExchange(number) {
            throw .violation("a message of type \(number) came within the first key exchange")
        }
        switch number {
        case 1: try handleDisconnect(payload)
        case 2: break
        case 3: try handleUnimplemented()
        case 4: break
        case SSHExtensionInfoMessage.number: try handleExtensions(payload, isFirst: isFirstAfterKeys)
        case SSHMessageNumber.negotiation, SSHMessageNumber.keyExchange: try handleExchange(number, payload)
        default:
            // Between the peer's offer and its new keys nothing else is legal (RFC 4253 section 7.1).
            guard exchange.sessionID != nil, !exchange.isPeerInside else {
                throw .violation("a message of type \(number) came within a key exchange")
            }
            try handleProtected(number, payload)
        }
    }

    private mutating func handleProtected(_ number: UInt8, _ payload: [UInt8]) throws(SSHError) {
        switch number {
        case SSHServiceAcceptMessage.number: try handleServiceAccept(payload)
        case SSHMessageNumber.authentication: try handleAuthentication(number, payload)
        case SSHMessageNumber.connection:
            guard authentication.isDone else { throw .violation("a channel's message came before authentication") }
            try handleConnection(number, payload)
        case SSHPingMessage.answerNumber: try handlePong()
        default: try send(SSHUnimplementedMessage(sequence: opener.sequence &- 1))
        }
    }

    private static func isOfExchange(_ number: UInt8) -> Bool {
        number == 1 || SSHMessageNumber.negotiation.contains(number) || SSHMessageNumber.keyExchange.contains(number)
    }

    private mutating func handleDisconnect(_ payload: [UInt8]) throws(SSHError) {
        let message = try SSHDisconnectMessage(payload: payload)
        let words = InertText.quote(message.description)
        let text = "The server ended the connection (reason \(message.reason))" + (words.isEmpty ? "." : ": \(words)")
        end(with: SSHError(.disconnected, text), reason: nil)
    }

    /// Handles the answer of a server that does not know the ping it announced: it counts as the pong.
    private mutating func handleUnimplemented() throws(SSHError) {
        guard !connection.pings.isEmpty else { return }
        try handlePong()
    }

    private mutating func handleExtensions(_ payload: [UInt8], isFirst: Bool) throws(SSHError) {
        // RFC 8308 section 2.4: the first message after the first new keys, and once more before the success.
        guard exchange.sessionID != nil, !exchange.isPeerInside, !authentication.isDone else {
            throw .violation("extensions came at the wrong time")
        }
        guard isFirst || extensions.messages == 0 || !extensions.hasSecond else {
            throw .violation("extensions came again")
        }
        let message = try SSHExtensionInfoMessage(payload: payload)
        if !isFirst { extensions.hasSecond = true }
        extensions.take(message)
    }

    /// Bounds what comes before a user is let in, and asks for new keys where the old ones have done enough.
    private mutating func watchAmounts() throws(SSHError) {
        guard failure == nil else { return }
        if !authentication.isDone {
            exchange.packetsBeforeAuthentication += 1
            guard exchange.packetsBeforeAuthentication <= Limits.packetsBeforeAuthentication,
                opener.bytes <= Limits.bytesBeforeAuthentication
            else { throw .limit("too much before it let anybody in") }
        }
        try rekeyIfDue()
    }

    mutating func rekeyIfDue() throws(SSHError) {
        guard exchange.sessionID != nil, !exchange.isHolding, !exchange.isPeerInside else { return }
        let bytes = max(opener.bytes, sealer.bytes)
        let packets = max(opener.packets, sealer.packets)
        if bytes >= configuration.rekeyBytes || packets >= configuration.rekeyPackets { try sendOffer() }
    }
}

/// The server's description of itself (RFC 8308 section 3; OpenSSH's PROTOCOL, section 1.9).
struct SSHServerExtensions: Sendable {
    /// The signatures that it takes of users; `nil` where it did not say.
    private(set) var signatures: [String]?
    private(set) var hasPing = false
    private(set) var messages = 0
    var hasSecond = false

    mutating func take(_ message: SSHExtensionInfoMessage) {
        messages += 1
        for (name, value) in message.extensions {
            switch name {
            case "server-sig-algs":
                signatures = value.split(separator: UInt8(ascii: ",")).prefix(64).map {
                    String(decoding: $0, as: UTF8.self)
                }
            case "ping@openssh.com": hasPing = true
            default: break
            }
        }
    }
}
