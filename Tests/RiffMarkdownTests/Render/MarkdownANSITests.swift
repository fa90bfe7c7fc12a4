// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffMarkdown
import Testing

struct MarkdownANSITests {
    private func plain(_ markdown: String) -> String {
        var renderer = MarkdownANSI()
        renderer.hasHyperlinks = false
        let text = MarkdownStream.blocks(markdown).map { renderer.text(of: $0) }.joined()
        return text.replacing(#/\u{1B}\[[0-9;]*m/#, with: "")
    }

    @Test func `blocks are set out as text`() {
        let markdown = """
            # Title

            Some *words* and
            more.

            - one
            - two
              1. inner
              2. inner

            > quoted
            > - x

            ```sh
            ls	-l
            ```

            - [x] done
            """
        let expected = """
            Title

            Some words and more.

            • one
            • two
              1. inner
              2. inner

            │ quoted
            │
            │ • x

                ls    -l

            • ☑ done


            """
        #expect(plain(markdown) == expected)
    }

    @Test func `a table's columns are as wide as their cells`() {
        #expect(
            plain("| a | 名前 |\n|---|--:|\n| *long* | b |\n")
                == "a    │ 名前\n─────┼─────\nlong │    b\n\n".replacing("─────┼─────", with: "─────┼─────")
        )
    }

    @Test func `marks that turn the direction of writing are left out, also those that references spell out`() {
        let marks = ["\u{61C}", "\u{200E}", "\u{200F}", "\u{202E}", "\u{2066}"]
        let text = marks.joined(separator: "a") + " &rlm;&lrm;&#x61C;&#x202E; `\u{200F}b`"
        let drawn = MarkdownStream.blocks(text + "\n").map { MarkdownANSI().text(of: $0) }.joined()
        #expect(!drawn.unicodeScalars.contains { scalar in marks.contains { $0.unicodeScalars.contains(scalar) } })
        #expect(drawn.contains("aaaa"))
    }

    @Test func `text cannot drive the terminal`() {
        let text = MarkdownStream.blocks(
            "a\u{1B}]0;x\u{7}b `\u{9B}2J` [c](https://d.e/\u{1B}\\)\n\n```\n\u{1B}[2J\u{202E}\n```\n"
        )
        .map { MarkdownANSI().text(of: $0) }.joined()
        let scalars = text.unicodeScalars
        #expect(!scalars.contains { $0 == "\u{7}" || $0 == "\u{9B}" || $0 == "\u{202E}" })
        let sequences = text.replacing(#/\u{1B}\[[0-9;]*m/#, with: "").replacing(
            #/\u{1B}\]8;;[^\u{1B}]*\u{1B}\\/#,
            with: ""
        )
        #expect(!sequences.unicodeScalars.contains("\u{1B}"))
    }

    @Test func `raw HTML is shown as it is written`() {
        #expect(plain("Use Vec<String> here, <thinking> too.\n") == "Use Vec<String> here, <thinking> too.\n\n")
        #expect(plain("a <b\nc> d\u{1B}\n") == "a <b c> d\n\n")
        #expect(plain("| a<br>b |\n|---|\n") == "a<br>b\n──────\n\n")
        #expect(plain("<div>\na\n</div>\n") == "    <div>\n    a\n    </div>\n\n")
    }

    /// As other renderers were reported to have them wrong.
    @Test func `links in tables and in bold text are there, and quotes nest`() {
        #expect(
            plain("| <https://a.b> | [c](https://d.e) |\n|---|---|\n")
                == "https://a.b │ c (https://d.e)\n────────────┼────────────────\n\n"
        )
        #expect(plain("**[a](https://b.c)**") == "a (https://b.c)\n\n")
        #expect(plain("- a `b`, `c`, d\n") == "• a b, c, d\n\n")
        #expect(plain("> a\n>\n> > b\n>\n> c\n") == "│ a\n│\n│ │ b\n│\n│ c\n\n")
    }

    @Test func `an image in a link is no link of its own`() {
        #expect(plain("[![a](https://b.c) d](https://e.f) g") == "a d (https://e.f) g\n\n")
        let text = MarkdownANSI().text(of: MarkdownStream.blocks("[![a](https://b.c) d](https://e.f)")[0])
        #expect(!text.contains("b.c"))
        #expect(text.split(separator: "\u{1B}]8;;").count == 3)
    }

    @Test func `style within the same style ends where the outer ends`() {
        let text = MarkdownANSI().text(of: MarkdownStream.blocks("*a **b *c* d** e* f")[0])
        #expect(text == "\u{1B}[3ma \u{1B}[1mb c d\u{1B}[0m\u{1B}[3m e\u{1B}[0m f\n\n")
    }

    @Test(arguments: [
        String(repeating: ">", count: 3000) + "a\n" + String(repeating: "b\\\n", count: 1000),
        String(repeating: "- ", count: 3000) + "a\n" + String(repeating: "b\\\n", count: 1000),
        String(repeating: "*a **b ", count: 1000) + String(repeating: "c** d* ", count: 1000),
        String(repeating: "![", count: 2000) + String(repeating: "](https://a.b)", count: 2000),
        "| " + String(repeating: "a", count: 20_000) + " | b |\n|---|---|\n"
            + String(repeating: "| b | c |\n", count: 300),
    ])
    func `what nests deeply or is wide does not make each line long`(markdown: String) {
        for hasHyperlinks in [false, true] {
            var renderer = MarkdownANSI()
            renderer.hasHyperlinks = hasHyperlinks
            let bytes = MarkdownStream.blocks(markdown).reduce(0) { $0 + renderer.text(of: $1).utf8.count }
            #expect(bytes < 300 * markdown.utf8.count / 4)
        }
    }

    @Test func `links are links where the terminal has them`() {
        let block = MarkdownStream.blocks("[a](https://b.c/ü) [d](javascript:e)")[0]
        #expect(MarkdownANSI().text(of: block).contains("\u{1B}]8;;https://b.c/%C3%BC\u{1B}\\"))
        #expect(!MarkdownANSI().text(of: block).contains("javascript"))
        // Some take a backslash for a slash: the host would be another one.
        let hidden = MarkdownStream.blocks("[a](<https://evil.ex\\\\@good.ex>)")[0]
        #expect(MarkdownANSI().text(of: hidden).contains("\u{1B}]8;;https://evil.ex%5C@good.ex\u{1B}\\"))
        #expect(plain("[a](https://b.c) <https://d.e>") == "a (https://b.c) https://d.e\n\n")
    }
}
