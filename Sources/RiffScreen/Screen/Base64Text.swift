// Riff
// SPDX-License-Identifier: Apache-2.0

/// Base64 as programs send it in control sequences.
enum Base64Text {
    /// The bytes up to the first character that is none of the alphabet's.
    static func bytes(_ text: some Sequence<UInt8>) -> [UInt8] {
        var bytes: [UInt8] = []
        var (bits, count) = (UInt32(0), 0)
        for character in text {
            guard let value = value(character) else { break }
            bits = bits << 6 | value
            count += 6
            guard count >= 8 else { continue }
            count -= 8
            bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
            bits &= 1 << UInt32(count) - 1
        }
        return bytes
    }

    /// Whether a character may stand in it.
    static func isPart(_ character: Character) -> Bool {
        character.isASCII && (character.isLetter || character.isNumber || "+/=".contains(character))
    }

    private static func value(_ character: UInt8) -> UInt32? {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(character - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(character - UInt8(ascii: "a") + 26)
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(character - UInt8(ascii: "0") + 52)
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
