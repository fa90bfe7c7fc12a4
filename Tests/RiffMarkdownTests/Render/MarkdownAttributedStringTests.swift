// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffMarkdown
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#elseif canImport(Foundation)
import Foundation
#endif

#if canImport(FoundationEssentials) || canImport(Foundation)
struct MarkdownAttributedStringTests {
    @Test func `runs carry what they are in`() {
        let block = MarkdownStream.blocks("- a **b *c*** [d](https://e.f)\n- [g](javascript:h)\n")[0]
        let text = MarkdownAttributedString().text(of: block.root)
        #expect(String(text.characters) == "a b c dg")
        let runs = text.runs.map { run in (String(text[run.range].characters), run[MarkdownPath.self] ?? [], run.link) }
        #expect(runs.first { $0.0 == "c" }?.1.map(\.kind).suffix(3) == [.strong, .emphasis, .text])
        #expect(runs.first { $0.0 == "d" }?.2?.absoluteString == "https://e.f")
        #expect(runs.first { $0.0 == "g" }?.2 == nil)
        #expect(runs.first { $0.0 == "g" }?.1.first { $0.kind == .item(isDone: nil) }?.index == 1)
    }

    @Test func `an image in a link is no link of its own`() {
        let source = "[![a](https://b.c) d](https://e.f) [![g](https://h.i)](javascript:j) ![k](https://l.m)"
        let text = MarkdownAttributedString().text(of: MarkdownStream.blocks(source)[0].root)
        let links = text.runs.reduce(into: [String: String]()) { links, run in
            links[String(text[run.range].characters)] = run.link?.absoluteString ?? ""
        }
        #expect(links["a"] == "https://e.f")
        #expect(links[" d"] == "https://e.f")
        #expect(links["g"]?.isEmpty == true)
        #expect(links["k"] == "https://l.m")
    }

    @Test func `no path is as long as the text`() {
        let block = MarkdownStream.blocks(String(repeating: "> ", count: 2000) + "a *b* c\n")[0]
        let text = MarkdownAttributedString().text(of: block.root)
        #expect(String(text.characters) == "a b c")
        #expect(text.runs.allSatisfy { $0[MarkdownPath.self]?.count == 100 })
        // Beside what is deep, all is as it was.
        let shallow = MarkdownStream.blocks("- " + String(repeating: "> ", count: 200) + "a\n- b\n")[0]
        let last = MarkdownAttributedString().text(of: shallow.root).runs.reversed().first
        #expect(last?[MarkdownPath.self]?.map(\.index) == [0, 1, 0, 0])
    }
}
#endif
