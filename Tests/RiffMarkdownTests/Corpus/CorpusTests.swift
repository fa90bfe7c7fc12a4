// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffMarkdown
import TestSupport
import Testing

/// The properties of streaming.md 2.1 over the specifications' examples and the answers.
struct CorpusTests {
    /// Checks a text in all chunkings.
    private func check(_ test: MarkdownCase, watchesText: Bool = false) {
        var first: [Replay.Block]?
        for chunking in TextCutting.all {
            let replay = Replay(test, chunking, watchesText: watchesText)
            if let first {
                #expect(replay.blocks == first, "\(chunking) makes other blocks")
            } else {
                first = replay.blocks
                if let html = test.html { #expect(replay.html == html) }
            }
        }
    }

    @Test(arguments: try MarkdownCase.commonMark())
    func `CommonMark's examples become their HTML, however they are cut`(test: MarkdownCase) {
        var test = test
        if MarkdownCase.newerRules.contains(test.name) { test.html = nil }
        check(test)
    }

    @Test(arguments: try MarkdownCase.commonMark().filter { MarkdownCase.newerRules.contains($0.name) })
    func `the examples of newer rules are not those of cmark-gfm`(test: MarkdownCase) {
        #expect(Replay(test, .whole).html != test.html)
    }

    @Test(arguments: try MarkdownCase.gitHub())
    func `GFM's examples become their HTML, however they are cut`(test: MarkdownCase) {
        var test = test
        if MarkdownCase.taskAttributes.contains(test.name) { test.html = test.html.map(Self.inOrder) }
        check(test)
    }

    /// Attributes in the order in which cmark-gfm writes them.
    private static func inOrder(_ html: String) -> String {
        html.replacing(
            "<input checked=\"\" disabled=\"\" type=\"checkbox\">",
            with: "<input type=\"checkbox\" checked=\"\" disabled=\"\" />"
        )
        .replacing("<input disabled=\"\" type=\"checkbox\">", with: "<input type=\"checkbox\" disabled=\"\" />")
    }

    @Test(arguments: try MarkdownCase.extensions())
    func `the extensions' examples become their HTML, however they are cut`(test: MarkdownCase) {
        var test = test
        // Footnotes have had other attributes since that example was written; the answers cover them.
        if test.extensions.contains(.footnotes) { test.html = nil }
        check(test)
    }

    @Test(arguments: try MarkdownCase.answers())
    func `answers become cmark-gfm's HTML, and no text is taken back on the way`(test: MarkdownCase) {
        check(test, watchesText: true)
    }

    @Test(arguments: try MarkdownCase.answers())
    func `answers with footnotes become cmark-gfm's HTML`(test: MarkdownCase) throws {
        var test = test
        test.extensions.insert(.footnotes)
        test.html = try Fixture.json([String: [String: String]].self, "answers-html")[test.name]?["footnotes"]
        check(test)
    }
}
