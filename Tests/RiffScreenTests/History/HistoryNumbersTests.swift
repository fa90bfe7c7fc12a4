// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffScreen
import Testing

/// Numbers that no tmux says, from a host that says them.
@Suite struct HistoryNumbersTests {
    private static let extremes = [
        "0", "-1", "2147483648", "4294967296", "9223372036854775807", "-9223372036854775808", "18446744073709551616",
        "1e308", "nan", "", String(repeating: "9", count: 400),
    ]

    private static func page(_ count: String, _ columns: String, _ rows: String, lines: Range<Int>) throws
        -> TmuxHistoryPage
    {
        try TmuxHistoryPage(output: Array("\(count) \(columns) \(rows) 0\nline\n".utf8), lines: lines)
    }

    @Test(arguments: extremes, 0...2)
    func `a page with an extreme number is read or refused, and the next one is asked for`(
        number: String,
        place: Int
    ) throws {
        var numbers = ["1000", "10", "4"]
        numbers[place] = number
        for lines in [-10..<4, -1_000..<1_000, Int.min..<Int.max, -5..<(-3)] {
            #expect(try Self.join(numbers, lines) ?? .malformedHistory == .malformedHistory)
        }
    }

    /// Joins a page with these numbers to another one, and another one to it.
    ///
    /// - Returns: The code of the error, if it was refused.
    private static func join(_ numbers: [String], _ lines: Range<Int>) throws -> CoreError.Code? {
        var first = ScreenHistory(try page("1000", "10", "4", lines: -10..<4))
        let other: TmuxHistoryPage
        do { other = try page(numbers[0], numbers[1], numbers[2], lines: lines) } catch {
            return (error as? CoreError)?.code
        }
        var history = ScreenHistory(other)
        _ = first.prepend(other)
        _ = first.wantedLines(.max)
        let wanted = history.wantedLines(100) ?? -1..<4
        _ = history.prepend(try page("1", "10", "4", lines: wanted))
        _ = history.wantedLines(.max)
        return nil
    }

    @Test func `a history that grows by 2^63 rows is refused with what was read`() throws {
        var history = ScreenHistory(try Self.page("1000", "10", "4", lines: -10..<4))
        let error = #expect(throws: CoreError.self) {
            let page = try Self.page("9223372036854775807", "10", "4", lines: -2_000..<(-1_000))
            _ = history.prepend(page)
            _ = history.wantedLines(100)
        }
        #expect(error?.message.contains("9223372036854775807") == true)
    }

    @Test func `a page that is made elsewhere is kept within what tmux can say`() {
        let page = TmuxHistoryPage(
            size: TerminalSize(columns: 10, rows: 4),
            historyCount: .max,
            isAlternate: false,
            lines: .min..<4,
            text: []
        )
        var history = ScreenHistory(page)
        #expect(history.prepend(page) != nil || history.wantedLines(.max) == nil || page.historyCount < .max)
        let none = TmuxHistoryPage(
            size: TerminalSize(columns: 10, rows: 4),
            historyCount: .min,
            isAlternate: false,
            lines: -3..<4,
            text: []
        )
        #expect(none.historyCount == 0 && ScreenHistory(none).isComplete)
    }

    @Test(arguments: Array("CABDGd@PXLMSTIZbHrmht"))
    func `a control sequence takes any number`(final: Character) {
        for number in Self.extremes {
            var screen = Screen(size: TerminalSize(columns: 10, rows: 4))
            screen.feed("ab\u{1B}[\(number)\(final)\u{1B}[\(number);\(number)\(final)\u{1B}[1;\(number)\(final)c")
            screen.feed("\u{1B}]\(number);\(number)\u{7}\u{1B}]4;\(number);?\u{7}")
            screen.feed("\u{1B}[38;5;\(number)m\u{1B}[38;2;\(number)m")
            #expect(screen.lines.count >= 4)
        }
    }

    @Test(arguments: ["4294967336", "2147483647", "99999", "9999999999"])
    func `a count beyond 16 or 32 bits is a large one, and takes no time`(number: String) {
        var screen = Screen(size: TerminalSize(columns: 10, rows: 100))
        screen.feed("\u{1B}[\(number)B")
        #expect(screen.cursor.row == 99)
        screen.feed("\u{1B}[\(number)S\u{1B}[\(number)T\u{1B}[\(number)m\u{1B}[\(number)b")
        #expect(screen.cursor.row == 99)
    }
}
