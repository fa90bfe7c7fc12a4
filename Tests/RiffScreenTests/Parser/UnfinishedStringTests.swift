// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffScreen
import Testing

/// Control strings that never end: what comes behind them is shown all the same.
struct UnfinishedStringTests {
    private static let beginnings = [
        "\u{1B}P", "\u{1B}P1;2", "\u{1B}Pq", "\u{1B}Ptmux;", "\u{1B}P1:2", "\u{1B}]0;t", "\u{1B}]", "\u{1B}]52;c;",
        "\u{1B}_G",
        "\u{1B}^", "\u{1B}X", "\u{1B}k",
    ]

    private func make() -> Screen { Screen(size: TerminalSize(columns: 20, rows: 4)) }

    @Test(arguments: beginnings, ["\u{18}", "\u{1A}"])
    func `CAN and SUB end it`(beginning: String, end: String) {
        var screen = make()
        screen.feed(beginning + "lost")
        #expect(screen.isInControlString)
        screen.feed(end + "shown")
        #expect(!screen.isInControlString)
        #expect(screen.text(ofLine: 0) == "shown")
        #expect(screen.takeEvents().isEmpty && screen.title.isEmpty)
    }

    /// Not behind the header of a device control string, which may hold sequences: there it is as in tmux.
    @Test(arguments: beginnings.filter { !$0.hasPrefix("\u{1B}P") || $0.hasSuffix(":2") })
    func `another sequence ends it`(beginning: String) {
        for sequence in ["\u{1B}[1m", "\u{1B}[H", "\u{1B}c", "\u{1B}]2;new\u{7}", "\u{1B}[?1049h"] {
            var screen = make()
            screen.feed(beginning + "lost" + sequence + "shown")
            #expect(!screen.isInControlString)
            #expect(screen.text(ofLine: screen.visibleLines.lowerBound) == "shown", "\(beginning) \(sequence)")
        }
    }

    @Test(arguments: beginnings)
    func `whoever has a clock ends it`(beginning: String) {
        var screen = make()
        screen.feed("a" + beginning + "lost")
        screen.dropControlString()
        #expect(!screen.isInControlString)
        screen.feed("b\r\nc")
        #expect(screen.text(ofLine: 0) == "ab")
        #expect(screen.text(ofLine: 1) == "c")
        #expect(screen.takeEvents().isEmpty)
    }

    @Test func `to end one that is not there changes nothing`() {
        var screen = make()
        screen.feed("a\u{1B}[3")
        screen.dropControlString()
        #expect(!screen.isInControlString)
        screen.feed("1mb\u{1B}")
        screen.dropControlString()
        screen.feed("[0mc")
        #expect(screen.text(ofLine: 0) == "abc")
        #expect(screen.cells(ofLine: 0)[1].style.foreground == .palette(1))
    }

    @Test func `one swallows at most 16 MiB`() {
        var screen = make()
        screen.feed("\u{1B}Pq")
        let piece = [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 20)
        for _ in 0..<15 { screen.feed(piece) }
        #expect(screen.isInControlString && screen.text(ofLine: 0).isEmpty)
        screen.feed(piece)
        screen.feed("\r\nshown")
        #expect(!screen.isInControlString)
        #expect(screen.visibleText.contains("shown"))
    }

    @Test func `a string that is whole is swallowed whole, with the doubled escapes of tmux's passthrough`() {
        for string in [
            "\u{1B}Pq#0;2;0;0;0#0~~$-\u{1B}\\", "\u{1B}Ptmux;\u{1B}\u{1B}]52;c;aGk=\u{7}\u{1B}\\",
            "\u{1B}Ptmux;\u{1B}\u{1B}]8;;x\u{1B}\u{1B}\\\u{1B}\\", "\u{1B}P=1s\u{1B}\\", "\u{1B}_Ga=T;AAAA\u{1B}\\",
        ] {
            var screen = make()
            screen.feed("a" + string + "b")
            #expect(screen.text(ofLine: 0) == "ab", "\(string.debugDescription)")
            #expect(screen.takeEvents().isEmpty)
        }
    }
}
