// Riff
// SPDX-License-Identifier: Apache-2.0

/// A picture of the text that is in no complete block.
///
/// A front end that draws everything anew takes ``root`` of `stream.tail()`. One that keeps what it drew passes the
/// tail that it drew last, keeps so many children of each block as ``levels`` tell, and draws what is in ``root``
/// behind them.
public struct MarkdownTail: Sendable {
    /// A block that is open, and how much of it stays.
    public struct Level: Sendable, Hashable {
        /// The start of the block in the stream's text. With the kind of the block, it tells blocks apart.
        public let start: Int
        /// The kind of the block so far.
        public let kind: MarkdownNode.Kind
        /// Which of the block's children is the first in the picture; those before were in the previous tail, and stay.
        /// For code, how many lines.
        package let firstChild: Int
        /// The number of its children that will stay as they are. The rest is drawn again.
        public let committedChildren: Int
        /// For a leaf, how much of its text stays.
        let committedText: Int
        let tag: NodeTag
        /// Whether the previous tail drew it.
        let isKnown: Bool
    }

    /// A ``MarkdownNode/Kind-swift.enum/document``: the open block, and perhaps one that the incomplete line begins. It
    /// holds what was left out of no previous tail.
    public let root: MarkdownNode
    /// The open blocks, outermost first, as far as they are drawn.
    public let levels: [Level]

    /// The blocks that the incomplete line begins, outermost first; they are in the last of ``levels`` that can hold
    /// them, or beside the first. Once the line is complete they are among ``levels``.
    public let begun: [Level]

    /// The number of bytes of leaves that were read for it.
    package let bytesRead: Int
}
