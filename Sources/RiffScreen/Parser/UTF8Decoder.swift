// Riff
// SPDX-License-Identifier: Apache-2.0

/// Decodes UTF-8 a byte at a time, for the bytes that are not ASCII.
///
/// What is not UTF-8 becomes U+FFFD, one for each maximal part that could have been a beginning (Unicode 3.9, as WHATWG
/// decodes).
struct UTF8Decoder {
    enum Step {
        case more
        case scalar(UInt32)
        /// The bytes so far are no character; this byte has to be given again.
        case invalidBefore
        /// This byte cannot stand here.
        case invalid
    }

    private var value: UInt32 = 0
    private var remaining: UInt8 = 0
    private var lower: UInt8 = 0x80
    private var upper: UInt8 = 0xBF

    var isOpen: Bool { remaining > 0 }

    mutating func reset() { remaining = 0 }

    mutating func take(_ byte: UInt8) -> Step {
        guard remaining > 0 else { return begin(byte) }
        guard byte >= lower, byte <= upper else {
            remaining = 0
            return .invalidBefore
        }
        lower = 0x80
        upper = 0xBF
        value = value << 6 | UInt32(byte & 0x3F)
        remaining -= 1
        return remaining == 0 ? .scalar(value) : .more
    }

    private mutating func begin(_ byte: UInt8) -> Step {
        lower = 0x80
        upper = 0xBF
        switch byte {
        case 0xC2...0xDF:
            value = UInt32(byte & 0x1F)
            remaining = 1
        case 0xE0...0xEF:
            value = UInt32(byte & 0x0F)
            remaining = 2
            if byte == 0xE0 { lower = 0xA0 }
            if byte == 0xED { upper = 0x9F }
        case 0xF0...0xF4:
            value = UInt32(byte & 0x07)
            remaining = 3
            if byte == 0xF0 { lower = 0x90 }
            if byte == 0xF4 { upper = 0x8F }
        default: return .invalid
        }
        return .more
    }
}
