// Riff
// SPDX-License-Identifier: Apache-2.0

import ExampleTerminal
import Testing

struct LineEditorTests {
    private static let cases: [(typed: String, events: [LineEditor.Event], text: String)] = [
        ("hello\r", [.line("hello")], ""),
        ("héllo 漢\u{7F}\r", [.line("héllo ")], ""),
        ("one\u{15}two", [], "two"),
        ("\u{4}", [.end], ""),
        ("a\u{4}", [], "a"),
        ("a\u{3}", [.interrupt], "a"),
        ("\u{1B}[Aup\u{1B}OB\r", [.up, .down, .line("up")], ""),
        ("\u{1B}[200~two\rlines\u{3}\u{1B}[201~\r", [.line("two\nlines")], ""),
        ("\r", [.line("")], ""),
    ]

    @Test(arguments: cases) func `keys make lines`(_ test: (typed: String, events: [LineEditor.Event], text: String)) {
        var whole = LineEditor()
        #expect(whole.type(Array(test.typed.utf8)) == test.events)
        #expect(whole.text == test.text)
        var byByte = LineEditor()
        #expect(test.typed.utf8.flatMap { byByte.type([$0]) } == test.events)
        #expect(byByte.text == test.text)
    }
}
