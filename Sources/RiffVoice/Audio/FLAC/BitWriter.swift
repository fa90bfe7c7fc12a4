// Riff
// SPDX-License-Identifier: Apache-2.0

/// Packs numbers into bytes, most significant bit first.
struct BitWriter: Sendable {
    private(set) var bytes: [UInt8] = []
    private var pending: UInt64 = 0
    private var count = 0

    /// Appends the lowest bits of a number, up to 32 of them; a negative one in two's complement.
    mutating func append(_ value: Int, bits: Int) {
        pending = pending << UInt64(bits) | UInt64(truncatingIfNeeded: value) & (1 << UInt64(bits) - 1)
        count += bits
        while count >= 8 {
            count -= 8
            bytes.append(UInt8(truncatingIfNeeded: pending >> UInt64(count)))
        }
    }

    /// Appends so many zeros, and a one.
    mutating func appendUnary(_ zeros: Int) {
        var rest = zeros
        while rest >= 32 {
            append(0, bits: 32)
            rest -= 32
        }
        append(1, bits: rest + 1)
    }

    /// Completes the last byte with zeros.
    mutating func align() {
        if count > 0 { append(0, bits: 8 - count) }
    }
}
