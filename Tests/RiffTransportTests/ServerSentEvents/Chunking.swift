// Riff
// SPDX-License-Identifier: Apache-2.0

/// The ways in which bytes may arrive.
enum Chunking {
    /// Whole; byte by byte; in two parts, at each place or at so many of them; in parts of chance, some of them empty.
    static func all(_ bytes: [UInt8], splits: Int = .max, random: Int = 50) -> [[[UInt8]]] {
        var ways = [[bytes], bytes.map { [$0] }]
        let step = max(1, bytes.count / splits)
        ways += stride(from: 0, to: bytes.count, by: step).map { [Array(bytes[..<$0]), Array(bytes[$0...])] }
        var generator = Generator(state: 7)
        for _ in 0..<random {
            var rest = bytes[...]
            var parts: [[UInt8]] = []
            while !rest.isEmpty {
                let part = rest.prefix(Int.random(in: 0...9, using: &generator))
                parts.append(Array(part))
                rest = rest.dropFirst(part.count)
            }
            ways.append(parts)
        }
        return ways
    }

    /// The same numbers each time (SplitMix64).
    struct Generator: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var value = state
            value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
            value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
            return value ^ (value >> 31)
        }
    }
}
