// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffMarkdown
import Testing

extension MarkdownStream {
    /// All complete blocks of a text, as they are in the end.
    static func blocks(_ text: String, _ extensions: MarkdownExtensions = .gitHub) -> [MarkdownBlock] {
        var stream = MarkdownStream(extensions: extensions)
        return stream.append(text).committed + stream.finish().committed
    }

    static func html(_ text: String, _ extensions: MarkdownExtensions = .gitHub) -> String {
        blocks(text, extensions).map { MarkdownHTML.exact().text(of: $0) }.joined()
    }
}

struct MarkdownStreamTests {
    @Test func `a block is handed out when the next one shows its first character`() {
        var stream = MarkdownStream()
        #expect(stream.append("# One\n").committed.isEmpty)
        #expect(stream.append("\n \n").committed.isEmpty)
        let update = stream.append("T")
        #expect(update.committed.map(\.source) == ["# One\n\n \n"])
        #expect(update.committed.map(\.kind) == [.heading(level: 1)])
        #expect(update.tail == MarkdownTailDelta(keepPrefixUTF8: 0, appended: "T"))
        #expect(stream.append("wo").tail == MarkdownTailDelta(keepPrefixUTF8: 1, appended: "wo"))
        #expect(stream.finish().committed.map(\.source) == ["Two"])
        #expect(stream.tailSource.isEmpty)
    }

    @Test func `what follows the end is left out`() {
        var stream = MarkdownStream()
        _ = stream.append("a")
        #expect(stream.finish().committed.count == 1)
        #expect(stream.append("b").committed.isEmpty)
        #expect(stream.finish().committed.isEmpty)
        #expect(stream.tailSource.isEmpty)
    }

    @Test func `nothing makes nothing, and blank lines make a block that shows nothing`() {
        #expect(MarkdownStream.blocks("").isEmpty)
        let blocks = MarkdownStream.blocks("\n \n\na\n")
        #expect(blocks.map(\.kind) == [.blank, .paragraph])
        #expect(blocks.map(\.source) == ["\n \n\n", "a\n"])
        #expect(MarkdownHTML.exact().text(of: blocks[0]).isEmpty)
        #expect(MarkdownStream.blocks(" \n").map(\.source) == [" \n"])
    }

    @Test(arguments: ["a\r\nb\r\n\r\nc", "a\rb\r\rc", "a\nb\n\nc", "a\r\nb\n\r\nc"])
    func `all line ends are the same, and half of one waits`(text: String) {
        #expect(MarkdownStream.html(text) == "<p>a\nb</p>\n<p>c</p>\n")
        var stream = MarkdownStream()
        var sources: [String] = []
        for scalar in text.unicodeScalars { sources += stream.append(String(scalar)).committed.map(\.source) }
        sources += stream.finish().committed.map(\.source)
        #expect(sources == MarkdownStream.blocks(text).map(\.source))
        #expect(sources.joined().utf8.elementsEqual(text.utf8))
    }

    @Test func `bytes may be cut anywhere, and malformed ones are replaced`() {
        let bytes = Array("é€😀".utf8) + [0xFF, 0xE2, 0x82] + Array("a".utf8) + [0xF0, 0x9F]
        for size in 1...bytes.count {
            var stream = MarkdownStream()
            for start in stride(from: 0, to: bytes.count, by: size) {
                _ = stream.append(bytes: bytes[start..<min(start + size, bytes.count)])
            }
            #expect(stream.finish().committed.map(\.source) == ["é€😀\u{FFFD}\u{FFFD}a\u{FFFD}"])
        }
    }

    @Test func `a string follows the bytes that came before it`() {
        var stream = MarkdownStream()
        _ = stream.append(bytes: [0x61, 0xE2, 0x82])
        #expect(stream.append("").tail.appended.isEmpty)
        #expect(stream.append("b").tail == MarkdownTailDelta(keepPrefixUTF8: 1, appended: "\u{FFFD}b"))
        #expect(stream.finish().committed.map(\.source) == ["a\u{FFFD}b"])
        stream = MarkdownStream()
        _ = stream.append(bytes: [0xE2, 0x82])
        _ = stream.append("")
        _ = stream.append(bytes: [0xAC])
        #expect(stream.finish().committed.map(\.source) == ["€"])
    }

    @Test func `the source keeps what the text replaces`() {
        let blocks = MarkdownStream.blocks("\u{FEFF}# a\0b\n")
        #expect(blocks.map(\.source) == ["\u{FEFF}# a\0b\n"])
        #expect(blocks[0].root.plainText == "a\u{FFFD}b")
        #expect(MarkdownStream.blocks("Vec<String> *a*\n<b>")[0].root.plainText == "Vec<String> a <b>")
    }

