// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffScreen
import Testing

import riff_term

struct PainterTests {
    private static let size = TerminalSize(columns: 12, rows: 3)

    /// A frame of what a program drew.
    private static func make(_ drawn: String) -> Frame {
        var screen = Screen(size: size)
        screen.feed(drawn)
        return Frame(
            rows: screen.picture.rows,
            columns: size.columns,
            cursor: screen.modes.cursorVisible ? screen.cursor : nil,
            modes: screen.modes,
            title: screen.title
        )
    }

    private static let drawn = [
        "one\r\ntwo",
        "\u{1B}[31;1mred\u{1B}[0m 漢字 \u{1B}[7mbar",
        "123456789012full row",
        "\u{1B}[?1h\u{1B}[?2004h\u{1B}[?1002h\u{1B}[?1006hmodes",
        "\u{1B}[?25l\u{1B}]2;a title\u{7}hidden",
        "\u{1B}]8;;https://example.com\u{1B}\\link\u{1B}]8;;\u{1B}\\",
        "\u{1B}[5 qbar",
        "",
    ]

    @Test func `a terminal shows each frame, whatever it showed before`() {
        for first in Self.drawn {
            for second in Self.drawn {
                var (painter, terminal) = (Painter(), Screen(size: Self.size))
                terminal.feed("left over\r\nfrom before")
                for frame in [Self.make(first), Self.make(second)] {
                    terminal.feed(painter.paint(frame))
                    #expect(terminal.picture.difference(from: frame.picture).isEmpty, "\(first) → \(second)")
                    #expect(terminal.modes.cursorVisible == (frame.cursor != nil))
                    if let cursor = frame.cursor {
                        #expect(terminal.cursor.row == cursor.row)
                        #expect(terminal.cursor.column == min(cursor.column, Self.size.columns - 1))
                        #expect(terminal.cursor.shape == cursor.shape)
                    }
                    #expect(terminal.modes.mouse == frame.modes.mouse)
                    #expect(terminal.modes.bracketedPaste == frame.modes.bracketedPaste)
                    #expect(terminal.modes.applicationCursorKeys == frame.modes.applicationCursorKeys)
                    #expect(terminal.title == frame.title)
                }
            }
        }
    }

    @Test func `only what differs is written`() {
        var painter = Painter()
        _ = painter.paint(Self.make("one\r\ntwo\r\nthree"))
        #expect(painter.paint(Self.make("one\r\ntwo\r\nthree")).isEmpty)
        let text = painter.paint(Self.make("one\r\n2\r\nthree"))
        #expect(text.contains("2"))
        #expect(!text.contains("one"))
        #expect(!text.contains("three"))
        painter.reset()
        #expect(painter.paint(Self.make("one\r\n2\r\nthree")).contains("one"))
    }

    /// What a peer can put into a string: controls of both kinds, sequences and marks that turn the direction.
    private static let hostile = "a\u{1B}]52;c;aGk=\u{7}\u{9B}2J\u{9D}0;x\u{9C}\u{7F}\r\n\u{202E}b"

    @Test func `whatever a peer says, what is painted has only sequences of the painter's own`() throws {
        var screen = Screen(size: Self.size)
        // What a program writes into a page's cells is the page.
        let written = Self.hostile.replacing("\u{202E}", with: "")
        screen.feed("\u{1B}]8;id=\(written);https://a.b\u{1B}\\x\u{1B}]8;;\u{1B}\\")
        screen.feed(
            "\u{1B}]8;id=i\u{9B}d;https://a.b/\u{9B}x\u{1B}\\y\u{1B}]8;id=i\u{9B}d;https://c.d\u{1B}\\z\u{1B}]2;t\u{9B}i\u{202E}t\u{7}"
        )
        var frame = Frame(rows: screen.picture.rows, columns: Self.size.columns, title: screen.title)
        // A name as a host may list it.
        let name = try JSONDecoder().decode(SessionName.self, from: JSONEncoder().encode(Self.hostile))
        let page = StatusLine.Page(name, .open, agent: Self.hostile)
        let status = StatusLine(connection: .connected, pages: [page], active: 0, words: Self.hostile)
        frame.rows += status.rows(columns: Self.size.columns, limit: 2)
        var painter = Painter()
        let own = #/\u{1B}\[[0-9;?]*[A-Za-z]|\u{1B}\[[0-9]* q|\u{1B}\]8;[ -~]*\u{1B}\\|\u{1B}\]2;[^\u{1B}\u{7}]*\u{7}/#
        let text = painter.paint(frame).replacing(own, with: "")
        #expect(
            !text.unicodeScalars.contains { $0.value < 0x20 || (0x7F..<0xA0).contains($0.value) || $0.value == 0x202E }
        )
        // A title that did not come from a screen.
        frame.title = Self.hostile
        let title = painter.paint(frame).replacing(own, with: "")
        #expect(
            !title.unicodeScalars.contains { $0.value < 0x20 || (0x7F..<0xA0).contains($0.value) || $0.value == 0x202E }
        )
    }

    @Test func `chosen cells are the other way round, also over two rows`() {
        var frame = Self.make("abcdefghijklmnop")
        frame.mark(ScreenPosition(line: 10, column: 11)..<ScreenPosition(line: 11, column: 2), first: 10)
        let reversed = frame.rows.map { row in row.cells.indices.filter { row.cells[$0].style.attributes == .reverse } }
        #expect(reversed == [[11], [0, 1], []])
    }
}

