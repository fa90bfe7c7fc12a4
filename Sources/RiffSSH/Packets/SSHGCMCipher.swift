// Riff
// SPDX-License-Identifier: Apache-2.0

internal import Crypto

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// `aes128-gcm@openssh.com` and `aes256-gcm@openssh.com` (RFC 5647, with the length in clear): one direction.
struct SSHGCMCipher: Sendable {
    static let tagBytes = 16

    private let key: SymmetricKey
    private let fixed: [UInt8]
    private var invocation: UInt64

    init(key: SymmetricKey, nonce: SymmetricKey) {
        self.key = key
        let nonce = nonce.withUnsafeBytes { Array($0) }
        fixed = Array(nonce.prefix(4))
        invocation = nonce.dropFirst(4).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// The encrypted text with its tag.
    mutating func seal(_ text: [UInt8], length: [UInt8]) throws -> (text: Data, tag: Data) {
        let box = try AES.GCM.seal(text, using: key, nonce: nextNonce(), authenticating: length)
        return (box.ciphertext, box.tag)
    }

    /// The text of a packet; the tag is compared in constant time by the library, before anything is decrypted.
    mutating func open(
        _ text: ArraySlice<UInt8>,
        tag: ArraySlice<UInt8>,
        length: ArraySlice<UInt8>
    ) throws -> Data {
        let box = try AES.GCM.SealedBox(nonce: nextNonce(), ciphertext: text, tag: tag)
        return try AES.GCM.open(box, using: key, authenticating: length)
    }

    /// The counter may wrap: it is the 64 bits that are never the same twice under one key.
    private mutating func nextNonce() throws -> AES.GCM.Nonce {
        let nonce = fixed + withUnsafeBytes(of: invocation.bigEndian) { Array($0) }
        invocation &+= 1
        return try AES.GCM.Nonce(data: nonce)
    }
}
