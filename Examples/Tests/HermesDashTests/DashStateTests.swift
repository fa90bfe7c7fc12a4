// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffHermes
import Testing
import hermes_dash

/// What keys do, as tables.
struct DashStateTests {
    private static let sessions = (0..<30).map { HermesTranscript.Question("s\($0)") }

    private static func state(
        _ keys: [TerminalKey],
        _ scene: DashState.Scene
    ) -> (state: DashState, effects: [DashState.Effect]) {
        var state = DashState()
        let effects = keys.flatMap { state.pressed($0, in: scene) }
        return (state, effects)
    }

    @Test(arguments: [
        ("2", DashState.Page.sessions), ("6", .log), ("61", .overview), ("7", .overview), ("0", .overview),
        ("\t\t", .search), ("6\t", .overview),
    ])
    func `numbers and Tab turn pages`(typed: String, page: DashState.Page) {
        let keys = typed.map { $0 == "\t" ? TerminalKey.tab : .character($0) }
        #expect(Self.state(keys, DashState.Scene(rows: 10)).state.page == page)
    }

    @Test func `a list is chosen from within its ends, and more is wanted before its end`() {
        let scene = DashState.Scene(rows: 10, lines: 30, opens: Self.sessions, hasMore: true)
        let start: [TerminalKey] = [.character("2")]
        #expect(Self.state(start + [.up], scene).state.place == 0)
        #expect(Self.state(start + [.down, .down, .up], scene).state.place == 1)
        #expect(Self.state(start + [.character(" ")], scene).effects.isEmpty)
        let far = Self.state(start + [.character(" "), .character(" ")], scene)
        #expect(far.state.place == 20)
        #expect(far.effects == [.more])
        let end = Self.state(start + Array(repeating: .character(" "), count: 9), scene)
        #expect(end.state.place == 29)
        let whole = DashState.Scene(rows: 10, lines: 30, opens: Self.sessions)
        #expect(Self.state(start + Array(repeating: .down, count: 40), whole).effects.isEmpty)
    }

    @Test func `Return reads what is chosen, and Escape comes back to it`() {
        let scene = DashState.Scene(rows: 10, lines: 30, opens: Self.sessions)
        var state = Self.state([.character("2"), .down, .enter], scene).state
        #expect(state.reading == Self.sessions[1])
        let reading = DashState.Scene(rows: 10, lines: 25, hasMore: true)
        #expect(state.pressed(.up, in: reading).isEmpty)
        #expect(state.scroll == 1)
        #expect(state.pressed(.character("b"), in: reading).isEmpty)
        #expect(state.pressed(.character("b"), in: reading) == [.more])
        #expect(state.scroll == 15)
        #expect(state.pressed(.down, in: reading).isEmpty)
        #expect(state.scroll == 14)
        _ = state.pressed(.escape, in: reading)
        #expect(state.reading == nil)
        #expect(state.place == 1)
        #expect(Self.state([.character("2"), .enter], DashState.Scene(rows: 10)).state.reading == nil)
    }

    @Test func `what is typed is a search, and keys are letters meanwhile`() {
        let scene = DashState.Scene(rows: 10)
        let keys = "/q1 r".map { TerminalKey.character($0) }
        let typing = Self.state(keys, scene)
        #expect(typing.effects.isEmpty)
        #expect(typing.state.typing == "q1 r")
        let done = Self.state(keys + [.backspace, .backspace, .enter], scene).state
        #expect(done.search == HermesSearch("q1"))
        #expect(done.page == .search)
        #expect(Self.state(keys + [.escape], scene).state.search == nil)
        #expect(Self.state([.character("/"), .character(" "), .enter], scene).state.search == nil)
    }

    @Test func `days, kinds and levels go round or end`() {
        let scene = DashState.Scene(rows: 10)
        let right = Self.state([.character("5")] + Array(repeating: .right, count: 9), scene).state
        #expect(right.span == .all)
        let left = Self.state([.character("5")] + Array(repeating: .left, count: 9), scene).state
        #expect(left.span == .days(7))
        #expect(Self.state([.character("2"), .character("a")], scene).state.filter == .everything)
        let levels = (0..<5).map { count in
            Self.state([.character("6")] + Array(repeating: .character("l"), count: count), scene).state.level
        }
        #expect(levels == [nil, .info, .warning, .error, nil])
        #expect(Self.state([.character("q")], scene).effects == [.quit])
        #expect(Self.state([.character("r")], scene).effects == [.refresh])
    }

    @Test(arguments: [
        (0.0, ""), (10, "██████████"), (5, "█████"), (0.01, "▏"), (1.05, "█"), (1.5, "█▌"), (20, "██████████"),
    ])
    func `a bar is as long as its share`(value: Double, bar: String) {
        #expect(Bars.bar(value, of: 10, width: 10) == bar)
    }

    @Test func `columns are as high as their shares`() {
        #expect(Bars.columns([0, 1, 2, 4, 8]) == " ▂▃▅█")
        #expect(Bars.columns([0, 0]) == "  ")
        #expect(Bars.bar(1, of: 0, width: 4).isEmpty)
    }

    @Test(arguments: [
        ("one two three", 7, ["one two", "three"]), ("abcdefghij", 4, ["abcd", "efgh", "ij"]),
        ("a bcdefg h", 4, ["a", "bcde", "fg h"]), ("日本語の文", 4, ["日本", "語の", "文"]), ("fits", 4, ["fits"]),
        ("語", 1, ["語"]),
    ])
    func `lines break between words, or within one that is too long`(line: String, width: Int, rows: [String]) {
        #expect(Wrapping.rows(of: line, width: width) == rows)
    }

    @Test func `the log keeps the newest entries, and shows what is grave enough`() {
        var book = LogBook()
        let entries = (0..<2100).map { number in
            LogEntry(
                id: UInt64(number),
                timestamp: "2026-11-21 03:19:07,420",
                level: number % 2 == 0 ? .info : .error,
                session: nil,
                logger: "agent",
                message: "entry \(number)\nmore"
            )
        }
        book.add(LogTail.Batch(entries: entries))
        #expect(book.entries.count == 2000)
        #expect(book.lines(nil).count == 4000)
        #expect(book.lines(.error).suffix(2) == ["2026-11-21 03:19:07,420 ERROR agent: entry 2099", "    more"])
        #expect(book.lines(.error).count == 2000)
        book.add(LogTail.Batch(entries: [], followsGap: true))
        #expect(book.problem != nil)
    }
}
