// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffScreen
import Testing

struct ScreenStateTests {
    static func make(_ text: String, columns: Int = 20, rows: Int = 4) -> Screen {
        var screen = Screen(size: TerminalSize(columns: columns, rows: rows))
        screen.feed(text)
        return screen
    }

    @Test func `a cell takes no more than 24 bytes`() { #expect(Screen.bytesPerCell <= 24) }

    @Test(arguments: [
        ("1", CellStyle(attributes: .bold)), ("2;3", CellStyle(attributes: [.dim, .italic])),
        ("5", CellStyle(attributes: .blink)), ("7;8;9", CellStyle(attributes: [.reverse, .hidden, .strikethrough])),
        ("53", CellStyle(attributes: .overline)), ("1;22", CellStyle()), ("3;9;23;29", CellStyle()),
        ("31", CellStyle(foreground: .palette(1))),
        ("97;104", CellStyle(foreground: .palette(15), background: .palette(12))),
        ("38;5;200", CellStyle(foreground: .palette(200))), ("48;2;1;2;3", CellStyle(background: .rgb(1, 2, 3))),
        ("38:5:7", CellStyle(foreground: .palette(7))), ("38:2:1:2:3", CellStyle(foreground: .rgb(1, 2, 3))),
        ("38:2::1:2:3", CellStyle(foreground: .rgb(1, 2, 3))), ("58;5;9", CellStyle(underlineColor: .palette(9))),
        ("58:2::1:2:3;59", CellStyle()), ("31;39;41;49", CellStyle()), ("31;", CellStyle()),
        ("1;0;3", CellStyle(attributes: .italic)),
        ("38;5;300", CellStyle()), ("38;9;1", CellStyle(attributes: .bold)),
    ])
    func `SGR draws`(parameters: String, style: CellStyle) {
        #expect(Self.make("\u{1B}[\(parameters)mx").cells(ofLine: 0)[0].style == style)
    }

    @Test(arguments: [
        ("4", CellStyle.Underline.single), ("21", .double), ("4:0", .none), ("4:1", .single), ("4:2", .double),
        ("4:3", .curly),
        ("4:4", .dotted), ("4:5", .dashed), ("4:9", .none), ("4;24", .none),
    ])
    func `underlines have styles`(parameters: String, style: CellStyle.Underline) {
        #expect(Self.make("\u{1B}[\(parameters)mx").cells(ofLine: 0)[0].style.attributes.underline == style)
    }

    @Test(arguments: [
        ("\u{1B}[5n", "\u{1B}[0n"), ("ab\u{1B}[6n", "\u{1B}[1;3R"), ("\u{1B}[?6n", "\u{1B}[?1;1R"),
        ("\u{1B}[c", "\u{1B}[?62;22c"),
        ("\u{1B}[>c", "\u{1B}[>1;0;0c"), ("\u{1B}[18t", "\u{1B}[8;4;20t"), ("\u{1B}[?2004$p", "\u{1B}[?2004;2$y"),
        ("\u{1B}[?2004h\u{1B}[?2004$p", "\u{1B}[?2004;1$y"), ("\u{1B}[?31337$p", "\u{1B}[?31337;0$y"),
    ])
    func `device reports are answered`(input: String, reply: String) {
        var screen = Self.make(input)
        #expect(String(decoding: screen.takeReplies(), as: UTF8.self) == reply)
        #expect(screen.takeReplies().isEmpty)
    }

    @Test func `what a program asks for is told and not done`() {
        var screen = Self.make(
            "\u{7}\u{1B}]2;a\u{9C}title\u{7}\u{1B}]52;c;aGk=\u{1B}\\\u{1B}]52;c;?\u{7}\u{1B}]7;file://h/x\u{7}\u{1B}]9;done\u{7}\u{1B}]11;?\u{7}"
        )
        #expect(screen.title == "atitle")
        #expect(
            screen.takeEvents() == [
                .bell, .title("atitle"), .clipboardWrite(selection: "c", base64: "aGk="),
                .clipboardRead(selection: "c"),
                .workingDirectory("file://h/x"), .notification("done"), .colorQuery(command: 11, index: nil),
            ]
        )
        #expect(screen.takeEvents().isEmpty)
    }

    @Test func `events, replies, strings and scrollback are bounded`() {
        var limits = Screen.Limits()
        limits.scrollbackBytes = 50_000
        limits.events = 10
        var screen = Screen(size: TerminalSize(columns: 20, rows: 4), limits: limits)
        for _ in 0..<5000 { screen.feed("\u{7}\u{1B}[6n0123456789abcdef\r\n") }
        screen.feed("\u{1B}]2;" + String(repeating: "x", count: 1 << 20) + "\u{7}y")
        #expect(screen.takeEvents().count == 10)
        #expect(screen.replies.count < 5000)
        #expect(screen.lines.count < 200)
        #expect(screen.lines.upperBound == 5001)
        #expect(screen.title == "")
        #expect(screen.text(ofLine: screen.lines.upperBound - 1) == "y")
    }

