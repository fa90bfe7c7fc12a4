// Riff
// SPDX-License-Identifier: Apache-2.0

/// Draws one tail.
struct TailDrawer {
    let parser: BlockParser
    /// The text of the parser's leaves.
    let leaves: Bytes
    let previous: MarkdownTail?
    /// The start of the tail in the stream's text, and of the incomplete line from there.
    let base: Int
    let lineStart: Int
    private let lineHasNulls: Bool
    var builder: TreeBuilder
    var levels: [MarkdownTail.Level] = []
    var begun: [MarkdownTail.Level] = []
    /// Whether the previous tail drew the blocks around the one that is drawn.
    private var isKnown: Bool

    init(stream: MarkdownStream, leaves: Bytes, previous: MarkdownTail?) {
        parser = stream.parser
        self.leaves = leaves
        self.previous = previous
        base = stream.tailStart
        lineStart = stream.lineStart
        lineHasNulls = stream.lineHasNulls
        isKnown = previous != nil
        builder = TreeBuilder(inlines: InlineParser(extensions: stream.extensions))
        builder.inlines.definitions = stream.definitions
        builder.inlines.allowance = LinkAllowance(before: stream.mentions.counts)
        builder.inlines.footnotes = stream.footnotes.labels
    }

    mutating func draw(line: Bytes) -> MarkdownTail {
        let line = line.last == .carriageReturn ? Bytes(rebasing: line.dropLast()) : line
        let partial = line.isEmpty ? nil : PartialLine(line, parser: parser, hasNulls: lineHasNulls)
        builder.enter(BlockNode(.document), text: leaves)
        if parser.levels.isEmpty {
            drawClosedRoot()
            goBack(to: 0)
            if let partial { drawOpenings(partial) }
        } else {
            drawOpenBlocks(partial)
        }
        builder.leave()
        let bytesRead = builder.inlines.bytesRead
        return MarkdownTail(
            root: MarkdownNode(tree: builder.finish(base: base), index: 0),
            levels: levels,
            begun: begun,
            bytesRead: bytesRead
        )
    }

    /// Draws a block that nothing but blank lines can follow.
    private mutating func drawClosedRoot() {
        guard let root = parser.nodes.first else { return }
        let known = note(root, committed: parser.closedRootChildren)
        guard root.lastChild >= 0 else {
            return builder.add(parser.nodes, parser.nodes.indices, text: leaves, map: parser.map)
        }
        builder.enter(root, text: leaves)
        drawChildren(upTo: root.lastChild, count: parser.closedRootChildren - (known?.committedChildren ?? 0))
        builder.leave()
    }

    /// Draws the open blocks from the outside to the leaf, and what the incomplete line adds.
    private mutating func drawOpenBlocks(_ partial: PartialLine?) {
        let all = parser.levels
        let tip = parser.nodes[all[all.count - 1].node]
        let containers = tip.isContainer ? all.count : all.count - 1
        // Of very many the outermost are drawn, and the leaf.
        let drawn = min(containers, PartialLine.deepest)
        for index in 0..<drawn {
            let node = parser.nodes[all[index].node]
            let hasOpenChild = index + 1 < all.count
            let committed = all[index].children - (hasOpenChild ? 1 : 0)
            let last = hasOpenChild ? parser.nodes[all[index + 1].node].previous : node.lastChild
            let known = note(node, committed: committed)
            builder.enter(node, text: leaves)
            drawChildren(upTo: last, count: committed - (known?.committedChildren ?? 0))
        }
        if !tip.isContainer { drawLeaf(tip, partial) }
        var depth = drawn
        if let partial, partial.addsBlock(to: tip, of: parser) {
            // Blocks that the line does not lead to, or that cannot hold what it adds, end with it.
            let first = partial.plan.openings.first?.tag ?? .paragraph
            while depth > 0, depth > partial.plan.matched || !parser.nodes[all[depth - 1].node].canHold(first) {
                builder.leave()
                depth -= 1
            }
            goBack(to: depth)
            drawOpenings(partial)
        }
        for _ in 0..<depth { builder.leave() }
    }

    /// Draws complete children that follow one another, up to the last.
    mutating func drawChildren(upTo last: Int32, count: Int) {
        var children: [Int] = []
        var child = last
        while child >= 0, children.count < count {
            children.append(Int(child))
            child = parser.nodes[Int(child)].previous
        }
        for child in children.reversed() {
            let end = max(Int(parser.nodes[child].end), child + 1)
            builder.add(parser.nodes, child..<end, text: leaves, map: parser.map)
        }
    }

    /// Notes a block that is drawn, or that the incomplete line begins.
    ///
    /// - Returns: What the previous tail tells of it, if that drew it too.
    @discardableResult
    mutating func note(
        _ node: BlockNode,
        committed: Int,
        text: Int = 0,
        isBegun: Bool = false
    ) -> MarkdownTail.Level? {
        let known = known(node)
        isKnown = known != nil
        let level = MarkdownTail.Level(
            start: base + Int(node.start),
            kind: node.kind(text: leaves),
            firstChild: known?.committedChildren ?? 0,
            committedChildren: committed,
            committedText: text,
            tag: node.tag,
            isKnown: known != nil
        )
        if isBegun { begun.append(level) } else { levels.append(level) }
        return known
    }

    /// Returns the previous tail's level of a block. No two blocks of a kind start at the same place.
    func known(_ node: BlockNode) -> MarkdownTail.Level? {
        guard isKnown, let previous else { return nil }
        let start = base + Int(node.start)
        return previous.levels.first { $0.start == start && $0.tag == node.tag }
            ?? previous.begun.first { $0.start == start && $0.tag == node.tag }
    }

    /// The blocks around what is drawn next were drawn by the previous tail as far as a level's is.
    mutating func goBack(to depth: Int) {
        isKnown = previous != nil && (depth == 0 || levels[depth - 1].isKnown)
    }
}
