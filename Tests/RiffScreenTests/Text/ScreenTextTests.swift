// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffScreen
import Testing

struct ScreenTextTests {
    private func make(_ text: String, columns: Int = 10, rows: Int = 3) -> Screen {
        var screen = Screen(size: TerminalSize(columns: columns, rows: rows))
        screen.feed(text)
        return screen
    }

    private func position(_ line: Int, _ column: Int) -> ScreenPosition { ScreenPosition(line: line, column: column) }

    @Test func `a selection joins rows that the screen wrapped and no others`() {
        let screen = make("0123456789abc  \r\nnext\r\nlast")
        #expect(screen.lines == 0..<4)
        #expect(screen.visibleLines == 1..<4)
        #expect(screen.text(in: position(0, 8)..<position(2, 2)) == "89abc\nne")
        #expect(screen.text(in: position(1, 0)..<position(3, 10)) == "abc\nnext\nlast")
        #expect(screen.text(in: position(2, 1)..<position(2, 3)) == "ex")
        #expect(screen.text(in: position(-5, 0)..<position(99, 99)) == "0123456789abc\nnext\nlast")
        #expect(screen.text(in: position(2, 3)..<position(2, 3)) == "")
    }

    @Test func `a wide character that found no room leaves no space in a selection`() {
        let screen = make("012345678日x")
        #expect(screen.text(in: position(0, 0)..<position(1, 9)) == "012345678日x")
        #expect(screen.find(ScreenSearch("8日")) == [position(0, 8)..<position(1, 2)])
    }

    @Test func `a word is found over the wrap`() {
        let screen = make("see abcdefghij, x")
        #expect(screen.word(at: position(0, 6)) == position(0, 4)..<position(1, 4))
        #expect(screen.word(at: position(0, 3)) == nil)
        #expect(screen.word(at: position(1, 4)) == nil)
    }

    @Test func `a search finds in the scrollback, over wraps, and the newest where there are too many`() {
        var screen = make("", columns: 10, rows: 3)
        for index in 0..<50 { screen.feed("row \(index) Äpfel\r\n") }
        #expect(screen.find(ScreenSearch("äpfel")).count == 50)
        #expect(screen.find(ScreenSearch("äpfel", isCaseSensitive: true)).isEmpty)
        let found = screen.find(ScreenSearch("row 4"), limit: 3)
        #expect(found.map { screen.text(in: $0) } == ["row 4", "row 4", "row 4"])
        #expect(found.last.map { screen.text(ofLine: $0.lowerBound.line) } == "row 49 Äpf")
        #expect(screen.find(ScreenSearch("9 äpfel")).last.map { screen.text(in: $0) } == "9 Äpfel")
        #expect(screen.find(ScreenSearch("")).isEmpty)
    }

    @Test func `styled text comes back the same through ANSI`() {
        let input =
            "a\u{1B}[1;31mb\u{1B}[0m \u{1B}[4:3;58;5;3mc日\u{1B}[0m\r\n\u{1B}]8;id=7;http://x.y\u{7}l\u{1B}[48;2;1;2;3m \u{1B}]8;;\u{7}\u{1B}[0mz"
        let screen = make(input)
        let again = make(screen.picture.ansi.replacing("\n", with: "\r\n"))
        #expect(again.picture.difference(from: screen.picture) == [])
        #expect(screen.picture.ansi.hasSuffix("z\n"))
    }

    @Test func `HTML escapes what a program wrote, and keeps only links that may be opened`() {
        let screen = make(
            "\u{1B}[1m<b>\u{338}&\u{1B}[0m\u{1B}]8;;https://a.b/\"x\u{7}l\u{1B}]8;;javascript:x\u{7}m\u{1B}]8;;\u{7}",
            columns: 20
        )
        let html = screen.picture.html()
        #expect(html.contains("<span style=\"font-weight:bold\">&lt;b&gt;\u{338}&amp;</span>"))
        #expect(html.contains("<a href=\"https://a.b/&quot;x\" rel=\"noreferrer\">l</a>m"))
        #expect(!html.contains("javascript"))
    }

    @Test func `SVG places runs by cells`() {
        let svg = make("日\u{1B}[7mx\u{1B}[0m<", columns: 4, rows: 1).picture.svg(title: "a & b")
        #expect(svg.contains("<title>a &amp; b</title>"))
        #expect(svg.contains(" width=\"61.6\" height=\"46\" viewBox=\"0 0 61.6 46\" "))
        #expect(svg.contains("<text x=\"14\" y=\"27.5\" textLength=\"16.8\" fill=\"#d7dae0\">日</text>"))
        #expect(svg.contains("<rect x=\"30.8\" y=\"14\" width=\"8.4\" height=\"18\" fill=\"#d7dae0\"/>"))
        #expect(svg.contains("fill=\"#14161b\">x</text>"))
        #expect(svg.contains(">&lt;</text>"))
    }

    @Test func `a difference tells the columns that changed`() {
        var screen = make("abc\r\ndef")
        let before = screen.picture
        #expect(screen.picture.difference(from: before).isEmpty)
        screen.feed("\u{1B}[1;2HX\u{1B}[1mc")
        #expect(screen.picture.difference(from: before) == [ScreenPicture.Difference(row: 0, columns: 1..<3)])
        screen.resize(to: TerminalSize(columns: 5, rows: 3))
        #expect(screen.picture.difference(from: before).count == 3)
    }
}