    @Test func `modes are told`() {
        let screen = Self.make(
            "\u{1B}[?1h\u{1B}=\u{1B}[?2004h\u{1B}[?1002h\u{1B}[?1006h\u{1B}[?1004h\u{1B}[?25l\u{1B}[4 q"
        )
        #expect(screen.modes.applicationCursorKeys && screen.modes.applicationKeypad && screen.modes.bracketedPaste)
        #expect(screen.modes.mouse == .drag && screen.modes.sgrMouse && screen.modes.focusReports)
        #expect(!screen.modes.cursorVisible)
        #expect(screen.cursor.shape == .underline && !screen.cursor.isBlinking)
        #expect(Self.make("\u{1B}[?1002h\u{1B}[?1002l").modes.mouse == .off)
    }

    @Test func `only the rows that changed are told`() {
        var screen = Self.make("a\r\nb\r\nc")
        var mark = screen.mark()
        #expect(screen.changedRows(since: mark).isEmpty)
        screen.feed("\u{1B}[2;1Hx")
        #expect(screen.changedRows(since: mark) == [1])
        mark = screen.mark()
        screen.feed("\u{1B}[3;1H\u{1B}[5;5H")
        #expect(screen.changedRows(since: mark).isEmpty)
        screen.feed("\u{1B}[4;1H\n")
        #expect(screen.changedRows(since: mark) == [0, 1, 2, 3])
        mark = screen.mark()
        screen.resize(to: TerminalSize(columns: 20, rows: 3))
        #expect(screen.changedRows(since: mark) == [0, 1, 2])
    }

    /// Found by fuzzing.
    @Test func `a wide character has no room in one column, and the cursor stays on the screen`() {
        var screen = Screen(size: TerminalSize(columns: 39, rows: 8))
        screen.feed(Array("本a".utf8))
        screen.resize(to: TerminalSize(columns: 1, rows: 11))
        #expect(screen.cursor.column <= 1)
        screen.feed(Array("b".utf8))
        #expect(screen.visibleText.contains("b"))
        screen.resize(to: TerminalSize(columns: 39, rows: 8))
        #expect(screen.visibleText.contains("a"))
    }

    @Test func `a resize wraps text anew and brings it back`() {
        var screen = Self.make("0123456789abcdef\r\n日本語日本語\r\nend", columns: 20, rows: 6)
        let before = screen.visibleText
        screen.resize(to: TerminalSize(columns: 5, rows: 6))
        #expect(
            screen.text(
                in: ScreenPosition(
                    line: screen.lines.lowerBound,
                    column: 0
                )..<ScreenPosition(line: screen.lines.upperBound, column: 0)
            ) == "0123456789abcdef\n日本語日本語\nend"
        )
        // Four rows, three and one; the blank ones below stay, as in tmux.
        #expect(screen.lines.count == 11)
        screen.resize(to: TerminalSize(columns: 20, rows: 6))
        #expect(screen.visibleText == before)
        #expect(screen.cursor.row == 2 && screen.cursor.column == 3)
    }

    @Test(arguments: [(0, 0), (1, 1), (1, 5), (5, 1), (100_000, 100_000), (Int.max, 2), (-1, 5)])
    func `any size is taken`(columns: Int, rows: Int) {
        var screen = Self.make("日本\u{1B}[?1049hxyz")
        screen.resize(to: TerminalSize(columns: columns, rows: rows))
        screen.feed(
            "日a\r\n\t\u{1B}[99P\u{1B}[99@\u{1B}[99L\u{1B}[99M\u{1B}[99Xe\u{301}\u{1B}[?1049l日a\r\n\u{1B}[2J\u{8}"
        )
        screen.resize(to: .standard)
        #expect(screen.size == .standard)
    }

    @Test func `half a wide character is shown as nothing`() {
        let cells = Self.make("日本\u{1B}[1;2H\u{1B}[X").cells(ofLine: 0)
        #expect(cells.prefix(4).map(\.text) == ["", "", "本", ""])
        #expect(cells.prefix(4).map(\.width) == [1, 1, 2, 0])
    }

    @Test func `tables of clusters and links are swept when they are full`() {
        var limits = Screen.Limits()
        limits.scrollbackBytes = 1000
        var screen = Screen(size: TerminalSize(columns: 20, rows: 4), limits: limits)
        for index in 0..<66_000 { screen.feed("\u{1B}]8;;\(index)\u{7}x") }
        var line = screen.visibleLines.lowerBound + screen.cursor.row
        #expect(screen.cells(ofLine: line)[screen.cursor.column - 1].link?.uri == "65999")
        screen.feed("\u{1B}]8;;\u{7}")
        for index in 0..<66_000 {
            let marks = [0x300 + index % 64, 0x300 + index / 64 % 64, 0x300 + index / 4096].compactMap {
                Unicode.Scalar($0)
            }
            screen.feed("e" + String(String.UnicodeScalarView(marks)))
        }
        line = screen.visibleLines.lowerBound + screen.cursor.row
        let last = screen.cells(ofLine: line)[screen.cursor.column - 1]
        #expect(last.text.unicodeScalars.count == 4)
    }
}
