// Riff
// SPDX-License-Identifier: Apache-2.0

extension MarkdownNode {
    /// The kind of a node. More kinds may come; a switch over them needs a default.
    public enum Kind: Sendable, Hashable {
        /// The root of a tail's picture: it holds the block that is open, and one that an incomplete line begins.
        case document

        // Blocks.

        case paragraph
        /// A heading of level 1 to 6.
        case heading(level: Int)
        case thematicBreak
        case quote
        /// A list; its children are items.
        case list(MarkdownNode.List)
        /// An item of a list; for a task, whether it is done.
        case item(isDone: Bool?)
        /// Code, fenced or indented; its text ends with a line feed. The first word of what is written behind the fence
        /// names the language by custom.
        case codeBlock(info: String)
        /// Raw HTML as a block.
        case htmlBlock
        /// A table; its children are rows, the header first.
        case table(columns: Int)
        /// A row; its children are cells.
        case row(isHeader: Bool)
        case cell(MarkdownNode.Alignment)
        /// The footnotes that are referred to, at the end of all: its children are footnotes.
        case footnotes
        case footnote(MarkdownNode.Footnote)
        /// Displayed mathematics, as TeX.
        case mathBlock
        /// Nothing to draw: link reference definitions, or a footnote's, where they are written.
        case definitions
        /// Nothing to draw: blank lines before the first block.
        case blank

        // Inlines.

        case text
        /// A line end in the source; most front ends draw a space.
        case softBreak
        /// A line break that is asked for.
        case lineBreak
        case code
        /// A raw HTML tag or comment.
        case html
        case emphasis, strong, strikethrough
        case link(MarkdownNode.Link)
        /// An image; its children are its description.
        case image(MarkdownNode.Link)
        case footnoteMark(MarkdownNode.Footnote)
        /// Mathematics in the text, as TeX.
        case math
    }
}

extension MarkdownNode {
    /// A list's kind.
    public struct List: Sendable, Hashable {
        /// The first item's number; nil for a list with bullets.
        public let start: Int?
        /// Whether blank lines are between what it holds, so that its items are set apart.
        public let isLoose: Bool

        /// A list's kind.
        package init(start: Int?, isLoose: Bool) {
            self.start = start
            self.isLoose = isLoose
        }
    }
}

extension MarkdownNode {
    /// The target of a link or an image.
    public struct Link: Sendable, Hashable {
        /// The destination as written, with escapes undone: it may be relative, and was not checked.
        public let destination: String
        /// Empty if there is none.
        public let title: String

        /// Creates the target of a link.
        package init(destination: String, title: String) {
            self.destination = destination
            self.title = title
        }
    }
}

extension MarkdownNode {
    /// The alignment of a column of a table.
    public enum Alignment: UInt8, Sendable, Hashable {
        case none, left, center, right
    }
}

extension MarkdownNode {
    /// A footnote, as a mark or a definition shows it.
    public struct Footnote: Sendable, Hashable {
        /// The label as its definition has it.
        public let label: String
        /// From 1, in the order of the first marks. While text is still coming, later definitions may change it.
        public let number: Int
        /// Which of the footnote's marks this is, from 1; for a definition, how many marks there are.
        public let occurrence: Int

        /// Creates a footnote.
        package init(label: String, number: Int, occurrence: Int) {
            self.label = label
            self.number = number
            self.occurrence = occurrence
        }
    }
}

extension FootnoteMark {
    var reference: MarkdownNode.Footnote {
        MarkdownNode.Footnote(label: String(decoding: text, as: UTF8.self), number: number, occurrence: occurrence)
    }
}
