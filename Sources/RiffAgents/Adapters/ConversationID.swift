// Riff
// SPDX-License-Identifier: Apache-2.0

/// Ids of conversations.
package enum ConversationID {
    /// Makes a random UUID (RFC 9562, version 4), lower case.
    package static func random() -> String {
        var generator = SystemRandomNumberGenerator()
        return random(using: &generator)
    }

    package static func random(using generator: inout some RandomNumberGenerator) -> String {
        let high: UInt64 = (generator.next() & 0xFFFF_FFFF_FFFF_0FFF) | 0x4000
        let low: UInt64 = (generator.next() & 0x3FFF_FFFF_FFFF_FFFF) | 0x8000_0000_0000_0000
        let digits = [high, low].map { number -> String in
            let text = String(number, radix: 16)
            return String(repeating: "0", count: 16 - text.utf8.count) + text
        }
        let all = Array(digits.joined().utf8)
        return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(decoding: all[$0], as: UTF8.self) }
            .joined(separator: "-")
    }

    /// Whether a text of a peer can stand in an argument and in a file's name: ASCII letters, digits, `-`, `_` and `.`,
    /// beginning with a letter or a digit.
    package static func isPlain(_ text: String) -> Bool {
        guard let first = text.utf8.first, isAlphanumeric(first), text.utf8.count <= 128 else { return false }
        return text.utf8.allSatisfy { isAlphanumeric($0) || "-_.".utf8.contains($0) }
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }
}
