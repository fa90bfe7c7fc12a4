// Riff
// SPDX-License-Identifier: Apache-2.0

extension BlockNode {
    /// Whether it holds blocks.
    var isContainer: Bool { tag == .quote || tag == .list || tag == .item || tag == .footnote }

    /// The block without its text.
    var withoutText: BlockNode {
        var node = self
        node.textEnd = node.textStart
        return node
    }

    /// The range of the bytes in front of its text: an info string, or a footnote's label.
    var prefixRange: Range<Int> { Int(textStart) - Int(value)..<Int(textStart) }

    /// Returns the kind of the block, as a node of a tree has it; the text holds the bytes in front of its own.
    func kind(text: Bytes) -> MarkdownNode.Kind {
        switch tag {
        case .heading: .heading(level: Int(size))
        case .thematicBreak: .thematicBreak
        case .quote: .quote
        case .list:
            .list(
                MarkdownNode.List(
                    start: mark == UInt8(ascii: ".") || mark == UInt8(ascii: ")") ? Int(value) : nil,
                    isLoose: flags.contains(.isLoose)
                )
            )
        case .item: .item(isDone: flags.contains(.isTask) ? flags.contains(.isDone) : nil)
        case .code: .codeBlock(info: String(decoding: Escapes.undone(text, text.trimmed(prefixRange)), as: UTF8.self))
        case .html: .htmlBlock
        case .table: .table(columns: Int(value))
        case .footnote:
            .footnote(
                MarkdownNode.Footnote(
                    label: String(decoding: text[prefixRange], as: UTF8.self),
                    number: 0,
                    occurrence: 0
                )
            )
        case .math: .mathBlock
        default: .paragraph
        }
    }
}
