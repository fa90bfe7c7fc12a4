// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffAgents
import TestSupport
import Testing

@Suite struct SqueezedTextTests {
    @Test func `white space does not count, and everything else does`() {
        #expect(SqueezedText(" a\tb\r\n c\u{A0}d ") == SqueezedText("abcd"))
        #expect(SqueezedText("abcd") != SqueezedText("abce"))
        #expect(SqueezedText(" \u{2003}\n").isEmpty)
    }

    @Test func `letters beyond ASCII may be shown otherwise, and the others not`() {
        let typed = SqueezedText("caf\u{E9} au lait")
        #expect(SqueezedText("cafe\u{301} au lait").isShown(of: SqueezedText("cafe\u{301} au lait")))
        #expect(SqueezedText("caf\u{FFFD} au lait").isShown(of: typed))
        #expect(!SqueezedText("caf\u{E9} au lai").isShown(of: typed))
        #expect(!SqueezedText("日本").isShown(of: SqueezedText("日木")))
        #expect(!SqueezedText("").isShown(of: SqueezedText("日木")))
    }

    @Test func `the end of a long text is the text, and a short end is not`() {
        let words = (0..<40).map { "word\($0)" }.joined(separator: " ")
        let text = SqueezedText(words)
        #expect(SqueezedText(words.suffix(120)).isEnd(of: text))
        #expect(!SqueezedText(words.suffix(40)).isEnd(of: text))
        #expect(!SqueezedText(words.prefix(120)).isEnd(of: text))
        #expect(!text.isEnd(of: text))
    }

    @Test func `a text longer than is kept is told apart by its length`() {
        let long = String(repeating: "ab", count: 200_000)
        #expect(SqueezedText(long) == SqueezedText(long))
        #expect(SqueezedText(long) != SqueezedText(long + "c"))
        #expect(SqueezedText(long).bytes.count < long.utf8.count)
    }
}
