// Riff
// SPDX-License-Identifier: Apache-2.0

internal import Crypto
internal import RiffCore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The secret K of an exchange, in a type that zeroes itself.
package struct SSHSharedSecret: Sendable {
    private let bytes: SymmetricKey
    /// A classic exchange's secret is a number (RFC 4253 section 8), a hybrid's is a string.
    private let isNumber: Bool

    /// The secret of a classic exchange. One that is all zero comes of a point of small order and is refused
    /// (RFC 8731 section 3): whoever sent it knows it without a key.
    init(number: SharedSecret) throws(SSHError) {
        self.bytes = number.withUnsafeBytes { SymmetricKey(data: $0) }
        isNumber = true
        guard !Self.isZero(bytes) else { throw Self.zero }
    }

    /// The secret of ML-KEM with X25519: the hash of both (draft-ietf-sshm-mlkem-hybrid-kex).
    init(quantum: SymmetricKey, classic: SharedSecret) throws(SSHError) {
        let classic = classic.withUnsafeBytes { SymmetricKey(data: $0) }
        guard !Self.isZero(classic) else { throw Self.zero }
        var hash = SHA256()
        quantum.withUnsafeBytes { hash.update(bufferPointer: $0) }
        classic.withUnsafeBytes { hash.update(bufferPointer: $0) }
        bytes = SymmetricKey(data: hash.finalize())
        isNumber = false
    }

    /// For known answers: a number whose bytes are known.
    package init(knownNumber: [UInt8]) {
        bytes = SymmetricKey(data: knownNumber)
        isNumber = true
    }

    /// Hashes it in its wire form, straight from where it is.
    func add<Hash: HashFunction>(to hash: inout Hash) {
        bytes.withUnsafeBytes { all in
            let digits = isNumber ? UnsafeRawBufferPointer(rebasing: all.drop { $0 == 0 }) : all
            let sign = isNumber && (digits.first ?? 0) >= 0x80 ? 1 : 0
            withUnsafeBytes(of: UInt32(digits.count + sign).bigEndian) { hash.update(bufferPointer: $0) }
            if sign == 1 { hash.update(data: [0 as UInt8]) }
            hash.update(bufferPointer: digits)
        }
    }

    private static func isZero(_ key: SymmetricKey) -> Bool {
        key.withUnsafeBytes { $0.reduce(0 as UInt8) { $0 | $1 } == 0 }
    }

    private static var zero: SSHError {
        SSHError(.keyExchangeFailed, "The server's half of the key exchange gives away the secret, and is refused.")
    }
}
