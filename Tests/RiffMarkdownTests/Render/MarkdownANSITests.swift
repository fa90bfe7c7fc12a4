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

    @Test func `links are links where the terminal has them`() {
        let block = MarkdownStream.blocks("[a](https://b.c/ü) [d](javascript:e)")[0]
        #expect(MarkdownANSI().text(of: block).contains("\u{1B}]8;;https://b.c/%C3%BC\u{1B}\\"))
        #expect(!MarkdownANSI().text(of: block).contains("javascript"))
        #expect(plain("[a](https://b.c) <https://d.e>") == "a (https://b.c) https://d.e\n\n")
    }
}
