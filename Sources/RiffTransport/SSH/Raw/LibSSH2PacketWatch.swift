// Riff
// SPDX-License-Identifier: Apache-2.0

/// Learns which channels' commands told an exit status, from the packets that libssh2 is done with.
///
/// libssh2 says 0 for a command whose server told nothing, as servers may (RFC 4254 section 6.10). Its handles do not
/// tell their numbers either: the number of the newest one is in the packet that confirmed it.
package struct LibSSH2PacketWatch: Sendable {
    private static let confirmation: UInt8 = 91
    private static let request: UInt8 = 98
    private static let exitStatus = Array("exit-status".utf8)

    /// Our number of the channel that was confirmed last; `nil` where none was seen since it was last taken.
    private var confirmed: UInt32?
    /// The channels that are watched, and whether their status was told. As many as are open.
    private var channels: [UInt32: Bool] = [:]

    package init() {}

    /// Looks at memory that is given back: a packet, or anything else.
    package mutating func didFree(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count >= 17, bytes[0] == Self.confirmation || bytes[0] == Self.request else { return }
        let channel = Self.number(bytes, at: 1)
        if bytes[0] == Self.confirmation { return confirmed = channel }
        let start = 9
        guard channels[channel] == false, Int(Self.number(bytes, at: 5)) == Self.exitStatus.count,
            bytes.count >= start + Self.exitStatus.count + 5,
            bytes[start..<(start + Self.exitStatus.count)].elementsEqual(Self.exitStatus)
        else { return }
        channels[channel] = true
    }

    /// Begins to watch the channel that was just opened.
    ///
    /// - Returns: Its number; `nil` where that was not seen, and nothing will be known of it.
    package mutating func watchNewest() -> UInt32? {
        guard let channel = confirmed else { return nil }
        confirmed = nil
        channels[channel] = false
        return channel
    }

    /// Whether a watched channel's status was told.
    package func hasStatus(_ channel: UInt32) -> Bool { channels[channel] ?? true }

    /// Ends watching, since the next channel may get the number.
    package mutating func forget(_ channel: UInt32) { channels[channel] = nil }

    private static func number(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> UInt32 {
        bytes[offset..<(offset + 4)].reduce(0) { $0 << 8 | UInt32($1) }
    }
}
