// Riff
// SPDX-License-Identifier: Apache-2.0

package import RiffCore

/// An event that a connection reports to its caller.
package enum SSHClientEvent: Sendable {
    /// The server proved that it has this key. Nothing secret is sent before it was accepted.
    case hostKey(SSHPublicKey)
    /// A text for the person, before the person is let in. Not made harmless.
    case banner(String)
    case authenticated
    /// A credential was not enough; the methods that can go on.
    case refused(methods: [String], isPartialSuccess: Bool)
    /// Questions for a person, also none of them; to be answered with ``SSHClient/answer(_:)``.
    case questions(SSHQuestions)
    /// The password was right, and has to be replaced.
    case passwordExpired(prompt: String)
    /// An outside key is to sign, with ``SSHClient/provide(signature:)``.
    case signatureNeeded(data: [UInt8], algorithm: SSHSignatureAlgorithm)
    case channelOpened(SSHChannelNumber)
    case channelRefused(SSHChannelNumber, reason: UInt32, message: String)
    /// The server opens a channel for a forwarding that was asked for; to be accepted or refused.
    case channelOffered(SSHChannelNumber, SSHForwardedChannel)
    case data(SSHChannelNumber, ArraySlice<UInt8>)
    case diagnostics(SSHChannelNumber, ArraySlice<UInt8>)
    case endOfData(SSHChannelNumber)
    case exited(SSHChannelNumber, SSHChannelExit)
    case requestAnswered(SSHChannelNumber, SSHRequestNumber, isGranted: Bool)
    /// More can be written to a channel that took less than it was given.
    case writable(SSHChannelNumber)
    /// The channel is over, on both sides.
    case channelClosed(SSHChannelNumber)
    /// The answer to a request to the server; `nil` if it was refused.
    case serverAnswered(SSHRequestNumber, fields: [UInt8]?)
    /// The server is alive.
    case probeAnswered(SSHRequestNumber)
    /// The server named all its host keys (`hostkeys-00@openssh.com`); nothing was proved yet.
    case hostKeysAnnounced([SSHPublicKey])
    /// The server proved that it has these keys.
    case hostKeysProved(SSHRequestNumber, [SSHPublicKey])
    /// Both directions have new keys.
    case rekeyed
    /// The connection is over; the last event.
    case ended(SSHError)
}

/// Names a channel of one connection; never used twice.
package struct SSHChannelNumber: Hashable, Sendable {
    package let value: UInt32
    package init(_ value: UInt32) { self.value = value }
}

/// Names a request whose answer is awaited.
package struct SSHRequestNumber: Hashable, Sendable {
    package let value: UInt64
    package init(_ value: UInt64) { self.value = value }
}
