// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffTesting
import TestSupport
import Testing

struct NotificationTextTests {
    /// Each one character as a person sees it.
    static let characters = [
        "a", "\u{E9}", "e\u{301}", "\u{1112}\u{1161}\u{11AB}", "\u{1F1E9}\u{1F1EA}", "\u{1F44D}\u{1F3FD}", Emoji.family,
        "\u{0915}\u{094D}\u{0937}", "q\u{307}\u{323}", "\r\n", "\u{2764}\u{FE0F}",
    ].filter { $0.count == 1 }

    @Test func `what the tests take for one character is one`() { #expect(Self.characters.count >= 10) }

    @Test(arguments: characters)
    func `a text of 250 characters stays, and of 251 the last two make room for an ellipsis`(character: String) {
        let whole = String(repeating: "x", count: 248) + character + "y"
        #expect(NotificationText.truncated(whole) == whole)
        let longer = String(repeating: "x", count: 248) + character + "yz"
        let cut = NotificationText.truncated(longer)
        // White space in front of the ellipsis goes with the rest.
        let kept = character == "\r\n" ? "" : character
        #expect(cut == String(repeating: "x", count: 248) + kept + "\u{2026}")
        #expect(cut.count <= 250)
    }

    @Test(arguments: characters.filter { $0 != "\r\n" }, [1, 2, 3, 250])
    func `no character is taken apart`(character: String, limit: Int) {
        for count in [limit - 1, limit, limit + 1, limit + 500] {
            let text = String(repeating: character, count: count)
            guard text.count == count else { continue }
            let cut = NotificationText.truncated(text, limit: limit)
            let expected = count <= limit ? text : String(repeating: character, count: limit - 1) + "\u{2026}"
            #expect(Array(cut.unicodeScalars) == Array(expected.unicodeScalars))
        }
    }

    @Test(arguments: [
        ("", 5, ""), ("abcde", 5, "abcde"), ("abcdef", 5, "abcd\u{2026}"), ("ab  cdef", 5, "ab\u{2026}"),
        ("      ", 5, "\u{2026}"), ("     ", 5, "     "), ("abc", 1, "\u{2026}"), ("a", 1, "a"), ("abc", 0, ""),
        ("abc", -1, ""), ("abc", .max, "abc"),
    ])
    func `short limits and white space`(text: String, limit: Int, expected: String) {
        #expect(NotificationText.truncated(text, limit: limit) == expected)
    }

    @Test func `any text is cut to its own beginning`() {
        var generator = SeededGenerator(seed: 20)
        let scalars: [Unicode.Scalar] = [
            "a", " ", "\n", "\r", "\u{301}", "\u{200D}", "\u{1F469}", "\u{1F467}", "\u{1F1E9}", "\u{1F3FD}", "\u{FE0F}",
            "\u{600}", "\u{1112}", "\u{1161}", "\u{0}", "\u{202E}",
        ]
        for _ in 0..<5_000 {
            var text = String.UnicodeScalarView()
            for _ in 0..<Int.random(in: 0...40, using: &generator) {
                if let scalar = scalars.randomElement(using: &generator) { text.append(scalar) }
            }
            let (whole, limit) = (String(text), Int.random(in: 1...30, using: &generator))
            let cut = NotificationText.truncated(whole, limit: limit)
            #expect(cut.count <= limit)
            guard whole.count > limit else {
                #expect(Array(cut.unicodeScalars) == Array(whole.unicodeScalars))
                continue
            }
            let kept = Array(cut.unicodeScalars.dropLast())
            #expect(cut.unicodeScalars.last == "\u{2026}")
            // What is kept ends where a character of the whole text ends.
            let ends = whole.indices.map { whole.unicodeScalars.distance(from: whole.startIndex, to: $0) }
            #expect(ends.contains(kept.count))
            #expect(kept == Array(whole.unicodeScalars.prefix(kept.count)))
        }
    }
}
