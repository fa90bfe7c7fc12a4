// Riff
// SPDX-License-Identifier: Apache-2.0

/// Writes one tree as HTML, in the form of cmark.
struct HTMLWriter {
    let tree: MarkdownTree
    let options: MarkdownHTML
    var output: [UInt8] = []
    /// Whether a table's body is open.
    private var isInBody = false
    private var isInHeader = false
    private var isInFootnotes = false
    /// The number of links, and images that are written as links, that are open: no link is written in another.
    private var openLinks = 0
    private var openImages = 0
    /// Footnotes whose way back is written already.
    var writtenBackLinks = 0
    var footnoteCount = 0

    init(tree: MarkdownTree, options: MarkdownHTML) {
        self.tree = tree
        self.options = options
    }

    mutating func write(_ node: MarkdownNode) {
        var walk = TreeWalk(node)
        while let step = walk.next(in: tree) {
            let record = tree.records[step.index]
            if step.isEntering {
                enter(record, step.index)
                // Footnotes are drawn at the end of all, not where they are written.
                let isHidden = record.tag == .footnote && !isInFootnotes
                if isHidden || (record.tag == .image && options.loadsImages) { walk.skipChildren(in: tree) }
            } else {
                leave(record, parent: walk.innermost)
            }
        }
    }

    mutating func put(_ text: StaticString) {
        output.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    mutating func put(_ number: Int) { output.append(contentsOf: String(number).utf8) }

    /// Starts a line, unless one is starting.
    mutating func startLine() {
        if let last = output.last, last != .lineFeed { output.append(.lineFeed) }
    }

    private mutating func enter(_ record: NodeRecord, _ index: Int) {
        switch record.tag {
        case .paragraph where record.flag == 0:
            startLine()
            put("<p>")
        case .heading:
            startLine()
            put("<h")
            put(Int(record.detail))
            put(">")
        case .thematicBreak:
            startLine()
            put("<hr />\n")
        case .quote:
            startLine()
            put("<blockquote>\n")
        case .list: openList(record)
        case .item:
            startLine()
            put("<li>")
            if record.flag == 2 { put("<input type=\"checkbox\" checked=\"\" disabled=\"\" /> ") }
            if record.flag == 1 { put("<input type=\"checkbox\" disabled=\"\" /> ") }
        case .code: writeCode(record)
        case .html:
            startLine()
            writeHTML(tree.literal(of: record), isBlock: true)
            startLine()
        case .math:
            startLine()
            put("<pre><code class=\"language-math\">")
            escape(tree.literal(of: record))
            put("</code></pre>\n")
        case .table:
            startLine()
            put("<table>")
            isInBody = false
        case .row: openRow(record)
        case .cell: openCell(record)
        case .footnotes:
            isInFootnotes = true
            put("<section class=\"footnotes\" data-footnotes>\n<ol>\n")
        case .footnote: if isInFootnotes { openFootnote(record) }
        case .text: escape(tree.literal(of: record))
        case .softBreak: put("\n")
        case .lineBreak: put("<br />\n")
        case .codeSpan:
            put("<code>")
            escape(tree.literal(of: record))
            put("</code>")
        case .mathSpan:
            put("<code class=\"language-math\">")
            escape(tree.literal(of: record))
            put("</code>")
        case .htmlSpan: writeHTML(tree.literal(of: record), isBlock: false)
        case .emphasis: put("<em>")
        case .strong: put("<strong>")
        case .strikethrough: put("<del>")
        case .link:
            if openImages == 0 { openLink(record) }
            openLinks += 1
        case .image where options.loadsImages: writeImage(record, index)
        case .image:
            if openLinks + openImages == 0 { openLink(record) }
            openImages += 1
        case .footnoteMark: writeMark(record)
        case .paragraph, .document, .definitions, .blank: break
        }
    }

    private mutating func leave(_ record: NodeRecord, parent: Int?) {
        switch record.tag {
        case .paragraph where record.flag == 0:
            writeBackLinks(behind: record, in: parent)
            put("</p>\n")
        case .heading:
            put("</h")
            put(Int(record.detail))
            put(">\n")
        case .quote:
            startLine()
            put("</blockquote>\n")
        case .list: put(record.isOrderedList ? "</ol>\n" : "</ul>\n")
        case .item: put("</li>\n")
        case .table:
            if isInBody {
                startLine()
                put("</tbody>")
            }
            startLine()
            put("</table>\n")
        case .row:
            startLine()
            put("</tr>")
            guard record.flag == 1 else { break }
            startLine()
            put("</thead>")
            isInHeader = false
        case .cell: put(isInHeader ? "</th>" : "</td>")
        case .footnotes: put("</ol>\n</section>\n")
        case .footnote: if isInFootnotes { closeFootnote(record) }
        case .emphasis: put("</em>")
        case .strong: put("</strong>")
        case .strikethrough: put("</del>")
        case .link:
            openLinks -= 1
            if openImages == 0 { put("</a>") }
        case .image where !options.loadsImages:
            openImages -= 1
            if openLinks + openImages == 0 { put("</a>") }
        default: break
        }
    }

    // MARK: - Blocks

    private mutating func openList(_ record: NodeRecord) {
        startLine()
        if !record.isOrderedList { return put("<ul>\n") }
        guard record.value != 1 else { return put("<ol>\n") }
        put("<ol start=\"")
        put(Int(record.value))
        put("\">\n")
    }

    private mutating func writeCode(_ record: NodeRecord) {
        startLine()
        let info = tree.strings[Int(record.value)]
        if info.isEmpty {
            put("<pre><code>")
        } else {
            put("<pre><code class=\"language-")
            escape(info.prefix { !$0.isSpace })
            put("\">")
        }
        escape(tree.literal(of: record))
        put("</code></pre>\n")
    }

    private mutating func openRow(_ record: NodeRecord) {
        startLine()
        if record.flag == 1 {
            isInHeader = true
            put("<thead>\n")
        } else if !isInBody {
            isInBody = true
            put("<tbody>\n")
        }
        put("<tr>")
    }

    private mutating func openCell(_ record: NodeRecord) {
        startLine()
        put(isInHeader ? "<th" : "<td")
        switch record.detail {
        case 1: put(" align=\"left\">")
        case 2: put(" align=\"center\">")
        case 3: put(" align=\"right\">")
        default: put(">")
        }
    }

    // MARK: - Links

    private mutating func openLink(_ record: NodeRecord) {
        put("<a href=\"")
        let destination = tree.strings[Int(record.value)]
        if options.allows(destination) { escapeAddress(destination) }
        let title = tree.strings[Int(record.value) + 1]
        if !title.isEmpty {
            put("\" title=\"")
            escape(title[...])
        }
        put("\">")
    }

    private mutating func writeImage(_ record: NodeRecord, _ index: Int) {
        put("<img src=\"")
        let destination = tree.strings[Int(record.value)]
        if options.allows(destination) { escapeAddress(destination) }
        put("\" alt=\"")
        for inner in tree.records[index..<Int(record.end)] {
            switch inner.tag {
            case .text, .codeSpan, .htmlSpan, .mathSpan: escape(tree.literal(of: inner))
            case .softBreak, .lineBreak: put(" ")
            default: break
            }
        }
        let title = tree.strings[Int(record.value) + 1]
        if !title.isEmpty {
            put("\" title=\"")
            escape(title[...])
        }
        put("\" />")
    }
}

extension NodeRecord {
    /// Whether a list has numbers.
    var isOrderedList: Bool { detail == UInt16(UInt8(ascii: ".")) || detail == UInt16(UInt8(ascii: ")")) }
}
