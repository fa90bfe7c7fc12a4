// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffMarkdown
import Testing

struct MarkdownHTMLTests {
    private func html(_ markdown: String, _ renderer: MarkdownHTML = MarkdownHTML()) -> String {
        MarkdownStream.blocks(markdown).map { renderer.text(of: $0) }.joined()
    }

    @Test(arguments: [
        ("<script>alert(1)</script>", "<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>"),
        ("a <img src=x onerror=alert(1)> b", "<p>a &lt;img src=x onerror=alert(1)&gt; b</p>\n"),
        ("[a](javascript:alert(1))", "<p><a href=\"\">a</a></p>\n"),
        ("[a](JavaScript:alert(1))", "<p><a href=\"\">a</a></p>\n"),
        ("[a](java&#10;script:alert(1))", "<p><a href=\"\">a</a></p>\n"),
        ("[a](&#1;javascript:alert(1))", "<p><a href=\"\">a</a></p>\n"),
        ("<data:text/html,x>", "<p><a href=\"\">data:text/html,x</a></p>\n"),
        ("[a](vbscript:x) [b](file:///etc)", "<p><a href=\"\">a</a> <a href=\"\">b</a></p>\n"),
        ("[a](https://b.c \"d\\\"e\")", "<p><a href=\"https://b.c\" title=\"d&quot;e\">a</a></p>\n"),
        ("[a](/b?c:d) [e](#f:g)", "<p><a href=\"/b?c:d\">a</a> <a href=\"#f:g\">e</a></p>\n"),
        ("[a](\"onclick=x)", "<p><a href=\"%22onclick=x\">a</a></p>\n"),
        ("![a *b*](https://c.d/?secret)", "<p><a href=\"https://c.d/?secret\">a <em>b</em></a></p>\n"),
        ("[![a](i) b](u) c", "<p><a href=\"u\">a b</a> c</p>\n"),
        ("![a ![b](c) [d](e)](f) ![g](h)", "<p><a href=\"f\">a b d</a> <a href=\"h\">g</a></p>\n"),
        ("[![a [b](c)](d) e](f)", "<p>[<a href=\"d\">a b</a> e](f)</p>\n"),
        ("```a\"><script>\nb\n```", "<pre><code class=\"language-a&quot;&gt;&lt;script&gt;\">b\n</code></pre>\n"),
        ("<!-- a -->\n", "<p>&lt;!-- a --&gt;</p>"),
    ])
    func `nothing runs and nothing loads`(markdown: String, expected: String) {
        #expect(html(markdown).trimmingSuffix(while: { $0 == "\n" }) == expected.trimmingSuffix(while: { $0 == "\n" }))
    }

    @Test func `images load where that is asked for`() {
        var renderer = MarkdownHTML()
        renderer.loadsImages = true
        #expect(
            html("![a *b*](https://c.d \"e\")", renderer)
                == "<p><img src=\"https://c.d\" alt=\"a b\" title=\"e\" /></p>\n"
        )
        #expect(html("![a](data:image/png;base64,x)", renderer) == "<p><img src=\"\" alt=\"a\" /></p>\n")
    }

    @Test func `tags are left out without their text`() {
        var renderer = MarkdownHTML()
        renderer.rawHTML = .omitted
        #expect(html("a <b>c</b> <!-- d -->", renderer) == "<p>a c </p>\n")
        #expect(html("<div>\na < b\n</div>\n<p", renderer) == "\na &lt; b\n\n")
    }

    @Test func `the tag filter makes some tags text`() {
        #expect(html("a <script> <b> <ScRiPt/>", .exact(tagFilter: true)) == "<p>a &lt;script> <b> &lt;ScRiPt/></p>\n")
        #expect(html("<div><style> <styles>\n", .exact(tagFilter: true)) == "<div>&lt;style> <styles>\n")
    }
}

extension String {
    fileprivate func trimmingSuffix(while predicate: (Character) -> Bool) -> Substring {
        var text = self[...]
        while let last = text.last, predicate(last) { text.removeLast() }
        return text
    }
}
