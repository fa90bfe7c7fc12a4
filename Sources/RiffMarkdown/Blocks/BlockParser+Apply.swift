// Riff
// SPDX-License-Identifier: Apache-2.0

extension BlockParser {
    /// Does what a line's plan says.
    mutating func apply(_ plan: LinePlan, _ cursor: LineCursor) {
        if case .close = plan.action { return closeVerbatim(cursor) }
        let isLazy = isLazy(plan, cursor)
        unmarkBlank(above: plan.matched)
        if plan.matched > 0 {
            let level = plan.matched - 1
            nodes[levels[level].node].flags.formUnion(plan.task)
            if plan.openings.isEmpty, cursor.isBlank { noteBlank(at: level) }
        }
        if !plan.openings.isEmpty { keepLoose(at: plan.matched - 1) }
        if !isLazy { close(downTo: plan.matched) }
        for opening in plan.openings { open(opening, on: cursor) }
        // A footnote that starts with a blank line ends with one so far.
        if plan.openings.last?.tag == .footnote, cursor.isBlank { markBlank(levels.count - 1) }
        switch plan.action {
        case .underline(let level): underline(level: level, cursor)
        case .tableHeader: startTable(cursor)
        case .tableRow: addRow(cursor)
        case .text where isLazy:
            // What it is indented by stays: so cmark has it.
            if let paragraph = levels.last?.node { add(cursor, to: paragraph, end: cursor.line.count) }
        case .text, .close: addText(cursor, isOpening: !plan.openings.isEmpty, end: plan.textEnd)
        }
    }

    /// Returns whether the line continues a paragraph that its containers do not lead to.
    func isLazy(_ plan: LinePlan, _ cursor: LineCursor) -> Bool {
        guard case .text = plan.action, plan.openings.isEmpty, plan.matched < levels.count, !cursor.isBlank else {
            return false
        }
        return levels.last.map { nodes[$0.node].tag == .paragraph } ?? false
    }

    private mutating func noteBlank(at level: Int) {
        let index = levels[level].node
        let last = nodes[index].lastChild
        if last >= 0 { nodes[Int(last)].flags.insert(.endsBlank) }
        switch nodes[index].tag {
        case .quote, .thematicBreak: break
        case .code where nodes[index].mark != 0: break
        default: return markBlank(level)
        }
        nodes[index].flags.remove(.endsBlank)
    }

    private mutating func open(_ opening: BlockNode, on cursor: LineCursor) {
        makeRoom(for: opening.tag)
        var block = opening
        block.start = UInt32(clamping: place(Int(opening.start)))
        block.stop = block.start
        open(block)
        let index = levels[levels.count - 1].node
        if block.tag == .footnote {
            let (label, count) = (Int(opening.start) + 2, text.count)
            copy(cursor.line, label..<label + Int(block.value))
            nodes[index].value = UInt32(clamping: text.count - count)
            nodes[index].textStart = UInt32(clamping: text.count)
            nodes[index].textEnd = nodes[index].textStart
        }
        nodes[index].stop = UInt32(clamping: place(max(cursor.offset, Int(opening.start))))
    }

    // MARK: - Text

    private mutating func addText(_ cursor: LineCursor, isOpening: Bool, end: Int) {
        var cursor = cursor
        guard let index = levels.last?.node else {
            if !cursor.isBlank { addParagraph(cursor) }
            return
        }
        switch nodes[index].tag {
        case .code where isOpening && nodes[index].mark != 0:
            let info = text.count
            copy(cursor.line, cursor.offset..<end)
            nodes[index].value = UInt32(clamping: text.count - info)
            nodes[index].textStart = UInt32(clamping: text.count)
            nodes[index].textEnd = nodes[index].textStart
            nodes[index].stop = UInt32(clamping: place(end))
        case .code:
            add(cursor, to: index, end: end)
        case .html:
            add(cursor, to: index, end: end)
            let kind = Int(nodes[index].size)
            if HTMLBlockScanner.ends(kind: kind, line: cursor.line, from: cursor.nonspace) { closeLast() }
        case .math:
            addMath(cursor, to: index, isOpening: isOpening)
        case .thematicBreak:
            if isOpening { nodes[index].stop = UInt32(clamping: place(end)) }
            // In an item it stays open, as in cmark, so that blank lines behind it do not make the list loose.
            if levels.count == 1 { closeLast() } else if !cursor.isBlank { addParagraph(cursor) }
        case .heading:
            cursor.skipIndent()
            add(cursor, to: index, end: max(end, cursor.offset))
            closeLast()
        case _ where cursor.isBlank:
            break
        case .paragraph:
            cursor.skipIndent()
            add(cursor, to: index, end: end)
        default:
            addParagraph(cursor)
        }
    }

    private mutating func addParagraph(_ cursor: LineCursor) {
        var cursor = cursor
        makeRoom(for: .paragraph)
        open(BlockNode(.paragraph, at: place(cursor.nonspace)))
        cursor.skipIndent()
        add(cursor, to: levels[levels.count - 1].node, end: cursor.line.count)
    }

    /// Adds the rest of a line, and its end, to the text of a leaf.
    private mutating func add(_ cursor: LineCursor, to index: Int, end: Int) {
        var offset = cursor.offset
        if cursor.isInTab {
            map.add(text: text.count, source: place(offset))
            for _ in 0..<cursor.columnsToTab { text.append(.space) }
            offset += 1
        }
        map.add(text: text.count, source: place(offset))
        if offset < end { copy(cursor.line, offset..<end) }
        text.append(.lineFeed)
        leafLines += 1
        nodes[index].textEnd = UInt32(clamping: text.count)
        nodes[index].stop = UInt32(clamping: place(cursor.line.count))
    }

    /// Copies bytes of a line; U+0000 becomes U+FFFD.
    private mutating func copy(_ line: Bytes, _ range: Range<Int>) {
        var start = range.lowerBound
        while let null = hasNulls ? line.firstPlace(of: 0, in: start..<range.upperBound) : nil {
            text.append(contentsOf: Bytes(rebasing: line[start..<null]))
            text.append(contentsOf: [0xEF, 0xBF, 0xBD])
            start = null + 1
            map.add(text: text.count, source: place(start))
        }
        text.append(contentsOf: Bytes(rebasing: line[start..<range.upperBound]))
    }

    private mutating func addMath(_ cursor: LineCursor, to index: Int, isOpening: Bool) {
        if isOpening, let end = MathBlockScanner.closes(nodes[index].mark, cursor.line, from: cursor.offset) {
            add(cursor, to: index, end: end)
            closeLast()
        } else if !isOpening || !cursor.isBlank {
            add(cursor, to: index, end: cursor.line.count)
        }
    }

    private mutating func closeVerbatim(_ cursor: LineCursor) {
        guard let index = levels.last?.node else { return }
        if nodes[index].tag == .math {
            let end = MathBlockScanner.closes(nodes[index].mark, cursor.line, from: cursor.nonspace)
            if let end, end > cursor.nonspace { add(cursor, to: index, end: end) }
        }
        nodes[index].stop = UInt32(clamping: place(cursor.line.count))
        closeLast()
    }

    private mutating func underline(level: Int, _ cursor: LineCursor) {
        guard let index = levels.last?.node else { return }
        guard takeDefinitions(of: index) else {
            // Nothing but definitions is above the line: it is text.
            var cursor = cursor
            cursor.skipIndent()
            return add(cursor, to: index, end: cursor.line.count)
        }
        nodes[index].tag = .heading
        nodes[index].size = UInt8(level)
        nodes[index].stop = UInt32(clamping: place(cursor.line.count))
        closeLast()
    }
}
