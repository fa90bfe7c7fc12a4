// Riff
// SPDX-License-Identifier: Apache-2.0

internal import Crypto

/// The cipher that protects the packets of one direction.
enum SSHPacketCipher: Sendable {
    /// Before the first keys.
    case none
    case gcm(SSHGCMCipher)
    case encryptThenMAC(SSHCTRCipher, SSHPacketMAC, tagBytes: Int)
    case encryptAndMAC(SSHCTRCipher, SSHPacketMAC, tagBytes: Int)

    init(_ keys: SSHPacketKeys) {
        guard let mac = keys.protection.mac else {
            self = .gcm(SSHGCMCipher(key: keys.key, nonce: keys.nonce))
            return
        }
        let cipher = SSHCTRCipher(key: keys.key, nonce: keys.nonce)
        let keyed = SSHPacketMAC(mac, key: keys.macKey)
        self =
            mac.isEncryptThenMAC
            ? .encryptThenMAC(cipher, keyed, tagBytes: mac.bytes) : .encryptAndMAC(cipher, keyed, tagBytes: mac.bytes)
    }

    /// The unit that a packet's length is a multiple of.
    var blockBytes: Int {
        if case .none = self { 8 } else { 16 }
    }

    /// Whether the length is in clear, and no part of the blocks.
    var hasClearLength: Bool {
        switch self {
        case .gcm, .encryptThenMAC: true
        case .none, .encryptAndMAC: false
        }
    }

    var tagBytes: Int {
        switch self {
        case .none: 0
        case .gcm: SSHGCMCipher.tagBytes
        case .encryptThenMAC(_, _, let bytes), .encryptAndMAC(_, _, let bytes): bytes
        }
    }
}

/// The bounds of packets.
package enum SSHPacketLimits {
    /// The longest packet that is taken. The specification asks for 35,000 bytes; no channel of ours announces more
    /// than 32 KiB.
    package static let packetBytes = 64 * 1_024
    /// The shortest: a block, without its length.
    package static let shortestBytes = 5
}
