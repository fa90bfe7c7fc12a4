// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffMarkdown
import Testing

struct MarkdownNodeTests {
    /// The text of the stream that a node stands for.
    private func source(_ node: MarkdownNode, in text: String) -> String {
        String(decoding: Array(text.utf8)[node.range], as: UTF8.self)
    }

    private func nodes(_ text: String, _ extensions: MarkdownExtensions = .gitHub) -> [MarkdownNode] {
        MarkdownStream.blocks(text, extensions).flatMap { block in
            block.root.events.compactMap { event in
                if case .enter(let node) = event { node } else { nil }
            }
        }
    }

    @Test func `nodes know where they stand in the text`() {
        let text = "é\n\n> - **a `b`** [c](d \"e\")\n>   <i> f@g.h &amp; \\*\n\n| x\\|y | z |\n|:-|-:|\n| 1 | *2* |\n"
        let sources = nodes(text).map { (node: $0, source: source($0, in: text)) }
        func first(_ kind: MarkdownNode.Kind) -> String? { sources.first { $0.node.kind == kind }?.source }
        #expect(first(.quote) == "> - **a `b`** [c](d \"e\")\n>   <i> f@g.h &amp; \\*")
        #expect(
            first(.list(MarkdownNode.List(start: nil, isLoose: false)))
                == "- **a `b`** [c](d \"e\")\n>   <i> f@g.h &amp; \\*"
        )
        #expect(first(.strong) == "**a `b`**")
        #expect(first(.code) == "`b`")
        #expect(first(.link(MarkdownNode.Link(destination: "d", title: "e"))) == "[c](d \"e\")")
        #expect(first(.html) == "<i>")
        #expect(first(.link(MarkdownNode.Link(destination: "mailto:f@g.h", title: ""))) == "f@g.h")
        #expect(first(.table(columns: 2)) == "| x\\|y | z |\n|:-|-:|\n| 1 | *2* |")
        #expect(first(.cell(.left)) == "x\\|y")
        #expect(first(.emphasis) == "*2*")
        #expect(first(.row(isHeader: false)) == "| 1 | *2* |")
        #expect(
            sources.filter { $0.node.kind == .text }.map(\.source) == [
                "é", "a ", " ", "c", " ", "f@g.h", " &amp; \\*", "x\\|y", "z", "1", "2",
            ]
        )
        #expect(nodes(text).filter { $0.kind == .text }.map(\.text).suffix(5).first == " & *")
    }

    @Test func `ranges lie in the ranges of what is around them`() throws {
        // U+0000 is read as U+FFFD, which is longer; here in the header of a table that was a paragraph's last line.
        let nulls = ["|x|\r\n<a\0\0\0\0b\0>\n|-|\n", "a\n|\0|\0\n|-|-|\n\0|\0\0\n", "> a\\|\0\0\n> \0\n> |-|\n"]
        let cases = try MarkdownCase.commonMark() + MarkdownCase.gitHub()
        for test in cases.map(\.markdown) + nulls {
            for block in MarkdownStream.blocks(test, [.gitHub, .math]) {
                var around: [Range<Int>] = [block.range]
                for event in block.root.events {
                    switch event {
                    case .enter(let node):
                        let outer = around[around.count - 1]
                        #expect(
                            outer.lowerBound <= node.range.lowerBound && node.range.upperBound <= outer.upperBound,
                            "\(test) \(node.kind)"
                        )
                        around.append(node.range)
                    case .leave: around.removeLast()
                    }
                }
            }
        }
    }

    @Test func `a walk enters and leaves each node once, in order`() {
        let root = MarkdownStream.blocks("> *a* b\n")[0].root
        let steps = root.events.map { event in
            switch event {
            case .enter(let node): "+\(node.kind)"
            case .leave(let node): "-\(node.kind)"
            }
        }
        #expect(
            steps == [
                "+quote", "+paragraph", "+emphasis", "+text", "-text", "-emphasis", "+text", "-text", "-paragraph",
                "-quote",
            ]
        )
        #expect(root.children.map(\.kind) == [.paragraph])
        #expect(root.plainText == "a b")
    }

    @Test func `very deep trees are made, drawn and dropped without recursion`() {
        let depth = 100_000
        let html = MarkdownStream.html(String(repeating: ">", count: depth) + "a\n")
        #expect(html.utf8.count == depth * 27 + "<p>a</p>\n".utf8.count)
        let emphasis = String(repeating: "*a **a ", count: depth / 10) + String(repeating: "a** a* ", count: depth / 10)
        #expect(MarkdownStream.html(emphasis).contains("<em>a <strong>a <em>"))
    }
}
