// Riff
// SPDX-License-Identifier: Apache-2.0

/// A top-level block that is complete: nothing that follows changes it, but for a definition that comes late
/// (``MarkdownAmendment``).
public struct MarkdownBlock: Sendable, Identifiable {
    /// Counts from 0 in the order of the text; stays as it is when the block is amended.
    public let id: Int
    /// The text as it was written, with the blank lines that follow it. The sources of all blocks, one after the other,
    /// are the stream's text.
    public var source: String { String(decoding: sourceBytes, as: UTF8.self) }
    /// ``source`` as UTF-8.
    package let sourceBytes: [UInt8]
    /// The range of the source in the stream's text, in bytes of UTF-8.
    public var range: Range<Int> { root.tree.base..<root.tree.base + sourceBytes.count }
    /// The block itself.
    public var root: MarkdownNode { MarkdownNode(tree: tree, index: 0) }
    /// The kind of the block.
    public var kind: MarkdownNode.Kind { root.kind }

    var tree: MarkdownTree

    init(id: Int, source: [UInt8], tree: MarkdownTree) {
        self.id = id
        sourceBytes = source
        self.tree = tree
    }
}
