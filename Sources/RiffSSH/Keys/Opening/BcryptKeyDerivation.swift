// Riff
// SPDX-License-Identifier: Apache-2.0

internal import Crypto

/// The key derivation of OpenSSH's key files (`bcrypt`, OpenBSD's bcrypt_pbkdf): PBKDF2 over a hash made of bcrypt's
/// key schedule, whose output is spread over the key.
package enum BcryptKeyDerivation {
    /// The most rounds that are done: OpenSSH writes 16 or 24. A file says how many, and could say four billion.
    package static let roundLimit = 1_024
    /// The most bytes that are made.
    static let limitBytes = 1_024

    private static let hashBytes = 32

    /// Derives a key.
    ///
    /// - Parameters:
    ///   - passphrase: Not empty.
    ///   - salt: Not empty.
    ///   - rounds: 1 to ``roundLimit``.
    ///   - count: The bytes of the key, 1 to 1,024.
    ///   - isCancelled: Asked once a round.
    /// - Returns: The key; `nil` if a number is out of its range.
    /// - Throws: `CancellationError`.
    package static func key(
        passphrase: [UInt8],
        salt: [UInt8],
        rounds: Int,
        count: Int,
        isCancelled: () -> Bool = { false }
    ) throws -> [UInt8]? {
        guard !passphrase.isEmpty, !salt.isEmpty, (1...roundLimit).contains(rounds), (1...limitBytes).contains(count)
        else { return nil }
        let hashedPassphrase = words(SHA512.hash(data: passphrase))
        let blocks = (count + hashBytes - 1) / hashBytes
        var key = [UInt8](repeating: 0, count: count)
        for block in 0..<blocks {
            let number = withUnsafeBytes(of: UInt32(block + 1).bigEndian) { Array($0) }
            var part = hash(hashedPassphrase, words(SHA512.hash(data: salt + number)))
            var sum = part
            for _ in 1..<rounds {
                if isCancelled() { throw CancellationError() }
                part = hash(hashedPassphrase, words(SHA512.hash(data: part)))
                for index in sum.indices { sum[index] ^= part[index] }
            }
            // Not one behind the other: each part gives every so many bytes.
            for (index, byte) in sum.enumerated() {
                let place = index * blocks + block
                if place < count { key[place] = byte }
            }
            part.wipe()
            sum.wipe()
        }
        return key
    }

    /// 32 bytes of a passphrase and a salt, both hashed before.
    private static func hash(_ passphrase: [UInt32], _ salt: [UInt32]) -> [UInt8] {
        var cipher = Blowfish()
        cipher.expand(key: passphrase, salt: salt)
        for _ in 0..<64 {
            cipher.expand(key: salt)
            cipher.expand(key: passphrase)
        }
        var text = words(Array("OxychromaticBlowfishSwatDynamite".utf8))
        cipher.encrypt(&text, times: 64)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(hashBytes)
        for word in text { withUnsafeBytes(of: word.littleEndian) { bytes += $0 } }
        return bytes
    }

    private static func words(_ bytes: some Sequence<UInt8>) -> [UInt32] {
        var words: [UInt32] = []
        words.reserveCapacity(16)
        var word: UInt32 = 0
        for (index, byte) in bytes.enumerated() {
            word = word << 8 | UInt32(byte)
            if index % 4 == 3 { words.append(word) }
        }
        return words
    }
}
