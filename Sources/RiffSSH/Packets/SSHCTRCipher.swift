// Riff
// SPDX-License-Identifier: Apache-2.0

internal import Crypto
internal import CryptoExtras

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// AES in counter mode (RFC 4344): one direction.
struct SSHCTRCipher: Sendable {
    static let blockBytes = 16

    private let key: SymmetricKey
    private var counter: UInt128

    init(key: SymmetricKey, nonce: SymmetricKey) {
        self.key = key
        counter = nonce.withUnsafeBytes { $0.reduce(0) { $0 << 8 | UInt128($1) } }
    }

    /// Encrypts or decrypts whole blocks, and continues from there.
    mutating func apply(_ bytes: ArraySlice<UInt8>) throws -> Data {
        let nonce = try AES._CTR.Nonce(nonceBytes: withUnsafeBytes(of: counter.bigEndian) { Array($0) })
        // The whole 128 bits count, and wrap (RFC 4344 section 4).
        counter &+= UInt128(bytes.count / Self.blockBytes)
        return try AES._CTR.encrypt(bytes, using: key, nonce: nonce)
    }
}

/// HMAC over a packet and its number (RFC 6668), keyed once.
enum SSHPacketMAC: Sendable {
    case sha256(HMAC<SHA256>)
    case sha512(HMAC<SHA512>)

    init(_ mac: SSHMAC, key: SymmetricKey) {
        switch mac {
        case .sha256, .sha256ETM: self = .sha256(HMAC(key: key))
        case .sha512, .sha512ETM: self = .sha512(HMAC(key: key))
        }
    }

    func code(sequence: UInt32, _ first: some DataProtocol, _ second: some DataProtocol) -> [UInt8] {
        switch self {
        case .sha256(let keyed): Array(Self.finish(keyed, sequence, first, second))
        case .sha512(let keyed): Array(Self.finish(keyed, sequence, first, second))
        }
    }

    /// Compares in constant time, by the library's own comparison of codes.
    func isValid(
        _ code: ArraySlice<UInt8>,
        sequence: UInt32,
        _ first: some DataProtocol,
        _ second: some DataProtocol
    ) -> Bool {
        switch self {
        case .sha256(let keyed): Self.finish(keyed, sequence, first, second) == Array(code)
        case .sha512(let keyed): Self.finish(keyed, sequence, first, second) == Array(code)
        }
    }

    private static func finish<Hash: HashFunction>(
        _ keyed: HMAC<Hash>,
        _ sequence: UInt32,
        _ first: some DataProtocol,
        _ second: some DataProtocol
    ) -> HMAC<Hash>.MAC {
        var mac = keyed
        mac.update(data: withUnsafeBytes(of: sequence.bigEndian) { Array($0) })
        mac.update(data: first)
        mac.update(data: second)
        return mac.finalize()
    }
}
