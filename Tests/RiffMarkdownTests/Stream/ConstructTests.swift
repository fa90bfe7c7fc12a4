// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffMarkdown
import Testing

/// What breaks engines that cut a text into blocks, construct by construct (streaming.md 2.3).
struct ConstructTests {
    /// A text, the sources of its blocks, and how many are complete before its end.
    struct Row: Sendable, CustomTestStringConvertible {
        var construct: String
        var text: String
        var sources: [String]
        var completeBefore: Int

        var testDescription: String { construct }
    }

    static let rows = [
        Row(
            construct: "definition over two lines",
            text: "[a]:\n/b\n'c'\nText\n",
            sources: ["[a]:\n/b\n'c'\nText\n"],
            completeBefore: 0
        ),
        Row(
            construct: "definition and its block",
            text: "[a]: /b\n\n# H\n",
            sources: ["[a]: /b\n\n", "# H\n"],
            completeBefore: 1
        ),
        Row(construct: "setext heading", text: "a\nb\n---\nc\n", sources: ["a\nb\n---\n", "c\n"], completeBefore: 1),
        Row(construct: "lone dash is a list", text: "-\n", sources: ["-\n"], completeBefore: 0),
        Row(construct: "lazy continuation", text: "> a\nb\n\nc\n", sources: ["> a\nb\n\n", "c\n"], completeBefore: 1),
        Row(
            construct: "list over blank lines",
            text: "- a\n\n\n- b\n\n  c\n\nd\n",
            sources: ["- a\n\n\n- b\n\n  c\n\n", "d\n"],
            completeBefore: 1
        ),
        Row(construct: "other bullet, other list", text: "- a\n* b\n", sources: ["- a\n", "* b\n"], completeBefore: 1),
        Row(construct: "number that starts no list", text: "a\n14. b\n", sources: ["a\n14. b\n"], completeBefore: 0),
        Row(
            construct: "table below text",
            text: "t\n| a |\n|---|\n| b |\n\nc\n",
            sources: ["t\n", "| a |\n|---|\n| b |\n\n", "c\n"],
            completeBefore: 2
        ),
        Row(
            construct: "table ended by a block",
            text: "|a|\n|-|\n# b\n",
            sources: ["|a|\n|-|\n", "# b\n"],
            completeBefore: 1
        ),
        Row(
            construct: "fence in a fence",
            text: "````\n```\n\n````\na\n",
            sources: ["````\n```\n\n````\n", "a\n"],
            completeBefore: 1
        ),
        Row(construct: "open fence", text: "```\n# a\n\n> b\n", sources: ["```\n# a\n\n> b\n"], completeBefore: 0),
        Row(
            construct: "indented code and blank lines",
            text: "    a\n\n\n    b\n\nc\n",
            sources: ["    a\n\n\n    b\n\n", "c\n"],
            completeBefore: 1
        ),
        Row(
            construct: "HTML to its mark",
            text: "<!-- a\n\nb -->\nc\n",
            sources: ["<!-- a\n\nb -->\n", "c\n"],
            completeBefore: 1
        ),
        Row(
            construct: "HTML to a blank line",
            text: "<div>\n*a*\n\n*b*\n",
            sources: ["<div>\n*a*\n\n", "*b*\n"],
            completeBefore: 1
        ),
        Row(
            construct: "unknown tag in a paragraph",
            text: "a\n<thinking>\nb\n",
            sources: ["a\n<thinking>\nb\n"],
            completeBefore: 0
        ),
        Row(
            construct: "unknown tag by itself",
            text: "<thinking>\na\n</thinking>\n\nb",
            sources: ["<thinking>\na\n</thinking>\n\n", "b"],
            completeBefore: 1
        ),
        Row(
            construct: "hard break at the end",
            text: "a  \n\nb\\\n",
            sources: ["a  \n\n", "b\\\n"],
            completeBefore: 1
        ),
    ]

    @Test(arguments: rows)
    func `blocks end where the specification says`(row: Row) {
        for chunking in TextCutting.all {
            var stream = MarkdownStream()
            var sources: [String] = []
            for piece in chunking.cut(row.text) { sources += stream.append(piece).committed.map(\.source) }
            #expect(sources.count == row.completeBefore, "\(chunking)")
            sources += stream.finish().committed.map(\.source)
            #expect(sources == row.sources, "\(chunking)")
        }
    }

    @Test func `mathematics is opt-in`() {
        let text = "$$\n\\begin{a}\n=\n\\end{a}\n$$\n\nIt costs $5 and $x_1 * y*z$, or \\(a_b\\).\n\n\\[ c \\]\n"
        let blocks = MarkdownStream.blocks(text, [.gitHub, .math])
        #expect(blocks.map(\.kind) == [.mathBlock, .paragraph, .mathBlock])
        #expect(blocks[0].root.text == "\\begin{a}\n=\n\\end{a}\n")
        #expect(blocks[1].root.children.filter { $0.kind == .math }.map(\.text) == ["x_1 * y*z", "a_b"])
        #expect(blocks[2].root.text == " c \n")
        #expect(!MarkdownStream.blocks(text).contains { $0.kind == .mathBlock })
        for chunking in TextCutting.all {
            var stream = MarkdownStream(extensions: [.gitHub, .math])
            var html = ""
            for piece in chunking.cut(text) {
                html += stream.append(piece).committed.map { MarkdownHTML().text(of: $0) }.joined()
                #expect(HTMLText(MarkdownHTML().text(of: stream.tail().root)).isBalanced)
            }
            html += stream.finish().committed.map { MarkdownHTML().text(of: $0) }.joined()
            #expect(html == blocks.map { MarkdownHTML().text(of: $0) }.joined())
        }
    }

    @Test(arguments: [
        ("a $x$ b", ["x"]), ("a $ x$ b", []), ("$5 and $6", []), ("$x$5", []), ("$$x$$ y", ["x"]), ("\\$x$", []),
        ("$a\\$b$", ["a\\$b"]), ("`$x$`", []), ("$x", []),
    ])
    func `dollars are mathematics by pandoc's rule`(text: String, formulas: [String]) {
        let paragraph = MarkdownStream.blocks(text, [.math])[0].root
        #expect(paragraph.children.filter { $0.kind == .math }.map(\.text) == formulas)
    }
}
