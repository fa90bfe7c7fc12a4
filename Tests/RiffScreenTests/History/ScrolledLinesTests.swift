// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffScreen
import TestSupport
import Testing

struct ScrolledLinesTests {
    /// A full-screen program: a heading, a text that scrolls, and a composer.
    private struct Program {
        var screen = Screen(size: TerminalSize(columns: 40, rows: 12))
        var found = ScrolledLines()
        private var time = 0.0

        mutating func show(_ text: [String], composer: String = "> ", heading: String? = nil) {
            let rows = screen.size.rows
            let room = rows - 3 - (heading == nil ? 0 : 1)
            var drawn = "\u{1B}[?1049h\u{1B}[2J\u{1B}[H"
            if let heading { drawn += heading + "\r\n" }
            drawn += text.suffix(room).joined(separator: "\r\n")
            drawn += "\u{1B}[\(rows - 2);1H────────\r\n\(composer)\r\n  ? for shortcuts"
            screen.feed(drawn)
            time += 1
            found.add(screen.picture, at: time)
        }

        var texts: [String] { found.lines.map(\.text) }
    }

    private static func lines(_ range: Range<Int>) -> [String] { range.map { "line \($0) of the text" } }

    @Test(arguments: [nil, "A heading that stays"], [1, 2, 5])
    func `what scrolls away above a composer is found once, in order`(heading: String?, step: Int) {
        var program = Program()
        for end in stride(from: 1, through: 101, by: step) {
            program.show(Self.lines(0..<end), composer: "> typed \(end)", heading: heading)
        }
        // The line beneath the heading may come back.
        let room = 9
        #expect(program.texts.filter { $0 != heading } == Self.lines(0..<(101 - 1) / step * step + 1 - room))
        #expect(program.found.gapCount == 0)
        #expect(program.found.lines.first?.time ?? 0 > 0)
    }

    @Test func `a menu that covers all of it for a while loses nothing and adds nothing`() {
        var program = Program()
        for end in 1..<30 {
            program.show(Self.lines(0..<end))
            if end % 7 == 0 { program.show((0..<9).map { "choice \($0) of \(end)" }, composer: "pick") }
        }
        let numbers = program.texts.filter { $0.hasPrefix("line") }
        #expect(numbers == Self.lines(0..<20))
    }

    @Test func `scrolling back and forth adds nothing twice`() {
        var program = Program()
        for end in 1..<31 { program.show(Self.lines(0..<end)) }
        let before = program.texts
        for end in (20..<30).reversed() { program.show(Self.lines(0..<end)) }
        for end in 20..<31 { program.show(Self.lines(0..<end)) }
        #expect(program.texts == before && before == Self.lines(0..<21))
        program.show(Self.lines(0..<33))
        #expect(program.texts == Self.lines(0..<24))
    }

    @Test func `a spinner, a cursor and a typed line are no scrolling`() {
        var program = Program()
        for number in 0..<50 {
            program.show(
                Self.lines(0..<5) + ["\("◐◓◑◒".map(String.init)[number % 4]) Working (\(number)s)"],
                composer: "> \(number)"
            )
        }
        #expect(program.texts.isEmpty)
    }

    @Test func `lines that are all alike do not look as if they scrolled`() {
        var program = Program()
        for _ in 0..<20 { program.show(Array(repeating: "the same", count: 9)) }
        #expect(program.texts.isEmpty)
    }

    @Test func `what is kept is bounded`() {
        var screen = Screen(size: TerminalSize(columns: 20, rows: 6))
        var found = ScrolledLines(limit: 100)
        for number in 0..<1000 {
            screen.feed(
                "\u{1B}[?1049h\u{1B}[H" + (0..<6).map { "\(number + $0) line\u{1B}[K" }.joined(separator: "\r\n")
            )
            found.add(screen.picture, at: Double(number))
        }
        #expect(found.lines.count <= 125 && found.droppedCount + found.lines.count == 999)
        #expect(found.lines.last?.text == "998 line")
    }

    /// The lines of the conversation that a scene's agent showed.
    @Test(arguments: [
        (
            "claude-subagent",
            ["Claude Code v2.1.331", "Agent(Look around)", "Look around\",\"prompt"]
        ),
        ("codex-daemon-death", ["OpenAI Codex", "› hello first", "• Echo: hello first"]),
        ("codex-perm-two", ["OpenAI Codex"]),
        ("codex-plan", ["OpenAI Codex", "Model changed to fake-model medium for Plan mode"]),
    ])
    func `what a real agent's screen does not show any more is found`(name: String, wanted: [String]) throws {
        var found = ScrolledLines()
        var last = Screen()
        try RecordedScene(name).replay { screen, time in
            if screen.isAlternate { found.add(screen.picture, at: time) }
            last = screen
        }
        let all = (found.lines + found.remainingLines).map(\.text)
        for text in wanted {
            #expect(all.contains { $0.contains(text) }, "\(text) in \(all)")
            #expect(!last.visibleText.contains(text), "\(text) is on the screen still")
        }
        // Nothing is told twice by the comparison itself.
        let scrolled = found.lines.map(\.text).filter { $0.count > 30 }
        #expect(Set(scrolled).count == scrolled.count)
    }
}
