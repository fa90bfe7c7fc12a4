// Riff
// SPDX-License-Identifier: Apache-2.0

import Testing

import sample_agent

struct KeyParserTests {
    private static let cases: [(input: String, keys: [Key])] = [
        ("a", [.text("a")]),
        ("\r", [.enter]),
        ("\u{1B}\r", [.newline]),
        ("\u{1B}[A\u{1B}OB", [.up, .down]),
        ("\u{1B}[3~\u{1B}[1~\u{1B}[F", [.delete, .home, .end]),
        ("\u{1B}[1;5C", [.right]),
        ("\u{7F}\u{03}\u{04}", [.backspace, .interrupt, .endOfInput]),
        ("\u{1B}[200~rm -rf x\r\u{03}\u{1B}[A\r\nend\u{1B}[201~\r", [.paste("rm -rf x\n[A\nend"), .enter]),
        ("\u{1B}[200~\u{1B}[201~", [.paste("")]),
    ]

    @Test(arguments: cases)
    func `keys are the same however their bytes are split`(input: String, keys: [Key]) {
        let bytes = Array(input.utf8)
        for split in 0...bytes.count {
            var parser = KeyParser()
            let found = parser.feed(Array(bytes[..<split])) + parser.feed(Array(bytes[split...]))
            #expect(found == keys, "split at \(split)")
            #expect(!parser.isWaiting)
        }
    }

    @Test(arguments: ["é", "漢字", "👩‍👩‍👧", "e\u{301}"])
    func `characters of several bytes survive a split`(text: String) {
        let bytes = Array(text.utf8)
        for split in 0...bytes.count {
            var parser = KeyParser()
            var editor = LineEditor()
            for key in parser.feed(Array(bytes[..<split])) + parser.feed(Array(bytes[split...])) {
                _ = editor.handle(key)
            }
            #expect(editor.text == text)
            #expect(editor.cursor == text.count)
        }
    }

    @Test func `an escape key alone is given up on, and the next key is whole`() {
        var parser = KeyParser()
        #expect(parser.feed([0x1B]).isEmpty)
        #expect(parser.isWaiting)
        #expect(parser.flush() == [.unknown])
        #expect(parser.feed(Array("x".utf8)) == [.text("x")])
    }
}

struct PasteBurstTests {
    @Test func `a return in a burst is part of the text, one that comes apart submits`() {
        var burst = PasteBurst()
        #expect(burst.interpret([.text("explain"), .enter], at: .zero) == [.text("explain"), .newline])
        #expect(burst.interpret([.enter], at: .milliseconds(300)) == [.enter])
    }

    @Test func `a return right behind a burst is part of it too`() {
        var burst = PasteBurst()
        _ = burst.interpret([.text("explain")], at: .zero)
        #expect(burst.interpret([.enter], at: .milliseconds(20)) == [.newline])
    }

    @Test func `somebody who types fast still submits`() {
        var burst = PasteBurst()
        for (index, letter) in "hello".enumerated() {
            _ = burst.interpret([.text(String(letter))], at: .milliseconds(40 * index))
        }
        #expect(burst.interpret([.enter], at: .milliseconds(200)) == [.enter])
    }
}

struct LineEditorTests {
    private func edit(_ keys: [Key]) -> LineEditor {
        var editor = LineEditor()
        for key in keys { _ = editor.handle(key) }
        return editor
    }

    @Test(
        arguments: [
            ([.text("ab"), .left, .text("漢")], "a漢b", 2),
            ([.text("ab"), .home, .delete], "b", 0),
            ([.text("one two"), .eraseWord], "one ", 4),
            ([.text("ab"), .left, .eraseToEnd], "a", 1),
            ([.text("one"), .newline, .text("two"), .home], "one\ntwo", 4),
            ([.text("e"), .text("\u{301}"), .backspace], "", 0),
            ([.backspace, .delete, .left, .right, .up, .down], "", 0),
        ] as [([Key], String, Int)]
    )
    func `keys edit the line`(keys: [Key], text: String, cursor: Int) {
        let editor = edit(keys)
        #expect(editor.text == text)
        #expect(editor.cursor == cursor)
    }

    @Test func `the history comes back, and so does the draft`() {
        var editor = edit([.text("first"), .enter, .text("second"), .enter, .text("draft"), .up])
        #expect(editor.text == "second")
        _ = editor.handle(.up)
        #expect(editor.text == "first")
        _ = editor.handle(.down)
        _ = editor.handle(.down)
        #expect(editor.text == "draft")
    }

    @Test func `control-c clears a line and control-d leaves an empty one only`() {
        var editor = edit([.text("a")])
        #expect(editor.handle(.interrupt) == .none)
        #expect(editor.text.isEmpty)
        #expect(editor.handle(.interrupt) == .interrupt)
        #expect(editor.handle(.endOfInput) == .leave)
        #expect(editor.handle(.enter) == .none)
    }
}

struct PromptViewTests {
    @Test(arguments: [("a", 1), ("漢", 2), ("é", 1), ("e\u{301}", 1), ("👩‍👩‍👧", 2), ("❤️", 1), ("🇨🇭", 2), ("\u{301}", 0)])
    func `characters are as wide as a screen shows them`(character: Character, cells: Int) {
        var rows = Rows()
        rows.append(String(character), columns: 80)
        #expect(rows.widths == [cells])
    }

    @Test func `a wide character that does not fit starts a row`() {
        var rows = Rows()
        rows.append("abcd漢", columns: 6)
        #expect(rows.texts == ["abcd", "漢"])
        #expect(rows.widths == [4, 2])
        #expect(rows.height(ofFirst: 2, columns: 3) == 3)
    }
}
