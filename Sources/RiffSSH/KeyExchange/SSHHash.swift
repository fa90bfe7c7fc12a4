// Riff
// SPDX-License-Identifier: Apache-2.0

package import Crypto
internal import RiffCore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The hash of a key exchange, and what is made with it.
package enum SSHHash: Sendable {
    case sha256, sha384, sha512

    /// The exchange hash H (RFC 4253 section 8): of all that both sides said, and the secret.
    package func exchangeHash(of transcript: SSHTranscript, secret: SSHSharedSecret) -> [UInt8] {
        switch self {
        case .sha256: Self.exchangeHash(SHA256.self, transcript, secret)
        case .sha384: Self.exchangeHash(SHA384.self, transcript, secret)
        case .sha512: Self.exchangeHash(SHA512.self, transcript, secret)
        }
    }

    /// A derived key (RFC 4253 section 7.2).
    package func key(
        _ letter: Character,
        bytes: Int,
        secret: SSHSharedSecret,
        exchangeHash: [UInt8],
        sessionID: [UInt8]
    ) -> SymmetricKey {
        let letter = letter.asciiValue ?? 0
        return switch self {
        case .sha256: Self.key(SHA256.self, letter, bytes, secret, exchangeHash, sessionID)
        case .sha384: Self.key(SHA384.self, letter, bytes, secret, exchangeHash, sessionID)
        case .sha512: Self.key(SHA512.self, letter, bytes, secret, exchangeHash, sessionID)
        }
    }

    private static func exchangeHash<Hash: HashFunction>(
        _: Hash.Type,
        _ transcript: SSHTranscript,
        _ secret: SSHSharedSecret
    ) -> [UInt8] {
        var hash = Hash()
        hash.update(data: transcript.encoded)
        secret.add(to: &hash)
        return Array(hash.finalize())
    }

    private static func key<Hash: HashFunction>(
        _: Hash.Type,
        _ letter: UInt8,
        _ count: Int,
        _ secret: SSHSharedSecret,
        _ exchangeHash: [UInt8],
        _ sessionID: [UInt8]
    ) -> SymmetricKey {
        var bytes: [UInt8] = []
        // Never grown, so that no copy of a part stays behind.
        bytes.reserveCapacity(count + Hash.Digest.byteCount)
        while bytes.count < count {
            var hash = Hash()
            secret.add(to: &hash)
            hash.update(data: exchangeHash)
            if bytes.isEmpty {
                hash.update(data: [letter])
                hash.update(data: sessionID)
            } else {
                hash.update(data: bytes)
            }
            bytes += hash.finalize()
        }
        defer { bytes.wipe() }
        return SymmetricKey(data: bytes.prefix(count))
    }
}

/// The words of both sides, as the exchange hash takes them.
package struct SSHTranscript: Sendable {
    package var clientVersion: [UInt8]
    package var serverVersion: [UInt8]
    package var clientOffer: [UInt8]
    package var serverOffer: [UInt8]
    package var hostKey: [UInt8]
    package var clientShare: [UInt8]
    package var serverShare: [UInt8]

    package init(
        versions: (client: [UInt8], server: [UInt8]),
        offers: (client: [UInt8], server: [UInt8]),
        hostKey: [UInt8],
        shares: (client: [UInt8], server: [UInt8])
    ) {
        clientVersion = versions.client
        serverVersion = versions.server
        clientOffer = offers.client
        serverOffer = offers.server
        self.hostKey = hostKey
        clientShare = shares.client
        serverShare = shares.server
    }

    fileprivate var encoded: [UInt8] {
        var writer = SSHWireWriter()
        for part in [clientVersion, serverVersion, clientOffer, serverOffer, hostKey, clientShare, serverShare] {
            writer.write(string: part)
        }
        return writer.bytes
    }
}
