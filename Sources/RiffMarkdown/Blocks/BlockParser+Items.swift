// Riff
// SPDX-License-Identifier: Apache-2.0

extension BlockParser {
    /// A list's marker as it is written.
    private struct Marker {
        /// The bullet, or the byte behind the number.
        var mark: UInt8
        var number: UInt32
        var length: Int
    }

    /// Opens an item, in a list of its own unless it continues the list before.
    func openItem(_ cursor: inout LineCursor, _ plan: inout LinePlan, _ container: NodeTag) -> Bool {
        guard let marker = marker(cursor, interruptsParagraph: container == .paragraph) else { return false }
        let indent = cursor.indent
        let place = cursor.nonspace
        cursor.advance(bytes: place + marker.length - cursor.offset)
        let content = cursor
        while cursor.column - content.column <= 5, cursor.byte(at: cursor.offset).isBlank { cursor.advance(columns: 1) }
        var padding = cursor.column - content.column
        if !(1..<5).contains(padding) || cursor.offset == cursor.line.count {
            // Code in an item starts one column behind the marker, and so does an item that begins with a blank line.
            cursor = content
            if padding > 0 { cursor.advance(columns: 1) }
            padding = 1
        }
        var list = BlockNode(.list, mark: marker.mark, at: place)
        list.value = marker.number
        if container != .list || listMark(plan) != marker.mark { plan.openings.append(list) }
        plan.openings.append(
            BlockNode(.item, mark: marker.mark, size: indent + marker.length + padding, at: place)
        )
        return true
    }

    /// The marker of the list that the line leads to.
    private func listMark(_ plan: LinePlan) -> UInt8? {
        if let opening = plan.openings.last { return opening.mark }
        return plan.matched > 0 ? nodes[levels[plan.matched - 1].node].mark : nil
    }

    private func marker(_ cursor: LineCursor, interruptsParagraph: Bool) -> Marker? {
        let first = cursor.byte(at: cursor.nonspace)
        var at = cursor.nonspace + 1
        var marker = Marker(mark: first, number: 0, length: 1)
        if first.isDigit {
            marker.number = UInt32(first & 0xF)
            while at - cursor.nonspace < 9, cursor.byte(at: at).isDigit {
                marker.number = marker.number * 10 + UInt32(cursor.byte(at: at) & 0xF)
                at += 1
            }
            marker.mark = cursor.byte(at: at)
            guard marker.mark == UInt8(ascii: ".") || marker.mark == UInt8(ascii: ")") else { return nil }
            // A number in the text that a line happens to start with is no list.
            guard !interruptsParagraph || marker.number == 1 else { return nil }
            at += 1
        } else {
            guard "-*+".utf8.contains(first) else { return nil }
        }
        guard cursor.byte(at: at).isSpace else { return nil }
        marker.length = at - cursor.nonspace
        if interruptsParagraph {
            while cursor.byte(at: at).isBlank { at += 1 }
            if at == cursor.line.count { return nil }
        }
        return marker
    }
}
