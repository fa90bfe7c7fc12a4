// Riff
// SPDX-License-Identifier: Apache-2.0

/// Nodes with what they share, made once and never changed.
final class MarkdownTree: Sendable {
    let records: [NodeRecord]
    /// The literal text of all nodes.
    let text: [UInt8]
    /// Destinations and titles of links, info strings, footnote labels: whole values that nodes point at.
    let strings: [[UInt8]]
    /// The footnotes that marks and definitions show.
    let footnotes: [FootnoteMark]
    /// The start of the tree's source in the stream's text, in UTF-8 bytes.
    let base: Int

    init(
        records: [NodeRecord],
        text: [UInt8],
        strings: [[UInt8]] = [],
        footnotes: [FootnoteMark] = [],
        base: Int
    ) {
        self.records = records
        self.text = text
        self.strings = strings
        self.footnotes = footnotes
        self.base = base
    }

    func literal(of record: NodeRecord) -> ArraySlice<UInt8> { text[Int(record.textStart)..<Int(record.textEnd)] }

    /// The tree with other numbers of footnotes.
    func renumbered(_ footnotes: [FootnoteMark]) -> MarkdownTree {
        MarkdownTree(records: records, text: text, strings: strings, footnotes: footnotes, base: base)
    }
}

/// A footnote as a mark shows it, or as its definition does.
struct FootnoteMark: Sendable, Hashable {
    var label: LinkLabel
    /// The label as the definition has it.
    var text: [UInt8]
    /// From 1, in the order of first marks; 0 before that is known.
    var number = 0
    /// Which of the footnote's marks this is, from 1; for a definition, how many there are.
    var occurrence = 0
}
