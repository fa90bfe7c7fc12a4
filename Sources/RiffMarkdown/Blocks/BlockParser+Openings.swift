// Riff
// SPDX-License-Identifier: Apache-2.0

extension BlockParser {
    /// Finds the blocks that the rest of a line opens.
    func findOpenings(_ cursor: inout LineCursor, _ plan: inout LinePlan, limit: Int) {
        var container = plan.matched > 0 ? nodes[levels[plan.matched - 1].node].tag : .document
        // An indented line may go on with a paragraph that its containers do not lead to.
        var maybeLazy = levels.last.map { nodes[$0.node].tag == .paragraph } ?? false
        var noBreakBefore = 0
        while !container.isVerbatim, plan.openings.count < limit {
            cursor.findNonspace()
            guard !cursor.isBlank else { return }
            if cursor.isIndented {
                guard !maybeLazy else { return findTask(&cursor, &plan, container) }
                cursor.advance(columns: 4)
                plan.openings.append(BlockNode(.code, at: cursor.offset))
                return
            }
            switch cursor.byte(at: cursor.nonspace) {
            case UInt8(ascii: ">"):
                plan.openings.append(BlockNode(.quote, at: cursor.nonspace))
                cursor.advance(bytes: cursor.nonspace + 1 - cursor.offset)
                cursor.skipBlank()
            case UInt8(ascii: "#") where openHeading(&cursor, &plan): return
            case UInt8(ascii: "`") where openFence(&cursor, &plan): return
            case UInt8(ascii: "~") where openFence(&cursor, &plan): return
            case UInt8(ascii: "<") where openHTML(cursor, &plan, container): return
            case UInt8(ascii: "$") where openMath(&cursor, &plan): return
            case UInt8(ascii: "\\") where openMath(&cursor, &plan): return
            case UInt8(ascii: "=") where findUnderline(&plan, cursor, container): return
            case UInt8(ascii: "-") where findUnderline(&plan, cursor, container): return
            case UInt8(ascii: "-"), UInt8(ascii: "*"), UInt8(ascii: "_"):
                if noBreakBefore <= cursor.nonspace {
                    if isThematicBreak(cursor, &noBreakBefore) {
                        plan.openings.append(BlockNode(.thematicBreak, at: cursor.nonspace))
                        return cursor.advance(bytes: cursor.line.count - cursor.offset)
                    }
                }
                guard openItem(&cursor, &plan, container) else { return findRow(&cursor, &plan, container) }
            case UInt8(ascii: "+"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                guard openItem(&cursor, &plan, container) else { return findRow(&cursor, &plan, container) }
            case UInt8(ascii: "[") where openFootnote(&cursor, &plan): break
            default: return findRow(&cursor, &plan, container)
            }
            container = plan.openings.last?.tag ?? container
            maybeLazy = false
        }
    }

    private func openHeading(_ cursor: inout LineCursor, _ plan: inout LinePlan) -> Bool {
        var at = cursor.nonspace
        while cursor.byte(at: at) == UInt8(ascii: "#") { at += 1 }
        let level = at - cursor.nonspace
        guard level <= 6, at == cursor.line.count || cursor.byte(at: at).isBlank else { return false }
        while cursor.byte(at: at).isBlank { at += 1 }
        plan.openings.append(BlockNode(.heading, size: level, at: cursor.nonspace))
        cursor.advance(bytes: at - cursor.offset)
        var end = cursor.line.count
        while end > at, cursor.line[end - 1].isSpace { end -= 1 }
        // Closing marks count if a space is before them, be it the one behind the opening marks.
        var marks = end
        while marks > at, cursor.line[marks - 1] == UInt8(ascii: "#") { marks -= 1 }
        if marks < end, cursor.line[marks - 1].isBlank { end = marks }
        plan.textEnd = max(end, at)
        return true
    }

    private func openFence(_ cursor: inout LineCursor, _ plan: inout LinePlan) -> Bool {
        let mark = cursor.byte(at: cursor.nonspace)
        var at = cursor.nonspace
        while cursor.byte(at: at) == mark { at += 1 }
        let length = at - cursor.nonspace
        guard length >= 3 else { return false }
        if mark == UInt8(ascii: "`") {
            guard cursor.line.firstPlace(of: mark, in: at..<cursor.line.count) == nil else { return false }
        }
        var fence = BlockNode(.code, mark: mark, size: length, at: cursor.nonspace)
        fence.indent = UInt8(clamping: cursor.nonspace - cursor.offset)
        plan.openings.append(fence)
        cursor.advance(bytes: at - cursor.offset)
        return true
    }

    private func openHTML(_ cursor: LineCursor, _ plan: inout LinePlan, _ container: NodeTag) -> Bool {
        guard
            let kind = HTMLBlockScanner.kind(
                at: cursor.nonspace,
                in: cursor.line,
                interruptsParagraph: container == .paragraph
            )
        else { return false }
        plan.openings.append(BlockNode(.html, size: kind, at: cursor.nonspace))
        return true
    }

    private func openMath(_ cursor: inout LineCursor, _ plan: inout LinePlan) -> Bool {
        guard extensions.contains(.math) else { return false }
        guard let mark = MathBlockScanner.opens(cursor.line, at: cursor.nonspace) else { return false }
        plan.openings.append(BlockNode(.math, mark: mark, at: cursor.nonspace))
        cursor.advance(bytes: cursor.nonspace + 2 - cursor.offset)
        return true
    }

    private func findUnderline(_ plan: inout LinePlan, _ cursor: LineCursor, _ container: NodeTag) -> Bool {
        guard container == .paragraph else { return false }
        let mark = cursor.byte(at: cursor.nonspace)
        var at = cursor.nonspace
        while cursor.byte(at: at) == mark { at += 1 }
        while cursor.byte(at: at).isBlank { at += 1 }
        guard at == cursor.line.count else { return false }
        plan.action = .underline(level: mark == UInt8(ascii: "=") ? 1 : 2)
        return true
    }

    /// Returns whether a thematic break begins here; if one fails at a place, none begins before it: a line of markers
    /// is read once.
    private func isThematicBreak(_ cursor: LineCursor, _ noBreakBefore: inout Int) -> Bool {
        let mark = cursor.byte(at: cursor.nonspace)
        var at = cursor.nonspace
        var count = 0
        while at < cursor.line.count, cursor.line[at] == mark || cursor.line[at].isBlank {
            if cursor.line[at] == mark { count += 1 }
            at += 1
        }
        if count >= 3, at == cursor.line.count { return true }
        noBreakBefore = at
        return false
    }

    private func openFootnote(_ cursor: inout LineCursor, _ plan: inout LinePlan) -> Bool {
        guard extensions.contains(.footnotes) else { return false }
        guard cursor.byte(at: cursor.nonspace + 1) == UInt8(ascii: "^") else { return false }
        guard plan.openings.count(where: { $0.tag == .footnote }) < Self.deepestFootnote else { return false }
        let label = cursor.nonspace + 2
        var at = label
        while at < cursor.line.count, cursor.line[at] != UInt8(ascii: "]"), !cursor.line[at].isBlank { at += 1 }
        guard at > label, cursor.byte(at: at) == UInt8(ascii: "]"), cursor.byte(at: at + 1) == UInt8(ascii: ":") else {
            return false
        }
        var footnote = BlockNode(.footnote, at: cursor.nonspace)
        footnote.value = UInt32(at - label)
        plan.openings.append(footnote)
        at += 2
        while cursor.byte(at: at).isBlank { at += 1 }
        cursor.advance(bytes: at - cursor.offset)
        return true
    }

    /// More definitions in one line, each in the one before, are text. cmark has no such bound, and takes quadratic
    /// time for what it allows.
    private static var deepestFootnote: Int { 32 }

    // MARK: - What tables and tasks make of a line that opens nothing

    private func findRow(_ cursor: inout LineCursor, _ plan: inout LinePlan, _ container: NodeTag) {
        if container == .table {
            plan.action = .tableRow
        } else if container == .paragraph, plan.openings.isEmpty, startsTable(cursor) {
            plan.action = .tableHeader
        } else {
            findTask(&cursor, &plan, container)
        }
    }

    /// Whether the line and the last one of the open paragraph are the head of a table.
    private func startsTable(_ cursor: LineCursor) -> Bool {
        let range = cursor.nonspace..<cursor.line.count
        guard extensions.contains(.tables), TableRow.isDelimiter(cursor.line, range) else { return false }
        guard let level = levels.last, let columns = TableRow(cursor.line, range)?.cells.count else { return false }
        let header = lastLine(of: level.node)
        return text.withUnsafeBufferPointer { TableRow($0, header)?.cells.count == columns }
    }

    /// The last line of an open paragraph, as a range of ``text``.
    func lastLine(of paragraph: Int) -> Range<Int> {
        let range = nodes[paragraph].textRange
        let end = max(range.upperBound - 1, range.lowerBound)
        let start = text[range.lowerBound..<end].lastIndex(of: .lineFeed).map { $0 + 1 } ?? range.lowerBound
        return start..<end
    }

    /// A task is found where an item holds no block yet, and only if nothing but white space is before its marker.
    private func findTask(_ cursor: inout LineCursor, _ plan: inout LinePlan, _ container: NodeTag) {
        guard container == .item, extensions.contains(.taskLists) else { return }
        let line = cursor.line
        var at = 0
        while at < line.count, line[at].isTagSpace { at += 1 }
        guard at < line.count else { return }
        if line[at].isDigit {
            while at < line.count, line[at].isDigit { at += 1 }
            at += 1
        } else if "-+*".utf8.contains(line[at]) {
            at += 1
        } else {
            return
        }
        let box = at
        while at < line.count, line[at].isTagSpace { at += 1 }
        guard at > box, at + 3 < line.count else { return }
        guard line[at] == UInt8(ascii: "["), line[at + 2] == UInt8(ascii: "]") else { return }
        guard line[at + 1] == .space || line[at + 1] == UInt8(ascii: "x"), line[at + 3].isTagSpace else { return }
        let flags: BlockNode.Flags = isDone(line) ? [.isTask, .isDone] : .isTask
        if plan.openings.isEmpty {
            plan.task = flags
        } else {
            plan.openings[plan.openings.count - 1].flags = flags
        }
        cursor.advance(bytes: 3)
    }

    /// A tick anywhere in the line counts: so cmark-gfm has it.
    private func isDone(_ line: Bytes) -> Bool {
        (0..<max(line.count - 2, 0)).contains { bytes in
            line[bytes..<bytes + 3].elementsEqual("[x]".utf8) || line[bytes..<bytes + 3].elementsEqual("[X]".utf8)
        }
    }
}
