// Riff
// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Makes payloads of the peer's bytes, at any split: one direction.
///
/// It holds no more than was received; of a packet's length nothing is believed before it is within its bounds.
package struct SSHPacketOpener: Sendable {
    private var cipher = SSHPacketCipher.none
    private var compression = SSHCompression.none
    private var isAuthenticated = false
    /// Made with the first compressed packet.
    private var inflater: SSHPayloadInflater?
    package private(set) var sequence: UInt32 = 0
    /// Packets and bytes since the keys are these.
    package private(set) var packets: UInt64 = 0
    package private(set) var bytes: UInt64 = 0

    private var buffer: [UInt8] = []
    private var start = 0
    /// The first block of a packet whose length is encrypted, once it was decrypted.
    private var firstBlock: [UInt8] = []
    /// A length out of bounds was decrypted before it could be checked.
    private var isPoisoned = false

    package init() {}

    package mutating func use(_ keys: SSHPacketKeys, resettingSequence: Bool) {
        cipher = SSHPacketCipher(keys)
        packets = 0
        bytes = 0
        if resettingSequence { sequence = 0 }
        // New keys are a new stream.
        compression = keys.protection.compression
        inflater = nil
    }

    /// From the next packet on the peer compresses, if that was agreed on.
    package mutating func startCompression() { isAuthenticated = true }

    package mutating func receive(_ more: some Collection<UInt8>) {
        if start > 0 {
            buffer.removeSubrange(..<start)
            start = 0
        }
        buffer += more
    }

    /// The next message, never empty; `nil` while a packet is not whole.
    package mutating func next() throws(SSHError) -> [UInt8]? {
        let plain: [UInt8]?
        switch cipher {
        case .none: plain = try nextClear()
        case .gcm(let gcm): plain = try nextGCM(gcm)
        case .encryptThenMAC(let ctr, let mac, let tagBytes): plain = try nextChecked(ctr, mac, tagBytes)
        case .encryptAndMAC(let ctr, let mac, let tagBytes): plain = try nextMixed(ctr, mac, tagBytes)
        }
        guard let plain else { return nil }
        sequence &+= 1
        packets += 1
        bytes += UInt64(plain.count)
        return try decompressed(try Self.payload(of: plain))
    }

    private mutating func decompressed(_ payload: [UInt8]) throws(SSHError) -> [UInt8] {
        guard isAuthenticated, compression == .delayedZlib else { return payload }
        if let inflater { return try inflater.decompress(payload) }
        let stream = try SSHPayloadInflater()
        inflater = stream
        return try stream.decompress(payload)
    }

    private var available: Int { buffer.count - start }

    private func slice(_ offset: Int, _ count: Int) -> ArraySlice<UInt8> {
        buffer[(start + offset)..<(start + offset + count)]
    }

    /// A length in clear: at most what is taken, at least a block, and whole blocks.
    private func clearLength() throws(SSHError) -> Int? {
        guard available >= 4 else { return nil }
        let length = slice(0, 4).reduce(0) { $0 << 8 | Int($1) }
        let blocks = cipher.hasClearLength ? length : length + 4
        guard Self.isPossible(length), blocks % cipher.blockBytes == 0 else { throw .damagedPacket }
        return available >= 4 + length + cipher.tagBytes ? length : nil
    }

    private static func isPossible(_ length: Int) -> Bool {
        (SSHPacketLimits.shortestBytes...SSHPacketLimits.packetBytes).contains(length)
    }

    private mutating func nextClear() throws(SSHError) -> [UInt8]? {
        guard let length = try clearLength() else { return nil }
        defer { start += 4 + length }
        return Array(slice(4, length))
    }

    private mutating func nextGCM(_ before: SSHGCMCipher) throws(SSHError) -> [UInt8]? {
        guard let length = try clearLength() else { return nil }
        var gcm = before
        do {
            let tag = slice(4 + length, SSHGCMCipher.tagBytes)
            let plain = try gcm.open(slice(4, length), tag: tag, length: slice(0, 4))
            cipher = .gcm(gcm)
            start += 4 + length + SSHGCMCipher.tagBytes
            return Array(plain)
        } catch {
            throw .damagedPacket
        }
    }

    private mutating func nextChecked(
        _ before: SSHCTRCipher,
        _ mac: SSHPacketMAC,
        _ tagBytes: Int
    ) throws(SSHError) -> [UInt8]? {
        guard let length = try clearLength() else { return nil }
        let text = slice(4, length)
        guard mac.isValid(slice(4 + length, tagBytes), sequence: sequence, slice(0, 4), text) else {
            throw .damagedPacket
        }
        var ctr = before
        do {
            let plain = try ctr.apply(text)
            cipher = .encryptThenMAC(ctr, mac, tagBytes: tagBytes)
            start += 4 + length + tagBytes
            return Array(plain)
        } catch {
            throw .damagedPacket
        }
    }

    /// The old form, where the length is encrypted and the code is of the plain text.
    ///
    /// A length that cannot be ends the connection only after as much was read as the longest packet has: the moment
    /// of the end must not tell what the first block decrypts to (CVE-2008-5161).
    private mutating func nextMixed(
        _ before: SSHCTRCipher,
        _ mac: SSHPacketMAC,
        _ tagBytes: Int
    ) throws(SSHError) -> [UInt8]? {
        let longest = 4 + SSHPacketLimits.packetBytes + tagBytes
        if isPoisoned {
            guard available >= longest else { return nil }
            throw .damagedPacket
        }
        var ctr = before
        let block = SSHCTRCipher.blockBytes
        do {
            if firstBlock.isEmpty {
                guard available >= block else { return nil }
                firstBlock = Array(try ctr.apply(slice(0, block)))
                cipher = .encryptAndMAC(ctr, mac, tagBytes: tagBytes)
            }
            let length = firstBlock.prefix(4).reduce(0) { $0 << 8 | Int($1) }
            guard Self.isPossible(length), (length + 4) % block == 0 else {
                isPoisoned = true
                return try nextMixed(ctr, mac, tagBytes)
            }
            guard available >= 4 + length + tagBytes else { return nil }
            let plain = firstBlock + Array(try ctr.apply(slice(block, 4 + length - block)))
            guard mac.isValid(slice(4 + length, tagBytes), sequence: sequence, plain, [UInt8]()) else {
                throw SSHError.damagedPacket
            }
            cipher = .encryptAndMAC(ctr, mac, tagBytes: tagBytes)
            firstBlock = []
            start += 4 + length + tagBytes
            return Array(plain.dropFirst(4))
        } catch {
            throw .damagedPacket
        }
    }

    /// The message without its padding: at least four bytes, and less than there are.
    private static func payload(of plain: [UInt8]) throws(SSHError) -> [UInt8] {
        guard let padding = plain.first.map(Int.init), padding >= 4, padding < plain.count - 1 else {
            throw .damagedPacket
        }
        return Array(plain[1..<(plain.count - padding)])
    }
}
