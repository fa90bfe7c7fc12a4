// Riff
// SPDX-License-Identifier: Apache-2.0

/// Writes the data types of SSH (RFC 4251 section 5).
package struct SSHWireWriter {
    /// The bytes written so far.
    package private(set) var bytes: [UInt8] = []

    package init() {}

    /// Bytes as they are, without a length.
    package mutating func write(raw: some Collection<UInt8>) { bytes += raw }

    /// A `byte`.
    package mutating func write(byte: UInt8) { bytes.append(byte) }

    /// A `boolean`.
    package mutating func write(bool: Bool) { bytes.append(bool ? 1 : 0) }

    /// A `uint32`.
    package mutating func write(uint32 value: UInt32) {
        withUnsafeBytes(of: value.bigEndian) { bytes += $0 }
    }

    /// A `string`: the length, then the bytes. The length must fit 32 bits.
    package mutating func write(string: some Collection<UInt8>) {
        write(uint32: UInt32(string.count))
        bytes += string
    }

    /// A text as a `string` of UTF-8.
    package mutating func write(text: String) { write(string: Array(text.utf8)) }

    /// A non-negative `mpint` of bytes, highest first, with or without leading zeros.
    package mutating func write(mpint magnitude: some Collection<UInt8>) {
        let digits = Array(magnitude.drop { $0 == 0 })
        write(string: (digits.first ?? 0) >= 0x80 ? [0] + digits : digits)
    }
}
