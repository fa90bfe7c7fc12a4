// Riff
// SPDX-License-Identifier: Apache-2.0

/// What programs write, some megabytes of it, the same each time.
enum Sample {
    private static let words = [
        "error", "warning:", "in", "Sources/Parser.swift", "the", "value", "is", "not", "used", "12:33:07", "[info]",
        "GET", "/index.html", "200", "0.0031s", "compiling", "--", "linking", "done", "a",
    ]

    /// Lines of words, some longer than the screen is wide.
    static func plain() -> [UInt8] { lines { _, word in word } }

    /// A color for each word: 16, 256 and true ones, and attributes.
    static func dense() -> [UInt8] {
        lines { number, word in
            switch number % 4 {
            case 0: "\u{1B}[1;3\(number % 8)m\(word)\u{1B}[m"
            case 1: "\u{1B}[38;5;\(number % 256)m\(word)\u{1B}[39m"
            case 2: "\u{1B}[38;2;\(number % 256);\(number % 199);7m\(word)\u{1B}[0m"
            default: "\u{1B}[4;48;5;\(number % 256)m\(word)\u{1B}[24;49m"
            }
        }
    }

    /// Words with letters of two, three and four bytes, wide and combined.
    static func wide() -> [UInt8] {
        let others = ["日本語", "naïve", "e\u{301}t\u{E9}", "✓", "🙂", "Привет", "word"]
        return lines { number, _ in others[number % others.count] }
    }

    private static func lines(_ word: (Int, String) -> String) -> [UInt8] {
        var state: UInt64 = 7
        var number = 0
        var bytes: [UInt8] = []
        while bytes.count < 4 << 20 {
            for _ in 0..<(number % 17 + 3) {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                bytes += Array(word(number, words[Int(state >> 33) % words.count]).utf8) + [0x20]
                number += 1
            }
            bytes += [13, 10]
        }
        return bytes
    }
}
