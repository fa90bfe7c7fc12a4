// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// The client's end of one SSH connection: a value without sockets, tasks and clock.
///
/// ``receive(_:)`` takes the peer's bytes, the calls do what a caller wants, ``takeOutput()`` gives the bytes for the
/// peer and ``takeEvents()`` what happened. Whatever a server says that is not legal in a state ends the connection
/// with one error. Everything that is kept because of a server's words is bounded; what is delivered is bounded by what
/// is received, and a caller that stops calling `receive` stops it.
package struct SSHClient: Sendable {
    package struct Configuration: Sendable {
        /// Our identification line.
        package var identification = "SSH-2.0-Riff"
        package var algorithms = SSHAlgorithmList()
        /// After so many bytes in one direction there are new keys (RFC 4344 section 3.2: at most 64 GiB).
        package var rekeyBytes: UInt64 = 32 << 30
        /// After so many packets in one direction there are new keys (RFC 4344 section 3.1: at most 2^31).
        package var rekeyPackets: UInt64 = 1 << 30

        package init() {}
    }

    /// The bounds of what a server can make us do or keep.
    package enum Limits {
        package static let packetsBeforeAuthentication: UInt64 = 4_096
        package static let bytesBeforeAuthentication: UInt64 = 4 << 20
        package static let exchangesBeforeAuthentication = 8
        package static let bannerBytes = 64 * 1_024
        package static let questionRounds = 64
        package static let heldBytes = 1 << 20
        package static let heldMessages = 4_096
        package static let channels = 1_024
        package static let offeredChannels = 64
        package static let pendingRequests = 1_024
        package static let announcedKeys = 64
        package static let forwardings = 256
    }

    let configuration: Configuration
    var identification = SSHIdentificationParser()
    /// The server's identification line, once it came.
    package internal(set) var serverIdentification: [UInt8]?
    var opener = SSHPacketOpener()
    var sealer = SSHPacketSealer()
    var exchange = SSHExchangeState()
    var authentication = SSHAuthenticationState()
    var connection = SSHConnectionState()
    /// The server's description of itself (RFC 8308).
    var extensions = SSHServerExtensions()
    /// Messages that wait for the end of a key exchange.
    var held: [(payload: [UInt8], isSecret: Bool)] = []
    var heldBytes = 0

    private var output: [UInt8] = []
    private var events: [SSHClientEvent] = []
    /// The error that ended the connection.
    package private(set) var failure: SSHError?

    /// Creates a connection; its identification and its offer are the first output, in one flight.
    package init(_ configuration: Configuration = Configuration()) {
        self.configuration = configuration
        output = Array((configuration.identification + "\r\n").utf8)
        do throws(SSHError) {
            try sendOffer()
        } catch {
            end(with: error, reason: nil)
        }
    }

    /// The bytes for the peer.
    package mutating func takeOutput() -> [UInt8] {
        defer { output = [] }
        return output
    }

    /// Returns the events, oldest first, and removes them.
    package mutating func takeEvents() -> [SSHClientEvent] {
        defer { events = [] }
        return events
    }

    /// Takes bytes of the peer, at any split.
    package mutating func receive(_ bytes: some Collection<UInt8>) {
        guard failure == nil else { return }
        do throws(SSHError) {
            try read(bytes)
        } catch {
            end(with: error, reason: error.code == .damagedPacket ? 5 : 2)
        }
    }

    /// Tells that the peer will send no more.
    package mutating func receiveEnd() {
        end(with: SSHError(.connectionLost, "The server closed the connection."), reason: nil)
    }

    /// Says good-bye. Nothing can be done with the connection afterwards.
    package mutating func disconnect() {
        end(with: SSHError(.closed, "The connection was closed."), reason: 11)
    }

    mutating func emit(_ event: SSHClientEvent) { events.append(event) }

    /// Makes a packet now, whatever is held back.
    mutating func sendNow(_ payload: [UInt8], isSecret: Bool = false) throws(SSHError) {
        try sealer.seal(payload, into: &output, isSecret: isSecret)
    }

    mutating func end(with error: SSHError, reason: UInt32?) {
        guard failure == nil else { return }
        if let reason, serverIdentification != nil {
            // The words say nothing of what was found: a peer that forges would learn from them.
            let words = reason == 11 ? "Good-bye." : "Protocol error."
            // The connection ends in any case.
            try? sendNow(SSHDisconnectMessage(reason: reason, description: words).payload)
        }
        failure = error
        emit(.ended(error))
        // The keys go with the values that hold them.
        opener = SSHPacketOpener()
        sealer = SSHPacketSealer()
        exchange = SSHExchangeState()
        authentication = SSHAuthenticationState()
        connection = SSHConnectionState()
        for index in held.indices { held[index].payload.wipe() }
        held = []
    }

    /// Does what a caller wants; an error of the connection's own ends it.
    mutating func call<Value>(_ body: (inout SSHClient) throws(SSHError) -> Value) throws(SSHError) -> Value {
        if let failure { throw failure }
        do throws(SSHError) {
            return try body(&self)
        } catch {
            if error.code != .notPossible, error.code != .unusableKey { end(with: error, reason: 11) }
            throw error
        }
    }
}
