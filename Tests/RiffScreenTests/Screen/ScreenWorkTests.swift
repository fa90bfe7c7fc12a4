// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffScreen
import TestSupport
import Testing

/// The work and the memory that a program can make of its bytes.
struct ScreenWorkTests {
    private static let size = TerminalSize(columns: 80, rows: 24)

    static let units = [
        "x", "x\r\n", "\n", "漢", "e\u{301}", "\u{301}", "\u{200D}", "👨\u{200D}", "\u{7}", "\t", "\u{1B}[99999S",
        "\u{1B}[99999T", "\u{1B}[99999L", "\u{1B}[99999M", "\u{1B}[99999@", "\u{1B}[99999P", "\u{1B}[99999X",
        "y\u{1B}[99999b",
        "\u{1B}[99999I", "\u{1B}[3g\u{1B}[99999I\u{1B}[99999Z", "\u{1B}[2J", "x\u{1B}[2J", "\u{1B}[3J", "\u{1B}[K",
        "\u{1B}[2;3r\u{1B}[9S", "\u{1B}[4hx", "\u{1B}#8", "\u{1B}c", "\u{1B}[6n", "\u{1B}[c",
        "\u{1B}[?1049h\u{1B}[?1049l",
        "\u{1B}[?1049h", "\u{1B}[999999999999999999999999m", "\u{1B}[1;2;3;4;5;6;7;8;9;10;11;12m",
        "\u{1B}[38;2;1;2;3m ",
        "\u{1B}[;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;", "\u{1B}[>1u", "\u{1B}]0;title\u{7}", "\u{1B}]9;4;1;50\u{7}",
        "\u{1B}]9;text\u{7}",
        "\u{1B}]99;i=1:d=0;part\u{7}", "\u{1B}]52;c;aGk=\u{7}", "\u{1B}]8;;http://a.b\u{7}x",
        "\u{1B}]8;id=a;http://a.b\u{7}\u{1B}[mx",
        "\u{1B}P", "\u{1B}]", "\u{1B}_", "\u{1B}", "\u{18}", "\u{1B}7\u{1B}8",
    ]

    private static func bytes(_ unit: String, _ count: Int) -> [UInt8] {
        let unit = Array(unit.utf8)
        return (0..<count).map { unit[$0 % unit.count] }
    }

    @Test(arguments: units)
    func `feeding is linear, and what it leaves is bounded`(unit: String) {
        Growth.expectLinear(5000, unit.debugDescription) { count in
            var screen = Screen(size: Self.size)
            screen.feed(Self.bytes(unit, count))
            #expect(screen.replies.count < 5000)
            #expect(screen.takeEvents().count <= 256)
            #expect(screen.title.unicodeScalars.count <= 512)
            // A cell holds 21 bytes of text at most, and its row an end.
            #expect(screen.visibleText.utf8.count <= 24 * (80 * 21 + 1))
            #expect(screen.lines.count <= count + 24 * count)
        }
    }

    @Test func `changing the width of one long line is linear`() {
        for text in ["x", "漢", "e\u{301}", "\u{1B}]8;;http://a.b\u{7}x"] {
            Growth.expectLinear(4000, text.debugDescription) { count in
                var screen = Screen(size: Self.size)
                for _ in 0..<count { screen.feed(text) }
                for columns in [79, 7, 200, 1, 80] { screen.resize(to: TerminalSize(columns: columns, rows: 24)) }
                #expect(screen.size == Self.size)
            }
        }
    }

    /// With what is on show a program can fill the tables, and then ask for more with a few bytes each.
    @Test func `a full table of links is not searched again and again`() {
        var screen = Screen(size: Self.size)
        for number in 0..<90_000 { screen.feed("\u{1B}]8;id=\(number);http://a\u{7}x") }
        #expect((1...3).contains(screen.sweepCount))
        // The text is there, without the link.
        #expect(screen.text(ofLine: screen.visibleLines.lowerBound) == String(repeating: "x", count: 80))
        #expect(screen.cells(ofLine: screen.visibleLines.lowerBound)[0].link == nil)
        // When the cells are gone, so is what they held.
        screen.feed("\u{1B}[2J\u{1B}[3J\u{1B}[H")
        for number in 0..<40_000 { screen.feed("\u{1B}]8;id=n\(number);http://a\u{7}x") }
        let last = screen.cells(ofLine: screen.visibleLines.lowerBound + screen.cursor.row)[screen.cursor.column - 1]
        #expect(last.link?.id == "n39999")
        #expect(screen.sweepCount < 8)
    }

    @Test func `nor is a full table of characters with marks`() {
        var screen = Screen(size: Self.size)
        var text = String.UnicodeScalarView()
        for number in 0..<90_000 {
            text.append(Unicode.Scalar(0x4E00 + UInt32(number / 60)) ?? "x")
            text.append(Unicode.Scalar(0x300 + UInt32(number % 60)) ?? "x")
        }
        screen.feed(String(text))
        #expect((1...3).contains(screen.sweepCount))
    }

    @Test func `long addresses are kept up to 16 MiB`() {
        var screen = Screen(size: TerminalSize(columns: 100, rows: 24))
        let address = "http://a/" + String(repeating: "x", count: 2000)
        for number in 0..<9500 { screen.feed("\u{1B}]8;;\(address)\(number)\u{7}x") }
        let kept = screen.lines.reduce(0) { count, line in
            count + screen.cells(ofLine: line).reduce(0) { $0 + ($1.link == nil ? 0 : 1) }
        }
        #expect((8000...8200).contains(kept))
        #expect(screen.sweepCount < 20)
    }
}
