// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// Channels, and requests to the server that have no answer yet.
struct SSHConnectionState: Sendable {
    enum Pending: Sendable {
        case request
        case probe
        case forwarding(SSHForwarding)
        case cancel(SSHForwarding)
        case proof([SSHPublicKey])
    }

    /// By our numbers of them.
    var channels: [UInt32: SSHChannelState] = [:]
    private(set) var nextChannel: UInt32 = 0
    private(set) var nextRequest: UInt64 = 0
    /// Answers come in the order of the requests, and name none (RFC 4254 section 4).
    var pending: [(number: SSHRequestNumber, kind: Pending)] = []
    var pings: [SSHRequestNumber] = []
    /// The forwardings that the server was asked for, and agreed to.
    var forwardings: Set<SSHForwarding> = []

    mutating func makeRequest() -> SSHRequestNumber {
        defer { nextRequest += 1 }
        return SSHRequestNumber(nextRequest)
    }

    /// Adds a channel. Numbers are not used again, so that a late word cannot meet another channel.
    mutating func add(_ state: SSHChannelState) throws(SSHError) -> SSHChannelNumber {
        guard channels.count < SSHClient.Limits.channels, nextChannel < .max else {
            throw SSHError(.notPossible, "There are too many channels.")
        }
        defer { nextChannel += 1 }
        channels[nextChannel] = state
        return SSHChannelNumber(nextChannel)
    }
}
