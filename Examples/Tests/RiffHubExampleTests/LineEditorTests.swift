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
        ("one\u{1B}[13;2utwo\r", [.line("one\ntwo")], ""),
        ("one\u{1B}[27;2;13~two\u{1B}[27;5;13~\r", [.line("one\ntwo\n")], ""),
        ("one\u{1B}[13u", [.line("one")], ""),
        ("one\u{1B}[97;5u\u{1B}[13;99999999999999999999u", [], "one"),
    ]

    @Test(arguments: cases) func `keys make lines`(_ test: (typed: String, events: [LineEditor.Event], text: String)) {
        var whole = LineEditor()
        #expect(whole.type(Array(test.typed.utf8)) == test.events)
        #expect(whole.text == test.text)
        var byByte = LineEditor()
        #expect(test.typed.utf8.flatMap { byByte.type([$0]) } == test.events)
        #expect(byByte.text == test.text)
    }

    /// As terminals send Return with Shift or Alt where nobody asked for another form.
    @Test func `an escape character and Return at once begin a line`() {
        var editor = LineEditor()
        #expect(editor.type(Array("one\u{1B}\rtwo\r".utf8)) == [.line("one\ntwo")])
        // The Escape key, and Return later.
        #expect(editor.type(Array("one\u{1B}".utf8)).isEmpty)
        #expect(editor.type([0x0D]) == [.line("one")])
        #expect(editor.text.isEmpty)
    }
}
