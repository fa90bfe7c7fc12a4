// Riff
// SPDX-License-Identifier: Apache-2.0

extension TailDrawer {
    /// An open leaf that is longer than this is read in two parts, so that the time for each update stays bounded: what
    /// is open at the end of the first is text then.
    private static let window = 2048
    /// Of a row that is not complete, so much is drawn.
    private static let longestRow = 4096

    /// Draws the innermost open block, which holds no blocks.
    mutating func drawLeaf(_ node: BlockNode, _ partial: PartialLine?) {
        let adds = partial?.addsBlock(to: node, of: parser) ?? false
        switch node.tag {
        case .paragraph: drawText(node, adds ? nil : partial, isOpen: !adds)
        case .code, .html, .math: drawVerbatim(node, adds ? nil : partial)
        case .table: drawTable(node, adds ? nil : partial)
        default: builder.add([node], 0..<1, text: leaves, map: parser.map)
        }
    }

    // MARK: - Paragraphs and headings

    /// Draws a leaf with inlines, of which more may come, or which the incomplete line begins.
    private mutating func drawText(_ node: BlockNode, _ partial: PartialLine?, isOpen: Bool, isBegun: Bool = false) {
        let known = known(node)
        let leaf = OpenLeaf(node, partial, from: known?.committedText ?? 0, self, isNew: isBegun)
        var settled = leaf.start
        var children = known?.committedChildren ?? 0
        builder.enter(node.withoutText, text: leaves)
        let first = builder.inlines.draft.records.count
        leaf.bytes.withUnsafeBufferPointer { bytes in
            var range = bytes.indices
            if isOpen, node.tag == .paragraph {
                if children == 0 { range = withoutDefinitions(bytes, &settled, leaf.start) }
                if builder.inlines.extensions.contains(.tables) { range = withoutHeader(bytes, range) }
            }
            if isOpen, range.count > Self.window {
                let cut = wordStart(bytes, before: range.upperBound - Self.window / 2)
                builder.inlines.parse(bytes, range.lowerBound..<cut, map: leaf.map)
                settled = leaf.start + cut
                children += childCount(from: first)
                range = cut..<range.upperBound
            }
            let rest = builder.inlines.draft.records.count
            builder.inlines.parse(bytes, range, map: leaf.map, isOpen: isOpen)
            guard isOpen, let end = builder.inlines.settledEnd else { return }
            settled = leaf.start + range.lowerBound + end
            children += childCount(from: rest, to: builder.inlines.settledRecords)
        }
        builder.leave()
        if !isOpen { (children, settled) = (known?.committedChildren ?? 0, leaf.start) }
        note(node, committed: children, text: settled, isBegun: isBegun)
    }

    private func childCount(from first: Int, to end: Int? = nil) -> Int {
        let records = builder.inlines.draft.records
        var (index, count) = (first, 0)
        while index < end ?? records.count {
            index = Int(records[index].end)
            count += 1
        }
        return count
    }

    /// The definitions at a paragraph's start, and what may become one, are not shown. What is settled moves to the
    /// last definition: only that one may still change.
    private func withoutDefinitions(_ bytes: Bytes, _ settled: inout Int, _ start: Int) -> Range<Int> {
        guard bytes.first == UInt8(ascii: "[") else { return bytes.indices }
        let read = LinkDefinition.read(bytes, bytes.indices)
        settled = start + read.last
        let rest = read.rest..<bytes.count
        return mayDefine(bytes, rest, hasDefinition: !read.found.isEmpty) ? bytes.count..<bytes.count : rest
    }

    /// Whether a text may become a definition, or the title of the one before.
    private func mayDefine(_ bytes: Bytes, _ range: Range<Int>, hasDefinition: Bool) -> Bool {
        guard range.count <= InlineParser.longestHeldTag else { return false }
        let scanner = LinkScanner(bytes: bytes, end: bytes.count)
        let isOneLine = bytes.firstPlace(of: .lineFeed, in: range) == nil
        var at = scanner.behindSpace(from: range.lowerBound)
        if let label = scanner.label(at: at), label.upperBound + 1 < bytes.count {
            guard bytes[label.upperBound + 1] == UInt8(ascii: ":") else { return false }
            at = scanner.behindSpace(from: label.upperBound + 2)
            guard !isOneLine, at < bytes.count else { return true }
            guard let (_, end) = scanner.destination(at: at) else { return false }
            at = scanner.behindSpace(from: end)
        } else if !hasDefinition {
            return false
        }
        guard at < bytes.count, "\"'(".utf8.contains(bytes[at]) else { return false }
        return isOneLine || scanner.title(at: at) == nil
    }

    /// A last line with a pipe may become the header of a table: it is shown up to the pipe.
    private func withoutHeader(_ bytes: Bytes, _ range: Range<Int>) -> Range<Int> {
        var line = range.upperBound
        if line > range.lowerBound, bytes[line - 1] == .lineFeed { line -= 1 }
        let limit = max(range.lowerBound, range.upperBound - Self.window)
        while line > limit, bytes[line - 1] != .lineFeed { line -= 1 }
        var at = line
        while at < range.upperBound {
            let isPipe = bytes[at] == UInt8(ascii: "|") && (at == line || bytes[at - 1] != .backslash)
            if isPipe { return range.lowerBound..<at }
            at += 1
        }
        return range
    }

