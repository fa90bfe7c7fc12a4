// Riff
// SPDX-License-Identifier: Apache-2.0

/// Makes a tree of blocks and the inlines in them.
struct TreeBuilder {
    var inlines: InlineParser
    /// The blocks that are not complete, outermost first, and the index behind their last descendant.
    private var open: [(tag: NodeTag, end: Int, isLoose: Bool)] = []

    init(inlines: InlineParser) { self.inlines = inlines }

    /// Adds a range of blocks, in the order in which they begin, with the text of their leaves and where it comes from.
    mutating func add(_ nodes: [BlockNode], _ range: Range<Int>, text: Bytes, map: SourceMap) {
        let outside = open.count
        for index in range {
            while open.count > outside, let last = open.last, last.end <= index { leave() }
            enter(nodes[index], text: text)
            open[open.count - 1].end = max(Int(nodes[index].end), index + 1)
            if nodes[index].tag.holdsInlines { inlines.parse(text, nodes[index].textRange, map: map) }
        }
        while open.count > outside { leave() }
    }

    /// Begins a block; what is added is in it until ``leave()``.
    mutating func enter(_ node: BlockNode, text: Bytes) {
        inlines.draft.enter(record(node, text: text))
        open.append((node.tag, .max, node.flags.contains(.isLoose)))
    }

    mutating func leave() {
        open.removeLast()
        inlines.draft.leave()
    }

    /// A block as the tree has it.
    private mutating func record(_ node: BlockNode, text: Bytes) -> NodeRecord {
        var record = NodeRecord(tag: node.tag, detail: UInt16(node.size), value: node.value)
        record.start = node.start
        record.stop = node.stop
        switch node.tag {
        case .list:
            record.flag = node.flags.contains(.isLoose) ? 1 : 0
            record.detail = UInt16(node.mark)
        case .item: record.flag = node.flags.contains(.isTask) ? node.flags.contains(.isDone) ? 2 : 1 : 0
        case .paragraph: record.flag = isTight ? 1 : 0
        case .row: record.flag = node.flags.contains(.isHeader) ? 1 : 0
        case .cell: record.detail = UInt16(node.mark)
        case .code, .html, .math:
            record.setText(copy(text, node.textRange))
            guard node.tag == .code else { break }
            record.value = UInt32(clamping: inlines.string(Escapes.undone(text, text.trimmed(node.prefixRange))))
        case .footnote:
            let label = text[node.prefixRange]
            record.value = UInt32(clamping: inlines.draft.footnotes.count)
            guard let name = LinkLabel(label) else { break }
            inlines.draft.footnotes.append(FootnoteMark(label: name, text: Array(label)))
        default: break
        }
        return record
    }

    /// Whether a paragraph here is in an item of a tight list.
    private var isTight: Bool {
        guard open.count >= 2, open[open.count - 1].tag == .item else { return false }
        return !open[open.count - 2].isLoose
    }

    private mutating func copy(_ text: Bytes, _ range: Range<Int>) -> Range<Int> {
        let start = inlines.draft.text.count
        inlines.draft.text.append(contentsOf: Bytes(rebasing: text[range]))
        return start..<inlines.draft.text.count
    }

    /// The tree, whose source starts at a place of the stream's text. The builder is empty again.
    mutating func finish(base: Int) -> MarkdownTree {
        let draft = inlines.draft
        inlines.draft = TreeDraft()
        return MarkdownTree(
            records: draft.records,
            text: draft.text,
            strings: draft.strings,
            footnotes: draft.footnotes,
            base: base
        )
    }
}
