// Riff
// SPDX-License-Identifier: Apache-2.0

import ExampleTerminal
import ExampleTesting
import Testing

struct HarmlessTextTests {
    @Test func `a literal is the program's own, and what is put into it is only read`() {
        let words = "a\u{1B}[2Jb\u{9B}mc\u{202E}\r\nd\te"
        let text: HarmlessText = "\u{1B}[1m\(words)\u{1B}[0m"
        #expect(text.text == "\u{1B}[1ma[2Jbmc d e\u{1B}[0m")
        let lines: HarmlessText = "\u{1B}[1m\(lines: words)\u{1B}[0m"
        #expect(lines.text == "\u{1B}[1ma[2Jbmc\nd\te\u{1B}[0m")
        let both: HarmlessText = "\(text) \(7)"
        #expect(both.text == text.text + " 7")
    }

    @Test func `words in pieces come to the same lines as all of them`() {
        let words = "one\r\ntwo\u{2028}three\rfour\n"
        let whole = HarmlessText(words).text
        #expect(whole == "one\ntwo threefour\n")
        #expect(words.unicodeScalars.map { HarmlessText(String($0)).text }.joined() == whole)
    }

    @Test func `nothing is left of hostile words that anything obeys, and nothing is left out twice`() {
        let once = HarmlessText(HostileWords.text).text
        #expect(once.hasPrefix(HostileWords.left) && once.hasSuffix("nz"))
        #expect(Array(once.utf8).foreign(to: .pipe).isEmpty)
        #expect(HarmlessText(once).text == once)
        // The words themselves are found to be what they are.
        #expect(Array(HostileWords.text.utf8).foreign(to: .pipe).count == 18)
        #expect(
            Array(HostileWords.text.utf8).foreign(to: .drawing).prefix(4) == [
                "ESC ]", "U+7", "ESC [2J", "ESC [8866;1H",
            ]
        )
        #expect(ExampleFailure("a\u{1B}[2J\nb").description == "a[2J b")
    }
}
