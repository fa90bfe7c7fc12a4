// Riff
// SPDX-License-Identifier: Apache-2.0

/// A block or an inline, with what is in it.
///
/// It is a place in a tree that does not change, and cheap to copy. Trees can be as deep as their source nests; walk
/// them with ``events`` rather than by recursion where the source is not trusted.
public struct MarkdownNode: Sendable {
    let tree: MarkdownTree
    let index: Int

    var record: NodeRecord { tree.records[index] }

    /// The range in the stream's text, in bytes of UTF-8, without the line end after it.
    public var range: Range<Int> {
        let start = tree.base + Int(record.start)
        return start..<max(start, tree.base + Int(record.stop))
    }

    /// The literal text of ``Kind-swift.enum/text``, code, raw HTML and mathematics; empty for all else.
    public var text: String { String(decoding: tree.literal(of: record), as: UTF8.self) }

    /// The literal text of it and of everything in it, raw HTML as it is written; line breaks are spaces.
    public var plainText: String {
        var bytes: [UInt8] = []
        for record in tree.records[index..<Int(record.end)] {
            switch record.tag {
            case .softBreak, .lineBreak: bytes.append(.space)
            default: bytes += tree.literal(of: record)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// What is directly in it.
    public var children: MarkdownChildren { MarkdownChildren(tree: tree, at: index + 1, end: Int(record.end)) }

    /// It and everything in it, as a walk enters and leaves them.
    public var events: MarkdownEvents { MarkdownEvents(self) }

    /// The kind of the node.
    public var kind: Kind {
        let record = record
        return switch record.tag {
        case .document: .document
        case .paragraph: .paragraph
        case .heading: .heading(level: Int(record.detail))
        case .thematicBreak: .thematicBreak
        case .quote: .quote
        case .list: .list(list(record))
        case .item: .item(isDone: record.flag == 0 ? nil : record.flag == 2)
        case .code: .codeBlock(info: string(record.value))
        case .html: .htmlBlock
        case .table: .table(columns: Int(record.value))
        case .row: .row(isHeader: record.flag == 1)
        case .cell: .cell(MarkdownNode.Alignment(rawValue: UInt8(record.detail)) ?? .none)
        case .footnotes: .footnotes
        case .footnote: .footnote(tree.footnotes[Int(record.value)].reference)
        case .math: .mathBlock
        case .definitions: .definitions
        case .blank: .blank
        case .text: .text
        case .softBreak: .softBreak
        case .lineBreak: .lineBreak
        case .codeSpan: .code
        case .htmlSpan: .html
        case .emphasis: .emphasis
        case .strong: .strong
        case .strikethrough: .strikethrough
        case .link: .link(link(record))
        case .image: .image(link(record))
        case .footnoteMark: .footnoteMark(tree.footnotes[Int(record.value)].reference)
        case .mathSpan: .math
        }
    }

    private func string(_ index: UInt32) -> String { String(decoding: tree.strings[Int(index)], as: UTF8.self) }

    private func link(_ record: NodeRecord) -> MarkdownNode.Link {
        MarkdownNode.Link(destination: string(record.value), title: string(record.value + 1))
    }

    private func list(_ record: NodeRecord) -> MarkdownNode.List {
        let mark = UInt8(record.detail)
        let isOrdered = mark == UInt8(ascii: ".") || mark == UInt8(ascii: ")")
        return MarkdownNode.List(start: isOrdered ? Int(record.value) : nil, isLoose: record.flag == 1)
    }
}

/// The nodes directly in another, in order.
public struct MarkdownChildren: Sequence, IteratorProtocol, Sendable {
    let tree: MarkdownTree
    var at: Int
    let end: Int

    /// The next child.
    public mutating func next() -> MarkdownNode? {
        guard at < end else { return nil }
        defer { at = Int(tree.records[at].end) }
        return MarkdownNode(tree: tree, index: at)
    }
}
