// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffMarkdown
import Testing

struct MarkdownTailTests {
    /// What a reader sees of the tail of a text that is not complete.
    private func picture(_ text: String, _ extensions: MarkdownExtensions = .gitHub) -> String {
        var stream = MarkdownStream(extensions: extensions)
        _ = stream.append(text)
        var html = MarkdownHTML.exact()
        html.rawHTML = .omitted
        return html.text(of: stream.tail().root)
    }

    @Test(arguments: [
        // Marks that the next bytes may complete are not shown.
        ("-", ""), ("- ", ""), ("1", ""), ("12.", ""), ("#", ""), ("## ", ""), ("``", ""), ("```sw", ""), ("~~~", ""),
        (">", ""),
        ("- [", ""), ("- [ ] ", ""), ("a\n-", "<p>a</p>\n"), ("a\n==", "<p>a</p>\n"), ("---", ""),
        ("[a]: /b", "<p></p>\n"),
        ("| a | b |", "<p></p>\n"), ("x | a", "<p>x</p>\n"), ("- a\n- ", "<ul>\n<li>a</li>\n</ul>\n"),
        // What they make is.
        ("1. a", "<ol>\n<li>a</li>\n</ol>\n"), ("## a ##", "<h2>a</h2>\n"),
        ("> a", "<blockquote>\n<p>a</p>\n</blockquote>\n"),
        ("- [x] a", "<ul>\n<li><input type=\"checkbox\" checked=\"\" disabled=\"\" /> a</li>\n</ul>\n"),
        ("```swift\nlet a", "<pre><code class=\"language-swift\">let a</code></pre>\n"),
        ("```\na\n``", "<pre><code>a\n</code></pre>\n"), ("    a\n\n", "<pre><code>a\n</code></pre>\n"),
        ("a\n\n# b\n", "<h1>b</h1>\n"), ("2024 was", "<p>2024 was</p>\n"),
        // Text that may still be taken back waits.
        ("a **b", "<p>a</p>\n"), ("a **b**", "<p>a</p>\n"), ("a **b** ", "<p>a <strong>b</strong></p>\n"),
        ("a `b", "<p>a</p>\n"),
        ("a `b`", "<p>a <code>b</code></p>\n"), ("a [b", "<p>a</p>\n"), ("a [b](http://c", "<p>a</p>\n"),
        ("a ![b", "<p>a</p>\n"),
        ("a [b](c) ", "<p>a <a href=\"c\">b</a></p>\n"), ("a <b c", "<p>a</p>\n"), ("a <https://b", "<p>a</p>\n"),
        ("a &am", "<p>a</p>\n"), ("a\\", "<p>a</p>\n"), ("a!", "<p>a</p>\n"), ("a *", "<p>a</p>\n"),
        ("a 2*3", "<p>a 2*3</p>\n"),
        ("about ~5 min", "<p>about ~5 min</p>\n"), ("a [1] b", "<p>a [1] b</p>\n"),
        // Tags are not shown, so that none is left open.
        ("<div>\n<b>a</b> <i", "b: a "), ("a <b>c", "<p>a c</p>\n"),
    ])
    func `the tail shows what is certain`(text: String, html: String) {
        // An HTML block's text has no tags of its own.
        if html.hasPrefix("b: ") {
            #expect(HTMLText(picture(text)).text.contains(html.dropFirst(3)))
        } else {
            #expect(picture(text) == html)
        }
    }

