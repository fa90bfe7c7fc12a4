// Riff
// SPDX-License-Identifier: Apache-2.0

/// Says whether bytes that come in pieces are UTF-8 (RFC 3629), with the first byte that cannot be.
package struct UTF8Validation: Sendable {
    /// The number of bytes of a character that are still to come, and the values between which the next one must be.
    private var missing = 0
    private var lowest: UInt8 = 0x80
    private var highest: UInt8 = 0xBF

    package init() {}

    /// Whether what came ends between two characters.
    package var isWhole: Bool { missing == 0 }

    /// Looks at the next piece.
    ///
    /// - Returns: Whether all so far may be the beginning of UTF-8.
    package mutating func accepts(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var index = 0
        while index < bytes.count {
            if missing == 0 {
                while index + 8 <= bytes.count,
                    bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
                {
                    index += 8
                }
                guard index < bytes.count else { break }
            }
            guard accepts(bytes[index]) else { return false }
            index += 1
        }
        return true
    }

    private mutating func accepts(_ byte: UInt8) -> Bool {
        if missing > 0 {
            guard (lowest...highest).contains(byte) else { return false }
            missing -= 1
            (lowest, highest) = (0x80, 0xBF)
            return true
        }
        switch byte {
        case 0x00...0x7F: break
        case 0xC2...0xDF: missing = 1
        case 0xE0: (missing, lowest) = (2, 0xA0)
        case 0xED: (missing, highest) = (2, 0x9F)
        case 0xE1...0xEF: missing = 2
        case 0xF0: (missing, lowest) = (3, 0x90)
        case 0xF4: (missing, highest) = (3, 0x8F)
        case 0xF1...0xF3: missing = 3
        default: return false
        }
        return true
    }
}
