// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Makes packets of payloads (RFC 4253 section 6): one direction.
package struct SSHPacketSealer: Sendable {
    private var cipher = SSHPacketCipher.none
    private var compression = SSHCompression.none
    private var isAuthenticated = false
    /// Made with the first compressed packet.
    private var deflater: SSHPayloadDeflater?
    package private(set) var sequence: UInt32 = 0
    /// Packets and bytes since the keys are these.
    package private(set) var packets: UInt64 = 0
    package private(set) var bytes: UInt64 = 0
    private var padding = SSHPadding()

    package init() {}

    /// Takes new keys; with strict key exchange the numbers begin again.
    package mutating func use(_ keys: SSHPacketKeys, resettingSequence: Bool) {
        cipher = SSHPacketCipher(keys)
        packets = 0
        bytes = 0
        if resettingSequence { sequence = 0 }
        // New keys are a new stream.
        compression = keys.protection.compression
        deflater = nil
    }

    /// Compresses from the next packet on, if that was agreed on.
    package mutating func startCompression() { isAuthenticated = true }

    /// Appends a packet.
    ///
    /// - Parameters:
    ///   - payload: A message.
    ///   - output: The bytes for the peer.
    ///   - isSecret: Whether the copy that is made is overwritten, as that of a password.
    /// - Throws: ``SSHError`` with `notPossible`, if the library cannot encrypt.
    package mutating func seal(
        _ payload: [UInt8],
        into output: inout [UInt8],
        isSecret: Bool = false
    ) throws(SSHError) {
        let payload = try compressed(payload)
        let head = cipher.hasClearLength ? 1 : 5
        let block = cipher.blockBytes
        var paddingBytes = block - (head + payload.count) % block
        if paddingBytes < 4 { paddingBytes += block }
        let length = UInt32(1 + payload.count + paddingBytes)
        let lengthBytes = withUnsafeBytes(of: length.bigEndian) { Array($0) }
        var plain: [UInt8] = []
        plain.reserveCapacity(5 + payload.count + paddingBytes)
        if !cipher.hasClearLength { plain += lengthBytes }
        plain.append(UInt8(paddingBytes))
        plain += payload
        padding.add(paddingBytes, to: &plain)
        defer { if isSecret { plain.wipe() } }
        do {
            try append(plain, lengthBytes, to: &output)
        } catch {
            throw SSHError(.notPossible, "A packet could not be encrypted.", cause: error)
        }
        sequence &+= 1
        packets += 1
        bytes += UInt64(length)
    }

    private mutating func compressed(_ payload: [UInt8]) throws(SSHError) -> [UInt8] {
        guard isAuthenticated, compression == .delayedZlib else { return payload }
        if let deflater { return try deflater.compress(payload) }
        let stream = try SSHPayloadDeflater()
        deflater = stream
        return try stream.compress(payload)
    }

    private mutating func append(_ plain: [UInt8], _ length: [UInt8], to output: inout [UInt8]) throws {
        switch cipher {
        case .none:
            output += plain
        case .gcm(var gcm):
            let sealed = try gcm.seal(plain, length: length)
            cipher = .gcm(gcm)
            output += length
            output += sealed.text
            output += sealed.tag
        case .encryptThenMAC(var ctr, let mac, let tagBytes):
            let text = try ctr.apply(plain[...])
            cipher = .encryptThenMAC(ctr, mac, tagBytes: tagBytes)
            output += length
            output += text
            output += mac.code(sequence: sequence, length, text)
        case .encryptAndMAC(var ctr, let mac, let tagBytes):
            output += try ctr.apply(plain[...])
            cipher = .encryptAndMAC(ctr, mac, tagBytes: tagBytes)
            output += mac.code(sequence: sequence, plain, [UInt8]())
        }
    }
}

/// Random padding, taken from the system in larger pieces: a call for each packet costs more than its cipher.
private struct SSHPadding: Sendable {
    private var pool: [UInt8] = []

    mutating func add(_ count: Int, to bytes: inout [UInt8]) {
        if pool.count < count {
            var random = SystemRandomNumberGenerator()
            for _ in 0..<64 { withUnsafeBytes(of: random.next()) { pool += $0 } }
        }
        bytes += pool.suffix(count)
        pool.removeLast(count)
    }
}
