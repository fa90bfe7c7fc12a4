// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffScreen
import Testing

@Suite struct ScreenHistoryTests {
    /// Rows of a pane of ten columns and four rows, which programs add to and tmux drops from.
    struct Pane {
        var rows: [String]

        func page(_ lines: Range<Int>) throws -> TmuxHistoryPage {
            let count = rows.count - 4
            let shown = lines.clamped(to: -count..<4)
            let text = rows[shown.lowerBound + count..<shown.upperBound + count].joined(separator: "\n")
            return try TmuxHistoryPage(output: Array("\(count) 10 4 0\n\(text)\n".utf8), lines: lines)
        }
    }

    private static func lines(_ range: Range<Int>) -> [String] { range.map { "line \($0)" } }

    private static func text(_ screen: Screen) -> [String] { screen.lines.map(screen.text(ofLine:)) }

    @Test(arguments: [0, 1, 3, 40]) func `pages join while the program writes on`(added: Int) throws {
        var pane = Pane(rows: Self.lines(0..<100))
        var history = ScreenHistory(try pane.page(-10..<100))
        #expect(Self.text(history.screen) == Self.lines(86..<100))
        var next = 100
        var rounds = 0
        while let wanted = history.wantedLines(7), rounds < 100 {
            // A burst that is over when nothing new would be left to read otherwise.
            if rounds < 5 { pane.rows += Self.lines(next..<next + added) }
            next = pane.rows.count
            _ = try #require(history.prepend(try pane.page(wanted)))
            rounds += 1
        }
        #expect(history.isComplete)
        #expect(Self.text(history.screen) == Self.lines(0..<100))
    }

    @Test func `pages join where tmux drops the oldest rows meanwhile`() throws {
        var pane = Pane(rows: Self.lines(0..<100))
        var history = ScreenHistory(try pane.page(-10..<100))
        pane.rows = Self.lines(20..<105)
        #expect(history.prepend(try pane.page(try #require(history.wantedLines(30)))) == 25)
        #expect(Self.text(history.screen) == Self.lines(61..<100))
    }

    @Test func `pages that do not join are refused`() throws {
        var history = ScreenHistory(try Pane(rows: Self.lines(0..<100)).page(-10..<100))
        let wanted = try #require(history.wantedLines(10))
        #expect(history.prepend(try Pane(rows: Self.lines(500..<600)).page(wanted)) == nil)
        #expect(Self.text(history.screen) == Self.lines(86..<100))
    }

    @Test func `the live screen goes on where the history ends`() throws {
        let pane = Pane(rows: Self.lines(0..<20))
        let history = ScreenHistory(try pane.page(-100..<100))
        for scrolled in 0...3 {
            var live = Screen(size: TerminalSize(columns: 10, rows: 4))
            live.feed(Self.lines(16 + scrolled..<20 + scrolled).joined(separator: "\r\n"))
            let (joined, isContinuous) = history.joined(to: live)
            #expect(isContinuous)
            #expect(Self.text(joined) == Self.lines(0..<20 + scrolled))
            #expect(joined.find(ScreenSearch("line 3")).count == 1)
            #expect(joined.cursor == live.cursor)
        }
    }

    @Test func `a gap between history and live screen is told`() throws {
        let history = ScreenHistory(try Pane(rows: Self.lines(0..<20)).page(-100..<100))
        var live = Screen(size: TerminalSize(columns: 10, rows: 4))
        live.feed("other\r\nthings")
        #expect(!history.joined(to: live).isContinuous)
    }

    @Test func `a history joins a live screen of another width, links and clusters included`() throws {
        let text = "0123456789ab\ne\u{301}\u{1B}[31mred\u{1B}[m\nw\nx\ny\nz"
        let page = try TmuxHistoryPage(output: Array("3 10 4 0\n\(text)\n".utf8), lines: -100..<100)
        let history = ScreenHistory(page)
        #expect(history.screen.find(ScreenSearch("9ab")).count == 1)
        var live = Screen(size: TerminalSize(columns: 20, rows: 4))
        live.feed("\u{1B}]8;;https://a.example\u{7}o\u{308}k\u{1B}]8;;\u{7}\r\nx\r\ny\r\nz")
        let (joined, _) = history.joined(to: live)
        #expect(joined.size == live.size)
        #expect(Self.text(joined).first == "0123456789ab")
        #expect(joined.visibleText == live.visibleText)
        let place = ScreenPosition(line: joined.visibleLines.lowerBound, column: 0)
        #expect(joined.link(at: place)?.url == "https://a.example")
        #expect(joined.find(ScreenSearch("e\u{301}")).count == 1)
    }

    @Test func `no more is kept than the limits allow`() throws {
        var limits = Screen.Limits()
        limits.scrollbackBytes = 4000
        var history = ScreenHistory(try Pane(rows: Self.lines(0..<1000)).page(-10..<100), limits: limits)
        for _ in 0..<200 {
            guard let wanted = history.wantedLines(10) else { break }
            _ = history.prepend(try Pane(rows: Self.lines(0..<1000)).page(wanted))
        }
        #expect(history.isComplete)
        #expect(history.screen.lines.count < 100)
        #expect(history.screen.visibleText == Self.lines(996..<1000).joined(separator: "\n"))
    }

    @Test(arguments: ["", "12", "a b c d\n", "-1 80 24 0\nx\n", "1 80 24\n"])
    func `what is no history is refused`(output: String) {
        #expect {
            try TmuxHistoryPage(output: Array(output.utf8), lines: 0..<1)
        } throws: { ($0 as? CoreError)?.code == .malformedHistory }
    }
}