    /// The start of a word, or at least of a character.
    private func wordStart(_ bytes: Bytes, before place: Int) -> Int {
        var at = place
        while at > place - 512, at > 1, bytes[at - 1] != .space || bytes[at].isSpace { at -= 1 }
        if at > place - 512, at > 1 { return at }
        at = place
        while at > 1, bytes[at].isContinuation { at -= 1 }
        return at
    }

    // MARK: - Code and HTML

    private mutating func drawVerbatim(_ node: BlockNode, _ partial: PartialLine?, isBegun: Bool = false) {
        var node = node
        if partial == nil, node.tag == .code, node.mark == 0 {
            // Blank lines belong to the code if more of it follows.
            var end = Int(node.textEnd)
            while end > Int(node.textStart), leaves[end - 1].isSpace { end -= 1 }
            let line = leaves.firstPlace(of: .lineFeed, in: end..<Int(node.textEnd))
            node.textEnd = UInt32(clamping: line.map { $0 + 1 } ?? end)
        }
        let known = known(node)
        var leaf = OpenLeaf(node, partial, from: known?.committedText ?? 0, self, isNew: isBegun)
        if node.tag == .math, partial != nil {
            while let last = leaf.bytes.last, "\\$".utf8.contains(last) { leaf.bytes.removeLast() }
        }
        let lines = isBegun ? 0 : parser.leafLines
        note(node, committed: lines, text: leaf.start + leaf.bytes.count, isBegun: isBegun)
        // The info string stands in front of the text, as the builder wants it.
        let info = node.tag == .code ? node.prefixRange : 0..<0
        let text = Array(leaves[info]) + leaf.bytes
        node.textStart = UInt32(clamping: info.count)
        node.textEnd = UInt32(clamping: text.count)
        text.withUnsafeBufferPointer { builder.enter(node, text: $0) }
        builder.leave()
    }

    // MARK: - Tables

    private mutating func drawTable(_ node: BlockNode, _ partial: PartialLine?) {
        let level = parser.levels[parser.levels.count - 1]
        let known = note(node, committed: level.children)
        builder.enter(node, text: leaves)
        drawChildren(upTo: node.lastChild, count: level.children - (known?.committedChildren ?? 0))
        if let partial { drawRow(partial, table: level.node) }
        builder.leave()
    }

    private mutating func drawRow(_ partial: PartialLine, table: Int) {
        let line = partial.cursor.line
        let start = partial.cursor.nonspace
        let end = min(line.count, start + Self.longestRow)
        let cells = TableRow(line, start..<end)?.cells ?? []
        builder.enter(BlockNode(.row, at: lineStart + start), text: leaves)
        for column in 0..<Int(parser.nodes[table].value) {
            let cell = column < cells.count ? cells[column] : end..<end
            let mark = parser.nodes[table + 2 + column].mark
            builder.enter(BlockNode(.cell, mark: mark, at: lineStart + cell.lowerBound), text: leaves)
            var map = SourceMap()
            map.add(text: 0, source: lineStart + cell.lowerBound)
            var text: [UInt8] = []
            for at in cell {
                let isEscape = line[at] == .backslash && at + 1 < cell.upperBound && line[at + 1] == UInt8(ascii: "|")
                if !isEscape { text.append(line[at]) }
            }
            text.withUnsafeBufferPointer {
                builder.inlines.parse($0, $0.indices, map: map, isOpen: column == cells.count - 1)
            }
            builder.leave()
        }
        builder.leave()
    }

    // MARK: - What a line begins

    /// Draws the blocks that the incomplete line opens, and its text in them.
    mutating func drawOpenings(_ partial: PartialLine) {
        var blocks = partial.plan.openings
        if blocks.last.map({ $0.isContainer }) ?? true {
            blocks.append(BlockNode(.paragraph, at: partial.cursor.nonspace))
        }
        for var block in blocks.dropLast() {
            if block.tag == .footnote {
                block.textStart = block.start + 2 + block.value
                block.textEnd = block.textStart
            }
            block.start += UInt32(clamping: lineStart)
            block.stop = block.start
            // A footnote's label is in the line.
            builder.enter(block, text: partial.cursor.line)
            note(block.tag == .footnote ? BlockNode(.quote, at: Int(block.start)) : block, committed: 0, isBegun: true)
        }
        guard var leaf = blocks.last else { return }
        leaf.start += UInt32(clamping: lineStart)
        leaf.stop = leaf.start
        if leaf.tag.isVerbatim {
            drawVerbatim(leaf, partial, isBegun: true)
        } else {
            drawText(leaf, partial, isOpen: true, isBegun: true)
        }
        for _ in blocks.dropLast() { builder.leave() }
    }
}