    @Test func `a row shows its cells as they come`() {
        let head = "<table>\n<thead>\n<tr>\n<th>a</th>\n<th>b</th>\n</tr>\n</thead>\n"
        #expect(picture("| a | b |\n|---|---|\n") == head + "</table>\n")
        #expect(
            picture("| a | b |\n|---|---|\n| c") == head
                + "<tbody>\n<tr>\n<td>c</td>\n<td></td>\n</tr>\n</tbody>\n</table>\n"
        )
    }

    @Test func `long emphasis is shown before it ends`() {
        let words = String(repeating: "word ", count: 60)
        #expect(picture("**" + words).hasPrefix("<p><strong>word word"))
        #expect(picture("`" + words).hasPrefix("<p><code>word word"))
        #expect(picture("[" + String(repeating: "word ", count: 120)).hasPrefix("<p>[word word"))
    }

    @Test func `asking for the tail changes nothing`() {
        let text = "# a\n\n- b `c\n- d\n\n| e | f |\n|---|---|\n| *g"
        var (asked, silent) = (MarkdownStream(), MarkdownStream())
        var drawn: MarkdownTail?
        for piece in TextCutting.byCharacter.cut(text) {
            _ = asked.append(piece)
            _ = silent.append(piece)
            drawn = asked.tail(since: drawn)
            _ = asked.tail()
        }
        let render = MarkdownHTML.exact()
        #expect(
            asked.finish().committed.map { render.text(of: $0) }
                == silent.finish().committed.map { render.text(of: $0) }
        )
    }

    // MARK: - Drawing what is new

    /// A front end that keeps what it drew: for each open block the HTML of its children that stay.
    private struct Keeper {
        private var kept: [[String]] = []
        private var identities: [[AnyHashable]] = []
        private(set) var emitted = 0

        /// The HTML of all children of each open block, outermost first.
        mutating func draw(_ tail: MarkdownTail) -> [[String]] {
            emitted = 0
            var all: [[String]] = []
            var new: (kept: [[String]], identities: [[AnyHashable]]) = ([], [])
            for (level, node) in Self.path(tail) {
                let identity: [AnyHashable] = [level.start, MarkdownTailTests.name(level.kind)]
                let known = identities.firstIndex(of: identity).map { kept[$0] } ?? []
                let parts = MarkdownTailTests.parts(node)
                emitted += parts.reduce(0) { $0 + $1.utf8.count }
                let children = known.prefix(level.firstChild) + parts
                let isVerbatim = MarkdownTailTests.isVerbatim(level.kind)
                all.append(Array(children))
                // Of code, everything that was drawn stays.
                new.kept.append(
                    isVerbatim ? [(known + parts).joined()] : Array(children.prefix(level.committedChildren))
                )
                if isVerbatim { all[all.count - 1] = new.kept[new.kept.count - 1] }
                new.identities.append(identity)
            }
            (kept, identities) = new
            return all
        }

        /// The open blocks and those that the incomplete line begins, with their nodes in the picture.
        private static func path(_ tail: MarkdownTail) -> [(MarkdownTail.Level, MarkdownNode)] {
            var path: [(MarkdownTail.Level, MarkdownNode)] = []
            var node = tail.levels.isEmpty ? nil : tail.root.children.first { _ in true }
            for level in tail.levels {
                guard let current = node else { break }
                path.append((level, current))
                node = current.children.dropFirst(level.committedChildren - level.firstChild).first { _ in true }
            }
            // What the line begins stands behind all else.
            var last: MarkdownNode? = tail.root
            for level in tail.begun {
                repeat {
                    last = last?.children.reduce(nil) { $1 }
                } while last.map { $0.range.lowerBound != level.start } ?? false
                if let last { path.append((level, last)) }
            }
            return path
        }
    }

    private static func name(_ kind: MarkdownNode.Kind) -> String { String("\(kind)".prefix { $0 != "(" }) }

    private static func isVerbatim(_ kind: MarkdownNode.Kind) -> Bool {
        switch kind {
        case .codeBlock, .htmlBlock, .mathBlock: true
        default: false
        }
    }

    private static func parts(_ node: MarkdownNode) -> [String] {
        if isVerbatim(node.kind) { return node.text.map(String.init) }
        // A list that becomes loose changes how its items are set apart, and nothing else.
        return node.children.map { node in
            MarkdownHTML.exact().text(of: node).replacing("<p>", with: "").replacing("</p>", with: "").replacing(
                "\n",
                with: ""
            )
        }
    }

    @Test(arguments: [
        "- a\n- b *c* d\n\n- e\n  - f\n  - g\n\n    h\n- i",
        "> quote *one* two\nlazy three\n> - a\n> - b\n\nend of it",
        "A paragraph with *emphasis*, `code`, [a link](b) and so on,\nover three\nlines of words that go on",
        "```\none\n\n  two\nthree",
        "| a | b |\n|---|---|\n| c | d |\n| *e* | `f` |\n| g",
        "    code\n\n    more\n\n\n    yet more\nend",
    ])
    func `what is kept and what is new make the whole picture`(text: String) {
        for chunking in [TextCutting.byCharacter, .byLine, .random(seed: 3), .random(seed: 4)] {
            var stream = MarkdownStream()
            var keeper = Keeper()
            var drawn: MarkdownTail?
            for piece in chunking.cut(text) {
                _ = stream.append(piece)
                let tail = stream.tail(since: drawn)
                let parts = keeper.draw(tail)
                let whole = stream.tail()
                var node = whole.levels.isEmpty ? nil : whole.root.children.first { _ in true }
                #expect(tail.levels.count == whole.levels.count)
                for (index, level) in whole.levels.enumerated() where index < parts.count {
                    guard let current = node else { break }
                    // Of a block that holds another open one, only what is complete is drawn here.
                    let isLast = index == whole.levels.count - 1 && whole.begun.isEmpty
                    let count = isLast || Self.isVerbatim(level.kind) ? .max : level.committedChildren
                    let mine = parts[index].prefix(count).joined()
                    let other = Self.parts(current).prefix(count).joined()
                    #expect(mine == other, "\(chunking) at \(level.kind), after \(stream.tailSource.debugDescription)")
                    node = current.children.dropFirst(level.committedChildren).first { _ in true }
                }
                drawn = tail
            }
        }
    }

    /// A tail costs what is new and some kilobytes, however long the block is.
    @Test(arguments: [
        ("fence", "```\n", "let value = 1 // a line\n"), ("list", "", "- an item with `code`\n"),
        ("table", "|a|b|\n|-|-|\n", "| cell | *cell* |\n"), ("paragraph", "", "words of *a paragraph* go on\n"),
        ("one line", "", "words of **a line** go on, "), ("quote", "", "> words of a quote\n"),
        ("nested", "- a\n", "  - item\n"),
        ("brackets", "", "[["), ("open emphasis", "**", "word "), ("words", "", "word"),
    ])
    func `each update draws and reads a bounded part`(name: String, start: String, piece: String) {
        var stream = MarkdownStream()
        _ = stream.append(start)
        var drawn: MarkdownTail?
        var worst = (read: 0, written: 0)
        for _ in 0..<(16_000 / piece.utf8.count) {
            let update = stream.append(piece)
            #expect(update.tail.appended.utf8.count <= piece.utf8.count + 200)
            let tail = stream.tail(since: drawn)
            worst.read = max(worst.read, tail.bytesRead)
            worst.written = max(worst.written, MarkdownHTML.exact().bytes(of: tail.root).count)
            drawn = tail
        }
        #expect(worst.read < 5000, "\(name)")
        #expect(worst.written < 6000, "\(name)")
    }
}
