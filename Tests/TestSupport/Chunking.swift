// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffTesting

/// The ways in which bytes may arrive.
package enum Chunking {
    /// Whole; byte by byte; in two parts, at each place or at so many of them; in parts of chance, some of them empty.
    package static func all(_ bytes: [UInt8], splits: Int = .max, random: Int = 50) -> [[[UInt8]]] {
        var ways = [[bytes], bytes.map { [$0] }]
        let step = max(1, bytes.count / splits)
        ways += stride(from: 0, to: bytes.count, by: step).map { [Array(bytes[..<$0]), Array(bytes[$0...])] }
        var generator = SeededGenerator(seed: 7)
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
}
