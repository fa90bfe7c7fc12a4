// Riff
// SPDX-License-Identifier: Apache-2.0

/// Blowfish (Schneier 1993) with the costly key schedule of bcrypt: only what the passphrases of key files need.
///
/// Its tables are read at places that the passphrase decides, which shows in the time of the processor's caches. It
/// works on the person's own device, on the person's own passphrase, as ssh-keygen does.
package struct Blowfish {
    /// A block is two words; blocks go by two, as both calls here have an even count of them.
    typealias Block = (left: UInt32, right: UInt32)

    private static let subkeys = 18
    /// The subkeys, and behind them the four substitutions.
    private var state: [UInt32]

    /// The cipher before any key.
    package init() { state = Self.digits }

    /// Mixes a key in, and with each block a piece of the salt.
    ///
    /// - Parameters:
    ///   - key: At least one word; taken round and round.
    ///   - salt: A count of words that is even, taken round and round; none is a salt of zeros.
    mutating func expand(key: [UInt32], salt: [UInt32] = []) {
        state.withUnsafeMutableBufferPointer { state in
            for index in 0..<Self.subkeys { state[index] ^= key[index % key.count] }
            var block: Block = (0, 0)
            var place = 0
            for index in stride(from: 0, to: state.count, by: 2) {
                if !salt.isEmpty {
                    block.left ^= salt[place]
                    block.right ^= salt[place + 1]
                    place = (place + 2) % salt.count
                }
                Self.encrypt(&block, state)
                state[index] = block.left
                state[index + 1] = block.right
            }
        }
    }

    /// Encrypts each block by itself, so many times.
    mutating func encrypt(_ words: inout [UInt32], times: Int) {
        state.withUnsafeMutableBufferPointer { state in
            for index in stride(from: 0, to: words.count, by: 2) {
                var block: Block = (words[index], words[index + 1])
                for _ in 0..<times { Self.encrypt(&block, state) }
                words[index] = block.left
                words[index + 1] = block.right
            }
        }
    }

    /// Sixteen rounds. Every place in the table is one of a byte behind a constant, so that all of them are within it.
    @inline(__always)
    private static func encrypt(_ block: inout Block, _ state: UnsafeMutableBufferPointer<UInt32>) {
        var left = block.left
        var right = block.right
        for round in stride(from: 0, to: 16, by: 2) {
            left ^= state[round]
            right ^= mixed(left, state)
            right ^= state[round + 1]
            left ^= mixed(right, state)
        }
        block = (right ^ state[17], left ^ state[16])
    }

    @inline(__always)
    private static func mixed(_ word: UInt32, _ state: UnsafeMutableBufferPointer<UInt32>) -> UInt32 {
        let first = state[18 + Int(word >> 24)] &+ state[274 + Int(word >> 16 & 0xFF)]
        return (first ^ state[530 + Int(word >> 8 & 0xFF)]) &+ state[786 + Int(word & 0xFF)]
    }
}
