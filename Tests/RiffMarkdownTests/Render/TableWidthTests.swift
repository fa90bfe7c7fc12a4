// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffMarkdown
import RiffScreen
import Testing

/// Tables as text, drawn on a screen: the borders of all rows stand in one column, whatever the cells hold.
struct TableWidthTests {
    static let cells = [
        "a", "✅", "❌", "⏳", "⌚", "⭐", "⚡ fast", "👨‍👩‍👧‍👦", "👩🏽‍💻", "👍🏽", "❤️", "⚠️", "🇩🇪", "☑", "漢字", "ﾊﾝｶｸ", "ＡＢ",
        "e\u{301}", "한글", "\u{1112}\u{1161}\u{11AB}", "नमस्ते", "ก็", "🖥️ shell", "🫠", "㊗", "½", "…", "*long*", "`code`",
        "\u{200B}x",
        "a\u{200D}b", "👨\u{200D}", "〔", "䷀",
    ]

    @Test(arguments: cells)
    func `a table's borders stand in line`(cell: String) {
        let markdown =
            "| \(cell) | b | \(cell)\(cell) |\n|---|:-:|--:|\n| plain text here | \(cell) | c |\n| x | y | z |\n"
        var renderer = MarkdownANSI()
        renderer.hasHyperlinks = false
        var screen = Screen(size: TerminalSize(columns: 200, rows: 8))
        for block in MarkdownStream.blocks(markdown) {
            screen.feed(renderer.text(of: block).replacing("\n", with: "\r\n"))
        }
        var borders: [[Int]] = []
        for line in screen.visibleLines {
            let row = screen.cells(ofLine: line)
            let columns = row.indices.filter { ["│", "┼"].contains(row[$0].text) }
            if !columns.isEmpty { borders.append(columns) }
        }
        #expect(borders.count == 4)
        #expect(borders.allSatisfy { $0.count == 2 && $0 == borders[0] }, "\(borders)")
    }

    @Test(arguments: cells)
    func `a text is as wide as a screen lays it out`(text: String) {
        let shown = text.filter { $0 != "*" && $0 != "`" }
        var screen = Screen(size: TerminalSize(columns: 200, rows: 2))
        screen.feed(shown)
        #expect(screen.cursor.column == CharacterWidth.of(shown))
    }

    @Test func `controls and sequences of no terminal take nothing`() {
        #expect(CharacterWidth.of("") == 0)
        #expect(CharacterWidth.of("a\u{7}\u{9B}b\u{200D}") == 2)
        #expect(CharacterWidth.of(String(repeating: "👨\u{200D}", count: 3)) == 2)
    }
}
