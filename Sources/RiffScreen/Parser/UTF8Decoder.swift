// Riff
// SPDX-License-Identifier: Apache-2.0

/// Decodes the bytes from 0x80 on as UTF-8, one at a time.
///
/// What is no character is dropped, as tmux does: a byte that cannot begin one alone, anything else with as many bytes
/// as its beginning announced. An ASCII character in the middle ends it.
struct UTF8Decoder {
    private var value: UInt32 = 0
    private var remaining: UInt8 = 0
    private var length: UInt8 = 0
    private var isValid = true

    /// - Returns: The character that the byte completes.
    mutating func take(_ byte: UInt8) -> UInt32? {
        guard remaining > 0 else {
            begin(byte)
            return nil
        }
        if byte & 0xC0 != 0x80 { isValid = false }
        value = value << 6 | UInt32(byte & 0x3F)
        remaining -= 1
        return remaining == 0 && isValid && isScalar ? value : nil
    }

    mutating func reset() { remaining = 0 }

    private mutating func begin(_ byte: UInt8) {
        isValid = true
        switch byte {
        case 0xC2...0xDF: (value, length) = (UInt32(byte & 0x1F), 2)
        case 0xE0...0xEF: (value, length) = (UInt32(byte & 0x0F), 3)
        case 0xF0...0xF4: (value, length) = (UInt32(byte & 0x07), 4)
        default: return
        }
        remaining = length - 1
    }

    /// Whether it is a scalar, and not written longer than it need be.
    private var isScalar: Bool {
        switch length {
        case 2: true
        case 3: value >= 0x800 && !(0xD800..<0xE000).contains(value)
        default: (0x1_0000..<0x11_0000).contains(value)
        }
    }
}
