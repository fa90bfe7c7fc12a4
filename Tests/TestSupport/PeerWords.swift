// Riff
// SPDX-License-Identifier: Apache-2.0

/// Words as a hostile peer says them, and what of them must reach nobody's screen.
public enum PeerWords {
    /// One of each kind: escape sequences in their 7-bit and 8-bit form, a forged line, marks that turn the direction
    /// of writing, and length.
    public static let hostile: [String] =
        [
            "\u{1B}[2J\u{1B}[1;1Hall is well", "\u{1B}]52;c;aGVsbG8=\u{7}", "\u{9B}31mred\u{9C}", "\u{90}q\u{9C}",
            "no\r\nerror: the key was accepted", "a\u{8}\u{8}b\u{0}c\u{7F}d", "\u{85}e\u{2028}f\u{2029}g",
            "exe\u{202E}txt.\u{2066}x\u{2069}\u{200F}\u{061C}", "\u{1B}[201~rm -rf .", "",
            String(repeating: "x", count: 100_000), String(repeating: "e\u{301}\u{1B}", count: 30_000),
            "a" + String(repeating: "\u{301}", count: 60_000), String(repeating: "\u{1F468}", count: 20_000),
        ]
        // Every control character that there is, and every mark of direction, each by itself.
        + (Array(0..<0x20) + Array(0x7F..<0xA0) + [0x061C, 0x200E, 0x200F] + Array(0x202A...0x202E)
        + Array(0x2066...0x2069)).map { "a" + String(Character(scalar($0))) + "b" }

    /// The first thing in a text that no message may have; `nil` where it has none.
    ///
    /// - Parameter text: The text.
    /// - Returns: What was found, in words.
    public static func fault(in text: String) -> String? {
        if text.utf8.count > 4_100 { return "\(text.utf8.count) bytes" }
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0..<0x20, 0x7F..<0xA0, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069:
                return "U+" + String(scalar.value, radix: 16, uppercase: true)
            default: continue
            }
        }
        return nil
    }

    private static func scalar(_ value: UInt32) -> Unicode.Scalar { Unicode.Scalar(value) ?? "?" }
}
