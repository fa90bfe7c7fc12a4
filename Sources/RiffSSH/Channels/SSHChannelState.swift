// Riff
// SPDX-License-Identifier: Apache-2.0

/// One channel: its windows, exactly, and what may still be said on it.
struct SSHChannelState: Sendable {
    /// The most bytes of data in one message of ours, and of what we take.
    static let packetBytes: UInt32 = 32 * 1_024
    /// The most requests whose answers may be outstanding.
    static let requestLimit = 256

    enum Phase: Sendable {
        /// We asked for it.
        case opening
        /// The server asked for it, and has no answer yet.
        case offered
        case open
    }

    var phase: Phase
    /// The server's number of it.
    var remote: UInt32 = 0

    /// The number of bytes that the server may still send.
    private(set) var window: UInt32
    /// The number of bytes that were delivered and are not consumed yet.
    private(set) var unconsumed: UInt32 = 0
    /// The size that both are to have together.
    private(set) var target: UInt32

    /// The number of bytes that we may still send.
    private(set) var remoteWindow: UInt32 = 0
    private var remotePacketBytes: UInt32 = 0

    var requests: [SSHRequestNumber] = []
    var hasSentEnd = false
    var hasSentClose = false
    var hasReceivedEnd = false
    /// Whether less was written than was given, so that the caller waits.
    var isCallerWaiting = false
    /// Whether it is closed as soon as it is open.
    var closesWhenOpen = false

    init(phase: Phase, window: UInt32) {
        self.phase = phase
        self.window = window
        target = window
    }

    mutating func setRemote(number: UInt32, window: UInt32, packetBytes: UInt32) throws(SSHError) {
        guard packetBytes > 0 else { throw .violation("a channel takes no packets") }
        remote = number
        remoteWindow = window
        remotePacketBytes = min(packetBytes, Self.packetBytes)
        phase = .open
    }

    /// The most that one message can carry now.
    var sendable: Int { Int(min(remoteWindow, remotePacketBytes)) }

    mutating func sent(_ count: Int) { remoteWindow -= UInt32(count) }

    mutating func widenRemote(by bytes: UInt32) throws(SSHError) {
        let (sum, overflow) = remoteWindow.addingReportingOverflow(bytes)
        guard !overflow else { throw .violation("a window is wider than 2^32 - 1 bytes") }
        remoteWindow = sum
    }

    /// Takes data off the window.
    mutating func receive(_ count: Int) throws(SSHError) {
        guard !hasReceivedEnd else { throw .violation("data came after a channel's end") }
        guard count <= Int(Self.packetBytes) else { throw .violation("a message has more data than was allowed") }
        guard count <= Int(window) else { throw .violation("more data came than the window has") }
        window -= UInt32(count)
        unconsumed += UInt32(count)
    }

    /// Notes that delivered bytes were used up.
    mutating func consume(_ count: Int) { unconsumed -= UInt32(min(max(count, 0), Int(unconsumed))) }

    mutating func setTarget(_ bytes: UInt32) { target = bytes }

    /// The bytes to widen the window by, once it is worth a message.
    mutating func takeCredit() -> UInt32? {
        let used = UInt64(window) + UInt64(unconsumed)
        guard UInt64(target) > used, !hasReceivedEnd, !hasSentClose, phase == .open else { return nil }
        let credit = UInt32(UInt64(target) - used)
        guard credit >= min(max(target / 2, 1), 3 * Self.packetBytes) else { return nil }
        window += credit
        return credit
    }
}
