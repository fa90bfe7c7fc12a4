// Riff
// SPDX-License-Identifier: Apache-2.0

extension BlockParser {
    /// Finds what a line does, and moves the cursor to its text. How many blocks it may open can be limited: a guess at
    /// an incomplete line is content with a few.
    func plan(_ cursor: inout LineCursor, openingLimit: Int = .max) -> LinePlan {
        var plan = LinePlan(textEnd: cursor.line.count)
        if match(&cursor, &plan) { findOpenings(&cursor, &plan, limit: openingLimit) }
        cursor.findNonspace()
        return plan
    }

    /// Finds which of the open blocks the line belongs to.
    ///
    /// - Returns: Whether there may be more in the line: it does not close a fence.
    private func match(_ cursor: inout LineCursor, _ plan: inout LinePlan) -> Bool {
        while plan.matched < levels.count {
            let node = nodes[levels[plan.matched].node]
            cursor.findNonspace()
            if cursor.isBlank, cursor.offset == cursor.line.count, !cursor.isInTab, skipOpenItems(&plan) { continue }
            switch node.tag {
            case .list: break
            case .quote:
                guard !cursor.isIndented, cursor.byte(at: cursor.nonspace) == UInt8(ascii: ">") else { return true }
                cursor.advance(columns: cursor.indent + 1)
                cursor.skipBlank()
            case .item:
                if cursor.indent >= Int(node.size) {
                    cursor.advance(columns: Int(node.size))
                } else if cursor.isBlank, node.lastChild >= 0 {
                    cursor.skipIndent()
                } else {
                    return true
                }
            case .footnote:
                if cursor.isIndented {
                    cursor.advance(columns: 4)
                } else if !cursor.line.isEmpty {
                    return true
                }
            case .code:
                if node.mark == 0 {
                    if cursor.isIndented {
                        cursor.advance(columns: 4)
                    } else if cursor.isBlank {
                        cursor.skipIndent()
                    } else {
                        return true
                    }
                } else if closesFence(node, cursor) {
                    plan.action = .close
                    return false
                } else {
                    for _ in 0..<node.indent { cursor.skipBlank() }
                }
            case .math:
                if MathBlockScanner.closes(node.mark, cursor.line, from: cursor.nonspace) != nil {
                    plan.action = .close
                    return false
                }
            case .html:
                if cursor.isBlank, node.size > 5 { return true }
            case .table:
                guard TableRow.isRow(cursor.line, cursor.nonspace..<cursor.line.count) else { return true }
            case .paragraph:
                if cursor.isBlank { return true }
            default:
                // A thematic break in an item; nothing else stays open.
                break
            }
            plan.matched += 1
        }
        return true
    }

    /// An empty rest of a line belongs to all lists and items down to the next block of another kind: with lists nested
    /// a hundred thousand deep, blank lines must not visit each.
    private func skipOpenItems(_ plan: inout LinePlan) -> Bool {
        var (low, high) = (0, barriers.count)
        while low < high {
            let middle = (low + high) / 2
            if barriers[middle] < plan.matched { low = middle + 1 } else { high = middle }
        }
        let next = low < barriers.count ? barriers[low] : levels.count
        guard next > plan.matched else { return false }
        plan.matched = next
        return true
    }

    private func closesFence(_ node: BlockNode, _ cursor: LineCursor) -> Bool {
        guard !cursor.isIndented, cursor.byte(at: cursor.nonspace) == node.mark else { return false }
        var at = cursor.nonspace
        while cursor.byte(at: at) == node.mark { at += 1 }
        guard at - cursor.nonspace >= Int(node.size) else { return false }
        while cursor.byte(at: at).isBlank { at += 1 }
        return at == cursor.line.count
    }
}