    @Test func `a definition that comes late amends the blocks that name it, and only those`() {
        var stream = MarkdownStream()
        #expect(stream.append("See [Foo  bar] and [x][y].\n\nOther [text].\n\n# H\n\n").committed.count == 2)
        var update = stream.append("[foo BAR]: /url 'T'\n\nend")
        #expect(update.amended.map(\.block.id) == [0])
        #expect(update.amended.map(\.reason) == [.reference])
        #expect(update.amended[0].block.source == "See [Foo  bar] and [x][y].\n\n")
        let html = MarkdownHTML.exact().text(of: update.amended[0].block)
        #expect(html == "<p>See <a href=\"/url\" title=\"T\">Foo  bar</a> and [x][y].</p>\n")
        #expect(update.committed.map(\.kind) == [.heading(level: 1), .definitions])
        update = stream.append("\n\n[y]: /two\n[foo bar]: /later\n\n")
        #expect(update.amended.isEmpty)
        update = stream.append("x")
        #expect(update.amended.map(\.block.id) == [0])
        #expect(update.amended[0].block.root.children.compactMap(\.link).map(\.destination) == ["/url", "/two"])
    }

    @Test func `a definition in a list counts once the list is complete`() {
        var stream = MarkdownStream()
        _ = stream.append("[a]\n\n- [a]: /url\n- b\n")
        #expect(stream.append("- c\n").amended.isEmpty)
        #expect(stream.append("\nend\n").amended.map(\.block.id) == [0])
    }

    @Test func `definitions in one piece of text amend a block once`() {
        let labels = (0..<1000).map { "[l\($0)]" }
        var stream = MarkdownStream()
        _ = stream.append(labels.joined(separator: " ") + "\n\n# x\n")
        let update = stream.append(labels.map { $0 + ": /u\n\n" }.joined() + "end")
        #expect(update.amended.count == 1)
        #expect(update.amended[0].block.root.children.compactMap(\.link).count == 1000)
    }

    @Test func `many references to a long destination do not make megabytes`() {
        let text = "[a]: /" + String(repeating: "u", count: 50_000) + "\n\n" + String(repeating: "[a] ", count: 20_000)
        let html = MarkdownStream.html(text)
        #expect(html.utf8.count < 500_000)
        #expect(html.hasPrefix("<p><a href=\"/uu"))
    }

    @Test func `footnotes are numbered in the order of their marks, and stand at the end`() {
        var stream = MarkdownStream(extensions: [.gitHub, .footnotes])
        #expect(stream.append("A[^b] and[^a], again[^b].\n\n").committed.isEmpty)
        var update = stream.append("[^a]: First *defined*.\n\n[^b]: Second.\n")
        #expect(update.committed.map(\.root.plainText) == ["A[^b] and, again[^b].", "First defined."])
        update = stream.append("\nEnd.\n")
        #expect(update.amended.map(\.reason) == [.footnote])
        let end = stream.finish()
        // The mark of "a" was the first that could be numbered; now it is the second in the text.
        let first = end.amended.last?.block.root ?? update.amended[0].block.root
        let numbers = first.children.compactMap { node -> Int? in
            if case .footnoteMark(let footnote) = node.kind { footnote.number } else { nil }
        }
        #expect(numbers == [1, 2, 1])
        #expect(end.committed.map(\.kind) == [.paragraph, .footnotes])
        #expect(end.committed.last?.root.children.map(\.plainText) == ["Second.", "First defined."])
    }

    @Test func `the open block tells what it is and how much of it stays`() {
        var stream = MarkdownStream()
        #expect(stream.append("- a\n").openBlock?.committedChildren == 0)
        #expect(stream.append("- b\n- c").openBlock?.committedChildren == 1)
        let list = stream.append("\n\n- d\n").openBlock
        #expect(list?.committedChildren == 3)
        #expect(list?.kind == .list(MarkdownNode.List(start: nil, isLoose: true)))
        let code = stream.append("\n```swift x\none\ntwo\nthr").openBlock
        #expect(
            code == MarkdownOpenBlock(id: 1, kind: .codeBlock(info: "swift x"), committedChildren: 2, isComplete: false)
        )
        #expect(stream.append("ee\n```\n").openBlock?.isComplete == true)
        #expect(stream.append("| a |\n|---|\n| b |\n| c").openBlock?.kind == .table(columns: 1))
        #expect(stream.append("\n").openBlock?.committedChildren == 3)
    }

    @Test func `a copy of a stream goes its own way`() {
        var stream = MarkdownStream()
        _ = stream.append("[a] and `b\n")
        var copy = stream
        _ = stream.append("`\n\n[a]: /one\n\n")
        _ = copy.append("c\n\n[a]: /two\n\n")
        #expect(stream.finish().committed.count == 1)
        #expect(copy.finish().committed.count == 1)
    }
}

extension MarkdownNode {
    var link: MarkdownNode.Link? {
        if case .link(let link) = kind { link } else { nil }
    }
}
