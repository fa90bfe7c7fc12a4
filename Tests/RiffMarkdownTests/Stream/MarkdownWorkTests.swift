// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffMarkdown
import TestSupport
import Testing

/// The work and the size of what comes out, for texts that are nothing but the beginnings of something.
struct MarkdownWorkTests {
    static let units = [
        "a", "a ", "a\n", "\n", "\\\n", "\t", "[", "]", "](", "[]", "[](", "[a](", "[a](<b", "[a][", "[a]", "![",
        "![a](b)", "!", "*",
        "_", "**a *b ", "a**b", "*a_ ", "~~", "~~a~ ", "`", "`a``b", "``` `", "```\n", "~~~\na\n", "&", "&amp;", "&#x",
        "&#x10FFFF;",
        "&notanentity;", "<", "<a", "<a ", "<a b=\"", "<!--", "<?", "<![CDATA[", "<!A ", "</", "<div>\n", "<a>b</a>",
        ">", "> ",
        "> > a\n", "- ", "- a\n", "1. ", "1. a\n", "* * ", "- - a\n", "  - a\n", "# ", "# a\n", "#", "a\n===\n",
        "---\n", "|", "| a ",
        "| a | b |\n", "|-", "|-|\n", "|a|\n|-|\n", "[a]: b\n", "[a]: <", "[a]:\n", "[a]: b 'c", "[a]:b\n\n[a]\n\n",
        "[^a]", "[^a]: b\n",
        "[^a]\n\n[^a]: b\n\n", "- [ ] a\n", "https://a", "https://a.b(", "https://a.b/&amp;", "www.", "www.a_", "a@",
        "a@b.", "a.b-c_d@",
        "$", "$$", "$a$ ", "\\", "\\[", "\\(", "\"", "'", "(", "e\u{301}", "👨\u{200D}", "\u{0}", "\u{202E}", "\r",
        "    a\n",
    ]

    private static func text(_ unit: String, _ count: Int) -> [UInt8] {
        let unit = Array(unit.utf8)
        return (0..<count).map { unit[$0 % unit.count] }
    }

    private static func read(_ text: [UInt8]) -> [MarkdownBlock] {
        var stream = MarkdownStream()
        return stream.append(bytes: text).committed + stream.finish().committed
    }

    private static func drawn(_ blocks: [MarkdownBlock]) -> Int {
        var plain = MarkdownANSI()
        plain.hasHyperlinks = false
        var count = 0
        for block in blocks {
            count += MarkdownHTML().bytes(of: block.root).count
            count += MarkdownANSI().text(of: block).utf8.count
            count += plain.text(of: block).utf8.count
        }
        return count
    }

    @Test(arguments: units)
    func `reading and drawing is linear, in work and in size`(unit: String) {
        Growth.expectLinear(2000, unit.debugDescription) { count in
            // A closing tag for each byte, in HTML and in two forms of terminal text.
            #expect(Self.drawn(Self.read(Self.text(unit, count))) <= 300 * count + 4096)
        }
    }

    /// Beginnings that come before as many ends.
    @Test(arguments: [
        ("[", "](a)"), ("![", "](a)"), ("*a ", "b* "), ("**a ", " b** "), ("[a](", ")"), ("<a ", ">"), ("> ", "\n"),
        ("| a ", "|\n|-|-|\n"),
        ("`", "``"), ("(", ")"), ("~~a ", " b~~"), ("[", "]: b\n"), ("$", "$$"),
    ])
    func `nesting is linear`(opener: String, closer: String) {
        Growth.expectLinear(1000, opener + closer) { count in
            let text = Array((String(repeating: opener, count: count) + String(repeating: closer, count: count)).utf8)
            #expect(Self.drawn(Self.read(text)) <= 300 * text.count + 4096)
        }
    }

    /// Texts whose parts are all different.
    @Test(arguments: 0..<5)
    func `many of a kind is linear`(kind: Int) {
        Growth.expectLinear(300, "kind \(kind)") { count in
            let parts = (0..<count).map { number in
                switch kind {
                // Runs of backticks of each length.
                case 0: String(repeating: "`", count: number % 200 + 1) + "a "
                case 1: "[label \(number)]: /address\n"
                case 2: "[label \(number)] "
                case 3: "[^\(number)]\n\n[^\(number)]: note\n\n"
                default: "| \(number) | \(number) |\n" + (number == 0 ? "|-|-|\n" : "")
                }
            }
            let text = Array(parts.joined().utf8)
            #expect(Self.drawn(Self.read(text)) <= 100 * text.count + 4096)
        }
    }

    @Test(arguments: [
        "a ", "[", "*a ", "> ", "- a\n", "| a ", "|a|\n|-|\n", "`a", "```\na\n", "[a]: b\n\n[a]\n\n", "[^a]\n\n",
        "a@b.", "<a ",
    ])
    func `a text that comes in pieces is linear`(unit: String) {
        Growth.expectLinear(2000, unit.debugDescription) { count in
            var stream = MarkdownStream()
            let text = Self.text(unit, count)
            var blocks = 0
            for start in stride(from: 0, to: text.count, by: 16) {
                blocks += stream.append(bytes: text[start..<min(start + 16, text.count)]).committed.count
            }
            blocks += stream.finish().committed.count
            #expect(blocks <= count + 1)
        }
    }
}
