// Riff
// SPDX-License-Identifier: Apache-2.0

/// The text of a leaf that is open, with what the incomplete line adds, from a place on.
struct OpenLeaf {
    /// The start in the leaf's text.
    let start: Int
    var bytes: [UInt8] = []
    var map = SourceMap()

    init(_ node: BlockNode, _ partial: PartialLine?, from start: Int, _ drawer: TailDrawer, isNew: Bool = false) {
        self.start = start
        let text = isNew ? 0..<0 : node.textRange
        if start < text.count {
            let first = text.lowerBound + start
            bytes = Array(drawer.leaves[first..<text.upperBound])
            for run in drawer.parser.map.runs[drawer.parser.map.index(of: first)...] {
                map.add(text: max(Int(run.text) - first, 0), source: Int(run.source) + max(first - Int(run.text), 0))
            }
        }
        guard let partial else { return }
        // A paragraph's lines lose their indent, unless they are lazy.
        var offset = node.tag.isVerbatim || partial.isLazy ? partial.cursor.offset : partial.cursor.nonspace
        var added: [UInt8] = []
        if partial.cursor.isInTab, node.tag.isVerbatim {
            added = Array(repeating: .space, count: partial.cursor.columnsToTab)
            offset += 1
        }
        let skipped = max(start - text.count, 0)
        map.add(
            text: bytes.count + max(added.count - skipped, 0),
            source: drawer.lineStart + offset + max(skipped - added.count, 0)
        )
        let end = node.tag == .heading ? partial.textEnd : partial.line.count
        let rest = Bytes(rebasing: partial.line[min(offset, end)..<end])
        if added.isEmpty, !partial.hasNulls {
            bytes.append(contentsOf: Bytes(rebasing: rest[min(skipped, rest.count)...]))
        } else {
            for byte in rest { if byte == 0 { added += [0xEF, 0xBF, 0xBD] } else { added.append(byte) } }
            bytes += added.dropFirst(skipped)
        }
    }
}