struct StatusLineTests {
    private func make(_ connection: ConnectionState = .connected, words: String = StatusLine.help) throws -> StatusLine
    {
        let second = try SessionName("riff-2")
        return StatusLine(
            connection: connection,
            pages: [.init(.base, .open), .init(second, .underWay)],
            active: 0,
            words: words
        )
    }

    private func text(_ row: ScreenRow) -> String { row.cells.map(\.text).joined() }

    @Test func `it says how everything stands, over the whole width`() throws {
        let rows = try make().rows(columns: 60, limit: 4)
        #expect(rows.count == 1)
        let row = rows[0]
        #expect(text(row) == " connected · [riff] riff-2… · Ctrl-] for commands           ")
        #expect(row.cells.count == 60)
        #expect(row.cells.allSatisfy { $0.style.attributes.contains(.reverse) })
    }

    @Test func `a page with an agent says what that does`() throws {
        let pages = [StatusLine.Page(.base, .open, agent: "working"), .init(try SessionName("riff-2"), .underWay)]
        let line = StatusLine(connection: .connected, pages: pages, active: 0, words: "x")
        #expect(
            text(try #require(line.rows(columns: 60, limit: 1).first)).hasPrefix(
                " connected · [riff (working)] riff-2… · x"
            )
        )
    }

    @Test(arguments: [1, 2, 20, 44], 1...4)
    func `a narrow one takes the rows that it needs and may have`(columns: Int, limit: Int) throws {
        let rows = try make(words: "漢字漢字漢字漢字漢字").rows(columns: columns, limit: limit)
        let needed = columns < 20 ? 50 : columns == 20 ? 3 : 2
        #expect(rows.count == min(needed, limit))
        #expect(rows.allSatisfy { $0.cells.count == columns })
        #expect(text(rows[0]).hasPrefix(String(" connected".prefix(columns))))
        if needed <= limit { #expect(rows.map(text).joined().contains("漢字漢字漢字漢字漢字")) }
    }

    @Test func `what a peer said is shown and not obeyed`() throws {
        let rows = try make(words: "a\u{1B}[31mb\nc").rows(columns: 80, limit: 1)
        #expect(text(rows[0]).contains("a[31mb c"))
    }

    @Test(
        arguments: [
            (.idle, "connecting"), (.connected, "connected"), (.reconnecting(attempt: 1, delay: nil), "reconnecting"),
            (.reconnecting(attempt: 3, delay: .seconds(2)), "reconnecting (3)"),
            (.disconnected(.failed), "not connected"),
        ] as [(ConnectionState, String)]
    )
    func `each state of the connection has a word`(state: ConnectionState, word: String) {
        #expect(StatusLine.text(of: state) == word)
    }

    @Test func `what happened goes before what is wrong, and that before the help`() throws {
        var state = TermState()
        #expect(StatusLine.words(state, problem: nil) == StatusLine.help)
        #expect(StatusLine.words(state, problem: "cut") == "cut")
        state.notice = "copied"
        #expect(StatusLine.words(state, problem: "cut") == "copied")
    }
}
