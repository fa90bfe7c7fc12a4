// Riff
// SPDX-License-Identifier: Apache-2.0

/// A tree while it is made.
struct TreeDraft: Sendable {
    var records: [NodeRecord] = []
    var text: [UInt8] = []
    var strings: [[UInt8]] = []
    var footnotes: [FootnoteMark] = []
    /// The nodes that are not complete, outermost first.
    private(set) var open: [Int] = []

    mutating func enter(_ record: NodeRecord) {
        open.append(records.count)
        records.append(record)
    }

    /// Completes the innermost node that was entered.
    ///
    /// - Parameter stop: Where it ends in the source, if that was not known before.
    mutating func leave(at stop: Int? = nil) {
        guard let index = open.popLast() else { return }
        records[index].end = UInt32(clamping: records.count)
        if let stop { records[index].stop = UInt32(clamping: stop) }
    }

    mutating func add(_ record: NodeRecord) {
        var record = record
        record.end = UInt32(clamping: records.count + 1)
        records.append(record)
    }

    /// Adds a node of a tree, and all that is in it but for other footnotes.
    mutating func add(_ node: MarkdownNode) {
        let tree = node.tree
        var walk = TreeWalk(node)
        while let step = walk.next(in: tree) {
            let record = tree.records[step.index]
            let isOther = record.tag == .footnote && step.index != node.index
            if !step.isEntering {
                if !isOther { leave() }
            } else if isOther {
                walk.skipChildren(in: tree)
            } else {
                enter(copy(of: record, in: tree))
            }
        }
    }

    private mutating func copy(of record: NodeRecord, in tree: MarkdownTree) -> NodeRecord {
        var copy = record
        let start = text.count
        text += tree.literal(of: record)
        copy.setText(start..<text.count)
        copy.start = UInt32(clamping: tree.base + Int(record.start))
        copy.stop = UInt32(clamping: tree.base + Int(record.stop))
        let value = Int(record.value)
        switch record.tag {
        case .link, .image, .code:
            copy.value = UInt32(clamping: strings.count)
            strings += tree.strings[value..<value + (record.tag == .code ? 1 : 2)]
        case .footnote, .footnoteMark:
            copy.value = UInt32(clamping: footnotes.count)
            footnotes.append(tree.footnotes[value])
        default: break
        }
        return copy
    }
}
