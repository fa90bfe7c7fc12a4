// Riff
// SPDX-License-Identifier: Apache-2.0

/// The footnotes that are defined, and the marks that show them.
struct FootnoteTable: Sendable {
    /// The labels, as their first definitions have them.
    private(set) var labels: [LinkLabel: [UInt8]] = [:]
    /// The blocks that hold marks or definitions, by id.
    private var blocks: [Int: MarkdownBlock] = [:]
    private var numbers: [LinkLabel: Int] = [:]
    private var occurrences: [LinkLabel: Int] = [:]

    /// Notes a definition; nil if the label has one.
    mutating func define(_ label: ArraySlice<UInt8>) -> LinkLabel? {
        guard let name = LinkLabel(label), labels[name] == nil else { return nil }
        labels[name] = Array(label)
        return name
    }

    /// A block with numbers for its marks: those that they have in the end, if footnotes are defined in the order in
    /// which they are referred to.
    mutating func numbered(_ block: MarkdownBlock) -> MarkdownBlock {
        let known = blocks.removeValue(forKey: block.id)
        guard !block.tree.footnotes.isEmpty else { return block }
        for mark in known?.tree.footnotes ?? [] where mark.number > 0 { occurrences[mark.label, default: 1] -= 1 }
        let result = withNumbers(block)
        blocks[block.id] = result
        return result
    }

    private mutating func withNumbers(_ block: MarkdownBlock) -> MarkdownBlock {
        var marks = block.tree.footnotes
        for record in block.tree.records where record.tag == .footnoteMark {
            let index = Int(record.value)
            let label = marks[index].label
            if numbers[label] == nil { numbers[label] = numbers.count + 1 }
            occurrences[label, default: 0] += 1
            marks[index].number = numbers[label] ?? 0
            marks[index].occurrence = occurrences[label] ?? 0
        }
        var result = block
        result.tree = block.tree.renumbered(marks)
        return result
    }

    /// Numbers all marks in the order of the text.
    ///
    /// - Returns: The blocks that changed, in order.
    mutating func renumbered() -> [MarkdownBlock] {
        (numbers, occurrences) = ([:], [:])
        var changed: [MarkdownBlock] = []
        for id in blocks.keys.sorted() {
            guard let block = blocks[id] else { continue }
            let result = withNumbers(block)
            guard result.tree.footnotes != block.tree.footnotes else { continue }
            blocks[id] = result
            changed.append(result)
        }
        return changed
    }

    /// The footnotes that are referred to, in the order of their numbers; nil if there are none.
    func list() -> MarkdownTree? {
        guard !numbers.isEmpty else { return nil }
        var definitions: [LinkLabel: MarkdownNode] = [:]
        for id in blocks.keys.sorted() {
            guard let tree = blocks[id]?.tree else { continue }
            let found = tree.records.enumerated().filter { $0.element.tag == .footnote }
            for (index, record) in found.sorted(by: { ($0.element.end, $1.offset) < ($1.element.end, $0.offset) }) {
                let label = tree.footnotes[Int(record.value)].label
                if definitions[label] == nil { definitions[label] = MarkdownNode(tree: tree, index: index) }
            }
        }
        var draft = TreeDraft()
        draft.enter(NodeRecord(tag: .footnotes))
        for (label, number) in numbers.sorted(by: { $0.value < $1.value }) {
            guard let definition = definitions[label] else { continue }
            let index = draft.footnotes.count
            draft.add(definition)
            draft.footnotes[index].number = number
            draft.footnotes[index].occurrence = occurrences[label] ?? 0
        }
        draft.leave()
        return MarkdownTree(
            records: draft.records,
            text: draft.text,
            strings: draft.strings,
            footnotes: draft.footnotes,
            base: 0
        )
    }
}
