// Riff
// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import RiffMarkdown
import Testing

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
}
