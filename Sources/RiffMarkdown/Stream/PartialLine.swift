// Riff
// SPDX-License-Identifier: Apache-2.0

/// A line that is not complete, as far as it tells what it is.
struct PartialLine {
    let line: Bytes
    let hasNulls: Bool
    let plan: LinePlan
    let cursor: LineCursor
    /// Whether it continues the open paragraph although its containers do not lead there.
    let isLazy: Bool

    /// The number of blocks that a line may open in the picture, and of open ones that are drawn.
    static let deepest = 32
    /// Of a very long line, the start tells what it is.
    private static let longestStart = 4096
    /// More marks than this are shown.
    private static let longestMarker = 256

    /// Looks at a line; nil if there is nothing to show: it is blank so far, or a marker, fence or number that the next
    /// bytes may complete.
    init?(_ line: Bytes, parser: BlockParser, hasNulls: Bool) {
        self.line = line
        self.hasNulls = hasNulls
        var cursor = parser.cursor(Bytes(rebasing: line.prefix(Self.longestStart)))
        let plan = parser.plan(&cursor, openingLimit: Self.deepest)
        self.plan = plan
        self.cursor = cursor
        isLazy = parser.isLazy(plan, cursor)
        guard !cursor.isBlank else { return nil }
        switch plan.action {
        case .text, .tableRow: break
        case .close, .underline, .tableHeader: return nil
        }
        let rest = Bytes(rebasing: cursor.line[cursor.nonspace...])
        if let opening = plan.openings.last {
            if opening.tag == .thematicBreak || (opening.tag == .code && opening.mark != 0) { return nil }
            if opening.tag.isVerbatim || opening.tag == .heading { return }
            if opening.tag == .item, Self.mayBecomeTask(rest) { return nil }
        } else if plan.matched > 0 {
            let node = parser.nodes[parser.levels[plan.matched - 1].node]
            if node.tag.isVerbatim {
                if node.mark != 0, rest.allSatisfy({ $0 == node.mark || $0.isBlank }) { return nil }
                return
            }
        }
        if Self.mayBecomeMarker(rest) { return nil }
    }

    /// The end of the text, if it is a heading; marks at its end are left out.
    var textEnd: Int { cursor.line.count == line.count ? plan.textEnd : line.count }

    /// Whether it adds a block, and not only text to the innermost one that is open.
    func addsBlock(to tip: BlockNode, of parser: BlockParser) -> Bool {
        if isLazy { return false }
        guard plan.openings.isEmpty, plan.matched == parser.levels.count else { return true }
        return tip.tag != .paragraph && tip.tag != .table && !tip.tag.isVerbatim
    }

    /// Whether a text is the start of `[ ] ` or `[x] `.
    private static func mayBecomeTask(_ text: Bytes) -> Bool {
        text.count <= 3 && text[0] == UInt8(ascii: "[") && (text.count < 2 || " xX".utf8.contains(text[1]))
            && (text.count < 3 || text[2] == UInt8(ascii: "]"))
    }

    /// Whether a text is nothing but what markers of blocks are made of.
    private static func mayBecomeMarker(_ text: Bytes) -> Bool {
        guard text.count <= longestMarker else { return false }
        if let end = text.firstIndex(where: { !$0.isDigit }), end > 0 {
            return end <= 9 && text.count == end + 1 && ".)".utf8.contains(text[end])
        }
        if text.allSatisfy(\.isDigit) { return text.count <= 9 }
        return text.allSatisfy { $0.isBlank || "*-_+=#`~>|:$".utf8.contains($0) }
    }
}
